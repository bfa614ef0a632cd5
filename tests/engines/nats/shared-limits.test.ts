/** Several ingest processes hold one limit, over a real NATS server. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createMetrics, type Logger, type NetworkBus, silentLogger, systemClock } from '@sonde/base'
import { openNatsBus } from '@sonde/log/nats'
import type { KeyInfo } from '@sonde/stores/keys'
import { createQuotaWindows } from '../../../packages/ingest/src/validate/quota-windows.ts'
import { createRateLimiter } from '../../../packages/ingest/src/validate/rate-limiter.ts'
import { shareWindows } from '../../../packages/ingest/src/validate/share-windows.ts'
import { type NatsServers, startNats } from '../../harness/servers/nats.ts'
import { until } from './until.ts'

/** How long what one lets in may be unknown to the others: what is documented, and what a busy machine takes besides. */
const TOLD_WITHIN_MS = 250
const BUSY_MS = 1_000
const HOUR_SEC = 3_600

type Process = {
  readonly bus: NetworkBus
  /** When each item was let in, by `performance.now()`. */
  readonly letIn: readonly number[]
  /** False: refused. */
  take(key: KeyInfo): boolean
  /** What it knows of a key's window. */
  taken(key: KeyInfo): number
  metric(): Promise<string>
  readonly warnings: () => number
  stop(): Promise<void>
}

const keyOf = (keyId: number, count: number): KeyInfo => ({
  keyId,
  projectId: keyId,
  orgId: 1,
  isActive: true,
  rateLimit: { count, windowSec: HOUR_SEC },
})

describe('ingest processes on one NATS', () => {
  let servers: NatsServers
  const prefix = `t${randomUUID().slice(0, 8)}`
  const running: Process[] = []
  before(async () => {
    servers = await startNats()
  })
  after(async () => {
    for (const process of running) await process.stop()
    await servers?.stop()
  })
  const start = (): Process => {
    let warnings = 0
    const logger = { ...silentLogger, warn: () => void warnings++ } as unknown as Logger
    const bus = openNatsBus({ url: servers.url, prefix, logger: silentLogger })
    const windows = createQuotaWindows()
    const limiter = createRateLimiter({}, systemClock, windows)
    const metrics = createMetrics()
    const { stop } = shareWindows({ windows, bus, clock: systemClock, logger, metrics })
    const letIn: number[] = []
    const process: Process = {
      bus,
      letIn,
      take(key) {
        const { ok } = limiter(key, { category: 'error', quantity: 1 })
        if (ok) letIn.push(performance.now())
        return ok
      },
      taken: ({ keyId }) => windows.open(`k${keyId}:error`, HOUR_SEC * 1_000, Date.now()).taken,
      metric: async () => /^sonde_ingest_limits_shared (\d)$/m.exec(await metrics.text())?.[1] ?? '',
      warnings: () => warnings,
      async stop() {
        stop()
        await bus.close()
      },
    }
    running.push(process)
    return process
  }
  const connected = async (...processes: readonly Process[]): Promise<void> =>
    until(() => processes.every(({ bus }) => bus.isConnected()), 'all are connected')

  it('let in together at least the limit, and no more above it than within the time in which they tell each other', async (context) => {
    const processes = [start(), start(), start()]
    await connected(...processes)
    const limit = 9_000
    const key = keyOf(1, limit)
    const send = async (process: Process): Promise<void> => {
      while (process.take(key) && process.take(key)) await sleep(1)
    }
    await Promise.all(processes.map(send))
    const all = processes.flatMap(({ letIn }) => letIn).toSorted((a, b) => a - b)
    assert.ok(all.length >= limit)
    for (const { letIn } of processes) {
      const knownMs = (letIn.at(-1) ?? 0) - TOLD_WITHIN_MS - BUSY_MS
      const known = processes.map((other) =>
        other.letIn === letIn ? letIn.length : other.letIn.filter((ms) => ms <= knownMs).length,
      )
      const sum = known.reduce((a, b) => a + b)
      assert.ok(sum <= limit, `the last was let in when ${sum} of ${limit} were known`)
    }
    const reachedMs = all[limit - 1] ?? 0
    context.diagnostic(
      `${all.length} of ${limit}, the last ${Math.round((all.at(-1) ?? 0) - reachedMs)} ms above it, at ${Math.round((limit * 1_000) / (reachedMs - (all[0] ?? 0)))}/s`,
    )
    // Then it holds for all of them, also for one that comes later.
    const late = start()
    await connected(late)
    await until(() => late.taken(key) === all.length, 'it is told')
    assert.equal(late.take(key), false)
    for (const process of processes) assert.equal(process.take(key), false)
  })

  it('count alone while NATS is away, with a warning and a metric, and together again when it is back', async () => {
    const [one, two] = [start(), start()]
    await connected(one, two)
    const [node] = servers.nodes
    await node?.kill()
    await until(() => one.warnings() === 1 && two.warnings() === 1, 'both say so')
    assert.equal(await one.metric(), '0')
    const key = keyOf(2, 100)
    for (const process of [one, two]) {
      let count = 0
      while (process.take(key)) count++
      assert.equal(count, 100)
    }
    const other = keyOf(3, 100)
    for (let count = 0; count < 60; count++) assert.ok(one.take(other))
    await node?.start()
    await connected(one, two)
    await until(() => two.taken(other) === 60, 'what was let in meanwhile is told')
    assert.equal(await two.metric(), '1')
    assert.deepEqual([one.warnings(), two.warnings()], [1, 1])
  })
})
