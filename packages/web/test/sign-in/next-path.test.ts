import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextOf, pathAfterSignIn } from '../../src/parts/access/same-origin-path.server.ts'

const at = (next: string | undefined): URL => {
  const url = new URL('https://sonde.example/sign-in')
  if (next !== undefined) url.searchParams.set('next', next)
  return url
}

test('the page that was asked for is where a sign-in leads, also by way of the second step', () => {
  const asked = '/acme/shop/issues?query=is%3Aresolved&sort=freq'
  assert.equal(pathAfterSignIn(at(asked)), asked)
  assert.equal(nextOf(at(asked)), asked)
})

test('without one, or with one of another origin, it leads home, which the next address need not say', () => {
  for (const next of [undefined, '', '/', '//evil.example', 'https://evil.example/', '/sign-in/code']) {
    assert.equal(pathAfterSignIn(at(next)), '/', next)
    assert.equal(nextOf(at(next)), undefined, next)
  }
})
