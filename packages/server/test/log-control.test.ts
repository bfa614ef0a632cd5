import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { createProcessLog } from '@sonde/base'
import { createInternalRoutes } from '../src/back/internal-routes.ts'
import { listenOnSocket } from '../src/front/listen.ts'
import { askBack } from '../src/internal/ask-back.ts'
import {
  changeFrom,
  createLogControl,
  LOG_LEVEL_PATH,
  LOG_PATH,
  logRoutes,
  type LogState,
} from '../src/internal/log-control.ts'

/** Both processes, each with its socket: the front's asks the back's. */
async function bothProcesses(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-log-'))
  t.after(() => rmSync(dir, { recursive: true }))
  // Nothing of it is printed: at `silent` no line is written, and the changes of the level are.
  const logs = { front: createProcessLog('front', 'silent'), back: createProcessLog('back', 'silent') }
  const sockets = { front: join(dir, 'front'), back: join(dir, 'back') }
  const controls = { front: createLogControl(logs.front), back: createLogControl(logs.back) }
  const back = await listenOnSocket(
    createInternalRoutes(logRoutes(controls.back, async () => ({}), 'back')),
    sockets.back,
  )
  const inBack = async (body: string) =>
    JSON.parse((await askBack(sockets.back, 'POST', LOG_LEVEL_PATH, { body })) ?? '{}') as Record<
      string,
      never
    >
  const front = await listenOnSocket(
    createInternalRoutes(logRoutes(controls.front, inBack, 'front')),
    sockets.front,
  )
  t.after(async () => {
    for (const control of Object.values(controls)) control.stop()
    await front.stop(0)
    await back.stop(0)
  })
  const change = async (body: string): Promise<unknown> =>
    JSON.parse((await askBack(sockets.front, 'POST', LOG_LEVEL_PATH, { body })) ?? 'null')
  return { logs, controls, change, sockets }
}

test('one question changes both processes, and without a level it changes nothing', async (t) => {
  const { logs, change } = await bothProcesses(t)
  const silent = { level: 'silent', configured: 'silent' }
  assert.deepEqual(await change(''), { front: silent, back: silent })
  const error = { level: 'error', configured: 'silent' }
  assert.deepEqual(await change('{"level":"error"}'), { front: error, back: error })
  assert.deepEqual([logs.front.level(), logs.back.level()], ['error', 'error'])
  await assert.rejects(change('{"level":"loud"}'), { kind: 'invalid' })
  await assert.rejects(change('{"level":"info","forMs":-1}'), { kind: 'invalid' })
  assert.equal(logs.front.level(), 'error')
})

test('a level for a time returns to the one of the start by itself, and a later change is not undone', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  const log = createProcessLog('front', 'silent')
  const control = createLogControl(log, () => nowMs)
  control.set({ level: 'error', forMs: 60_000 })
  nowMs = 20_000
  assert.equal(control.state().forMs, 40_000)
  t.mock.timers.tick(60_000)
  assert.deepEqual([log.level(), control.state().forMs], ['silent', undefined])
  control.set({ level: 'error', forMs: 60_000 })
  control.set({ level: 'error', forMs: undefined })
  t.mock.timers.tick(60_000)
  assert.equal(log.level(), 'error')
})

test('a process that starts again is given the level, and what is left of its time', async (t) => {
  const { sockets, controls, change } = await bothProcesses(t)
  assert.equal(changeFrom(controls.front.state()), undefined)
  await change('{"level":"error","forMs":60000}')
  // Its successor has what it was started with.
  controls.back.set({ level: 'silent', forMs: undefined })
  const body = changeFrom(controls.front.state()) ?? ''
  await askBack(sockets.back, 'POST', LOG_LEVEL_PATH, { body })
  const { level, forMs = 0 } = controls.back.state()
  assert.equal(level, 'error')
  assert.ok(forMs > 0 && forMs <= 60_000)
})

test('what went wrong is told beside the level', async (t) => {
  const { sockets } = await bothProcesses(t)
  const state = JSON.parse((await askBack(sockets.back, 'GET', LOG_PATH)) ?? '') as LogState
  assert.deepEqual(state.problems, [])
})
