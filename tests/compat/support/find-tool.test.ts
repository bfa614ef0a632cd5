import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTool } from './find-tool.ts'

const missing = (): string => {
  throw new Error('install Go')
}

test('a tool that is there is used', () => {
  assert.deepEqual(
    findTool(() => '/usr/bin/go', {}),
    { path: '/usr/bin/go', skip: false },
  )
})

test('a tool that cannot be had skips its tests and says why', () => {
  assert.deepEqual(findTool(missing, {}), { path: '', skip: 'install Go' })
})

test('in CI a missing tool fails, so that no SDK goes untested unseen', () => {
  assert.throws(() => findTool(missing, { CI: 'true' }), /install Go/)
})
