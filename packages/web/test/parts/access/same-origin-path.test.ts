import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { sameOriginPath } from '../../../src/parts/access/same-origin-path.server.ts'

test('a path of this origin is where sign-in leads', () => {
  for (const path of ['/', '/acme', '/acme/shop/issues?query=is%3Aunresolved&sort=freq', '/a#b']) {
    assert.equal(sameOriginPath(path, '/home'), path)
  }
})

test('another origin, and whatever a browser takes for one, is refused', () => {
  const refused = [
    null,
    undefined,
    '',
    'acme',
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
    '/%2e//evil.example',
    '/sign-in?next=/sign-in',
    '/sign-out',
  ]
  for (const next of refused) assert.equal(sameOriginPath(next, '/home'), '/home', String(next))
})

test('no text leads to another origin', () => {
  const nasty = fc.string({
    unit: fc.constantFrom('/', '\\', '.', ':', '@', '\t', '\n', 'a', '%', '2', 'e', 'f', '?'),
  })
  fc.assert(
    fc.property(nasty, (text) => {
      const path = sameOriginPath(`/${text}`, '/home')
      assert.equal(new URL(path, 'https://sonde.example').origin, 'https://sonde.example')
    }),
    { numRuns: 2_000 },
  )
})
