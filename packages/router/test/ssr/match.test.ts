/** Which page an address is of. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createServerBuild } from '../../src/ssr/entry-server.tsx'

const build = () =>
  createServerBuild({
    pages: [
      { id: '/[org]', layouts: [] },
      { id: '/[org]/issues', layouts: [] },
    ],
    layouts: [],
  })

describe('the match of a path', () => {
  test('has the template and the parameters of its own path', () => {
    const { match } = build()
    assert.deepEqual({ ...match('/acme').params }, { org: 'acme' })
    assert.deepEqual({ ...match('/globex').params }, { org: 'globex' })
    assert.equal(match('/globex/issues').template, '/[org]/issues')
    assert.equal(match('/a/b/c').template, null)
  })

  test('cannot be changed by who is given it', () => {
    const { match } = build()
    assert.throws(() => Object.assign(match('/acme').params, { org: 'globex' }), TypeError)
  })
})
