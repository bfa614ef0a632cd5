import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkPauses } from './pauses.ts'

const PATH = 'packages/log/test/a.test.ts'
const check = (text: string, allowed: Record<string, string> = {}, path = PATH) =>
  checkPauses(new Map([[path, text]]), allowed)
const SLEEP = "import { setTimeout as sleep } from 'node:timers/promises'\n"
const fails = (text: string): boolean => check(SLEEP + text).length === 1

test('a pause of a fixed time fails, however it is written', () => {
  assert.ok(fails('await sleep(50)'))
  assert.ok(fails('await sleep(leaseMs + 300)'))
  assert.ok(fails('await page.waitForTimeout(100)'))
  assert.ok(fails('await new Promise((resolve) => setTimeout(resolve, 50))'))
  assert.ok(fails('const noticed = () => new Promise<void>((done) => setTimeout(done, 300))'))
  assert.ok(fails('for (const each of all) test(each, async () => { await sleep(5) })'))
})

test('asking again and again passes, and so do turns of the event loop and limits of time', () => {
  assert.deepEqual(check(`${SLEEP}while (!isSo()) await sleep(5)`), [])
  assert.deepEqual(check('for (;;) { await new Promise((resolve) => setTimeout(resolve, 5)) }'), [])
  assert.deepEqual(check('await new Promise((resolve) => setTimeout(resolve))'), [])
  // A clock that the test moves.
  assert.deepEqual(check('const { sleep } = steppedClock()\nsleep(5_000)'), [])
  assert.deepEqual(check('setTimeout(() => child.kill(), 5_000)'), [])
  assert.deepEqual(check(`${SLEEP}await sleep(50)`, {}, 'packages/log/src/a.ts'), [])
})

test('a listed file passes, and is struck off when it pauses no more', () => {
  assert.deepEqual(check(`${SLEEP}await sleep(50)`, { [PATH]: 'time has to pass' }), [])
  assert.deepEqual(check('await it()', { [PATH]: 'time has to pass' }), [
    `${PATH} has no pause now: take it out of PAUSES`,
  ])
})
