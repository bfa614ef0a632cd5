/** Connections that cost the server something without sending requests. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadPlace } from './load-place.ts'
import { type AttackPlan, type Attacked, type Check, NO_COUNTS } from './scenario.ts'

type Watched = { readonly socket: Socket; answer: string; isClosed: boolean }

const BYTE_EVERY_MS = 1_000
/** Headers have 15 s and are looked at every 5 s; bodies have 5 s at first. `packages/ingest/src/limits.ts` */
const ALL_CLOSED_AFTER_MS = 25_000

function open(port: number): Promise<Watched> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const watched: Watched = { socket, answer: '', isClosed: false }
    socket.on('data', (chunk: Buffer) => (watched.answer += chunk.toString('latin1')))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      watched.isClosed = true
      resolve(watched)
    })
    socket.on('connect', () => resolve(watched))
  })
}

export const slowSenders =
  (count: number) =>
  async ({ running, target }: LoadPlace, { forMs, share }: AttackPlan): Promise<Attacked> => {
    const all = await Promise.all(Array.from({ length: Math.ceil(count * share) }, () => open(running.port)))
    const head = `POST ${target.path}?sentry_key=${target.publicKey} HTTP/1.1\r\nHost: x\r\n`
    for (const [at, { socket }] of all.entries())
      socket.write(at % 2 === 0 ? head : `${head}Content-Length: 100000\r\n\r\n`)
    const endMs = performance.now() + forMs
    while (performance.now() < endMs) {
      for (const { socket, isClosed } of all) if (!isClosed) socket.write('x')
      await sleep(Math.min(BYTE_EVERY_MS, Math.max(1, endMs - performance.now())))
    }
    const left = all.filter(({ isClosed }) => !isClosed).length
    for (const { socket } of all) socket.destroy()
    const checks: Check[] =
      forMs < ALL_CLOSED_AFTER_MS
        ? []
        : [{ name: 'cut off', ok: left === 0, detail: `${left} of ${all.length} still open at the end` }]
    return { counts: NO_COUNTS, isCounted: false, checks }
  }

export const idleConnections =
  (count: number) =>
  async ({ running }: LoadPlace, { forMs, share }: AttackPlan): Promise<Attacked> => {
    const wanted = Math.ceil(count * share)
    const all: Watched[] = []
    // In turns: a backlog of the system that is full would be what is measured.
    while (all.length < wanted)
      all.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(100, wanted - all.length) }, () => open(running.port)),
        )),
      )
    await sleep(forMs)
    const refused = all.filter(({ isClosed, answer }) => isClosed && answer === '').length
    for (const { socket } of all) socket.destroy()
    // Which of them the server closes without an answer is its own business; that it lives is checked by the others.
    const check = {
      name: 'opened',
      ok: all.length === wanted,
      detail: `${all.length} opened, ${refused} closed by the server`,
    }
    return { counts: NO_COUNTS, isCounted: false, checks: [check] }
  }
