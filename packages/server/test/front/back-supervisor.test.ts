import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { type BackSupervisor, superviseBack } from '../../src/front/back-supervisor.ts'

type Seen = { readonly back: BackSupervisor; readonly next: () => Promise<string> }

/** `next` resolves with the following "ready" or "failed" message. */
function supervise(
  behaviour: string,
  append: (bytes: Uint8Array) => Promise<void> = () => Promise.resolve(),
  env: NodeJS.ProcessEnv = {},
): Seen {
  const messages: string[] = []
  const waiting: ((text: string) => void)[] = []
  const say = (text: string): void => {
    const resolve = waiting.shift()
    if (resolve) resolve(text)
    else messages.push(text)
  }
  const back = superviseBack({
    script: join(import.meta.dirname, 'back-child.mjs'),
    execArgv: [],
    env: { ...process.env, ...env, BEHAVIOUR: behaviour },
    logger: silentLogger,
    append,
    roll: async () => 0,
    onReady: (notices) => say(`ready ${notices.join()}`),
    onFirstStartFailed: (message) => say(`failed ${message}`),
  })
  const next = (): Promise<string> => {
    const text = messages.shift()
    return text === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(text)
  }
  return { back, next }
}

test('a back that is killed is started again', async () => {
  const { back, next } = supervise('steady')
  const first = await next()
  assert.equal(back.state(), 'ready')
  process.kill(back.pid() ?? 0, 'SIGKILL')
  const second = await next()
  assert.match(second, /^ready \d+$/)
  assert.notEqual(second, first)
  await back.stop(5_000)
})

test('a first start that fails is told, and not tried for ever', async () => {
  const { next } = supervise('broken')
  assert.equal(await next(), 'failed no disk')
})

test('a first start waits for the data folder while an earlier back may still have it', async () => {
  const { back, next } = supervise('late', () => Promise.resolve(), { FREE_AT_MS: String(Date.now() + 500) })
  assert.match(await next(), /^ready/)
  await back.stop(5_000)
})

test('a back that does not end in time is killed', async () => {
  const { back, next } = supervise('stubborn')
  await next()
  const startedMs = Date.now()
  await back.stop(200)
  assert.ok(Date.now() - startedMs < 3_000)
})

test('the back appends to the log through the front, bytes as bytes', async () => {
  const appended: Uint8Array[] = []
  const { back, next } = supervise('asks', (bytes) => {
    appended.push(bytes)
    return Promise.resolve()
  })
  assert.equal(await next(), 'ready appended')
  assert.deepEqual([...(appended[0] ?? [])], [1, 2, 3])
  await back.stop(5_000)
})

test('a log that refuses is told to the back', async () => {
  const { back, next } = supervise('asks', () => Promise.reject(new Error('disk full')))
  assert.equal(await next(), 'ready disk full')
  await back.stop(5_000)
})
