/** Which page an address is of, and how long that is remembered. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createServerBuild } from '../../src/ssr/entry-server.tsx'

const build = () =>
  createServerBuild({
    pages: [
      { id: '/[org]', pattern: '/:org', layouts: [] },
      { id: '/[org]/issues', pattern: '/:org/issues', layouts: [] },
    ],
    layouts: [],
  })

describe('the match of a path', () => {
  test('is the same when it is asked for again, and each path has its own', () => {
    const { match } = build()
    for (let round = 0; round < 2; round++) {
      assert.deepEqual(match('/acme').params, { org: 'acme' })
      assert.deepEqual(match('/globex').params, { org: 'globex' })
      assert.equal(match('/globex/issues').template, '/[org]/issues')
      assert.equal(match('/a/b/c').template, null)
    }
    assert.equal(match('/acme'), match('/acme'))
  })

  test('cannot be changed by who is given it', () => {
    const { match } = build()
    assert.throws(() => Object.assign(match('/acme').params, { org: 'globex' }), TypeError)
  })

  test('is forgotten after 500 others, and that of a path longer than 200 characters at once', () => {
    const { match } = build()
    const [kept, first] = [match('/kept'), match('/first')]
    for (let at = 0; at < 499; at++) {
      match(`/other-${at}`)
      match('/kept')
    }
    assert.equal(match('/kept'), kept)
    assert.notEqual(match('/first'), first)
    const long = `/${'x'.repeat(200)}`
    assert.notEqual(match(long), match(long))
  })
})
