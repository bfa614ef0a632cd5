/** Processes that share a log: who lost its partition while it was frozen writes nothing more. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLogger, systemClock } from '@sonde/base'
import { encodeIntakeRecord, type LogReader, type LogReaders, type LogRecord } from '@sonde/log'
import type { CommitStep } from '../../src/commit/commit-batch.ts'
import { type Pipeline, startSharedPipeline } from '../../src/index.ts'
import { errorEnvelope, type Harness, openHarness, until } from './harness.ts'

let harness: Harness

/** As a broker has it, in memory. */
const records: LogRecord[] = []
let committed = 0
const reader: LogReader = {
  partition: 0,
  async read(from, { maxRecords, to = Infinity }, signal) {
    for (;;) {
      const ready = records.filter(({ position }) => position >= from && position < to)
      if (ready.length > 0 || to !== Infinity || signal.aborted) return ready.slice(0, maxRecords)
      await sleep(5, undefined, { signal }).catch(() => undefined)
    }
  },
  async commit(position) {
    committed = Math.max(committed, position)
  },
  committed: async () => committed,
  async depth() {
    const waits = records.some(({ position }) => position >= committed)
    return waits ? { bytes: 1, oldestMs: 1 } : { bytes: 0, oldestMs: undefined }
  },
  close: async () => undefined,
}
const logs: LogReaders = {
  readers: [reader],
  isShared: true,
  end: async () => records.at(-1)?.next ?? 0,
  close: async () => undefined,
}

const start = (afterStep: (step: CommitStep) => void | Promise<void> = () => undefined): Pipeline =>
  startSharedPipeline({
    ...harness,
    logs,
    logger: silentLogger,
    workers: { threads: 0 },
    leaseMs: 1_000,
    lookMs: 20,
    afterStep,
  })

function append(projectId: number, id: number): void {
  const meta = { v: 1, kind: 'envelope', receivedMs: systemClock.nowMs(), projectId, keyId: 7 } as const
  const position = records.at(-1)?.next ?? 1
  const bytes = encodeIntakeRecord(meta, Buffer.from(errorEnvelope(id)))
  records.push({ position, next: position + 1, bytes })
}

/** As if the process had been frozen for longer than its lease. */
const loseLease = (): Promise<unknown> =>
  harness.records
    .updateTable('job_lease')
    .set({ owner: 'nobody', expires_ms: 0 })
    .where('name', '=', 'log partition 0')
    .execute()

describe('a partition that another process took over', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  for (const [at, step] of (['checked', 'marked', 'events', 'outcomes'] as const).entries())
    it(`while its owner was frozen after "${step}": the event is stored and counted once`, async () => {
      const project = await harness.createProject(`frozen-${step}`)
      const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
      let frozen = false
      const first = start((now) => {
        if (now !== step || frozen) return undefined
        frozen = true
        return thawed
      })
      await until(() => first.state().partitions.length === 1, 'the first has it')
      append(project, 0x7000 + at)
      await until(() => frozen, 'the first is frozen')
      const second = start()
      await loseLease()
      await until(() => second.state().records === 1, 'the second commits it')
      assert.equal(second.state().partitions.length, 1)
      thaw()
      await until(() => first.state().partitions.length === 0, 'the first gives up')
      append(project, 0x7100 + at)
      await until(() => second.state().records === 2, 'the second goes on')
      await first.stop()
      await second.stop()

      assert.equal((await harness.events(project)).length, 2)
      assert.equal((await harness.issues(project))[0]?.event_count, 2)
      assert.deepEqual(await harness.outcomes(project), { 'error/accepted/': 2 })
      assert.equal(first.state().events, 0)
      assert.equal(committed, records.at(-1)?.next)
    })

  it('reprocessing knows how far others may have read, and waits for nothing where nothing waits', async () => {
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<void>()
    let frozen = false
    const first = start((step) => {
      if (step !== 'checked') return undefined
      frozen = true
      return thawed
    })
    await until(() => first.state().partitions.length === 1, 'the first has it')
    const second = start()
    append(await harness.createProject('read-elsewhere'), 0x7200)
    await until(() => frozen, 'the first has read it')
    assert.deepEqual(await second.readTo(), { 0: await logs.end(0) })
    thaw()
    await until(() => committed === records.at(-1)?.next, 'the first commits it')
    assert.deepEqual(await second.readTo(), {})
    await until(async () => (await first.readTo())['0'] === (await logs.end(0)), 'the owner has read all')
    await second.stop()
    await first.stop()
  })
})
