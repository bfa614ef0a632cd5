import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOpenToOthers } from '../../src/secret/secret-file.ts'

test('a secret is for its user alone; of a file that root mounted, the group may read', () => {
  const [user, other] = [1000, 1001]
  assert.equal(isOpenToOthers({ mode: 0o100600, uid: user }, user), false)
  assert.equal(isOpenToOthers({ mode: 0o100400, uid: user }, user), false)
  for (const mode of [0o640, 0o604, 0o666]) assert.equal(isOpenToOthers({ mode, uid: user }, user), true)
  assert.equal(isOpenToOthers({ mode: 0o100440, uid: other }, user), true)
  assert.equal(isOpenToOthers({ mode: 0o100440, uid: 0 }, user), false)
  for (const mode of [0o460, 0o444, 0o644]) assert.equal(isOpenToOthers({ mode, uid: 0 }, user), true)
  assert.equal(isOpenToOthers({ mode: 0o440, uid: 0 }, 0), true, 'root needs no group')
})
