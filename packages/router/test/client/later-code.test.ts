import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laterCode, laterCodeOfNavigation, loadLaterCode } from '../../src/client/later-code.ts'

test('code is there when the page runs, is asked for once, and again only after a failure', async () => {
  let asked = 0
  let isMissing = true
  const code = laterCode(() => {
    asked++
    return isMissing ? Promise.reject(new Error('404')) : Promise.resolve('part')
  })
  await assert.rejects(loadLaterCode(), /404/)
  assert.equal(code.get(), undefined)
  await assert.rejects(laterCodeOfNavigation(), /404/)
  isMissing = false
  const before = asked
  await laterCodeOfNavigation()
  await laterCodeOfNavigation()
  assert.deepEqual([code.get(), asked - before], ['part', 1])
})

test('what is met once the page runs is asked for at once', async () => {
  await loadLaterCode()
  const code = laterCode(() => Promise.resolve('part'))
  await new Promise((resolve) => setImmediate(resolve))
  assert.equal(code.get(), 'part')
})
