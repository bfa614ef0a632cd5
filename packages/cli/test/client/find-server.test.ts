import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findServer } from '../../src/client/find-server.ts'

const facts = Buffer.from(JSON.stringify({ iat: 1, url: 'https://sonde.example', org: 'acme' }))
const TOKEN = `sntrys_${facts.toString('base64')}_${'a'.repeat(43)}`

const find = (options: Record<string, string>, env: Record<string, string> = {}) =>
  findServer({ text: (name) => options[name], env })

test('the token of an organization says where and for whom it is', () => {
  assert.deepEqual(find({ token: TOKEN }), {
    url: 'https://sonde.example',
    org: 'acme',
    token: TOKEN,
  })
  assert.throws(
    () => find({ token: TOKEN, org: 'other' }),
    /the token is of the organization acme, not of other/,
  )
})

test('options win over the environment, and its own names over those of the stock tools', () => {
  const env = {
    SENTRY_AUTH_TOKEN: 'from-sentry',
    SONDE_AUTH_TOKEN: 'from-sonde',
    SENTRY_URL: 'https://sentry.example/',
    SENTRY_ORG: 'acme',
  }
  assert.deepEqual(find({}, env), {
    url: 'https://sentry.example',
    org: 'acme',
    token: 'from-sonde',
  })
  assert.equal(find({ url: 'http://127.0.0.1:8600', token: 'mine' }, env)?.url, 'http://127.0.0.1:8600')
  assert.equal(find({ token: 'mine' }, env)?.token, 'mine')
})

test('what is missing is named, with what to give', () => {
  assert.equal(find({}), undefined)
  assert.throws(() => find({ token: 'plain' }), /--url: the address of your Sonde/)
  assert.throws(() => find({ token: 'plain', url: 'https://sonde.example' }), /--org/)
  assert.throws(() => find({ token: 'plain', url: 'sonde', org: 'acme' }), /"sonde" is no address/)
  assert.throws(() => find({ token: 'sntrys_bm9uc2Vuc2U=_x', url: 'https://a.example' }), /--org/)
})
