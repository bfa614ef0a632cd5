/** Two partitions of one log: equal positions are different records, in every store and through every crash. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLogger, systemClock } from '@sonde/base'
import { encodeIntakeRecord, type LogReader, type LogRecord } from '@sonde/log'
import { batchToken } from '../../src/commit/batch-queue.ts'
import { COMMIT_STEPS } from '../../src/commit/commit-batch.ts'
import { committedPositions } from '../../src/commit/pipeline-state.ts'
import { deadLetters, type Pipeline, type PipelineOptions, startPipeline } from '../../src/index.ts'
import { countEventsOf } from '../../src/reprocess/gather-events.ts'
import { errorEnvelope, openHarness, until, type Harness } from './harness.ts'

const PARTITIONS = [0, 1] as const

let harness: Harness

/** Partitions as a broker has them, in memory: they count alike, so that every position is there twice. */
const records: readonly LogRecord[][] = PARTITIONS.map(() => [])
const committed: number[] = PARTITIONS.map(() => 0)

const readerOf = (partition: number): LogReader => ({
  partition,
  async read(from, { maxRecords, to = Infinity }, signal) {
    for (;;) {
      const ready = records[partition]?.filter(({ position }) => position >= from && position < to) ?? []
      if (ready.length > 0 || to !== Infinity || signal.aborted) return ready.slice(0, maxRecords)
      await sleep(5, undefined, { signal }).catch(() => undefined)
    }
  },
  async commit(position) {
    committed[partition] = Math.max(committed[partition] ?? 0, position)
  },
  committed: async () => committed[partition] ?? 0,
  depth: async () => ({ bytes: 0, oldestMs: undefined }),
  close: async () => undefined,
})

const start = (partition: number, more: Partial<PipelineOptions> = {}): Promise<Pipeline> =>
  startPipeline({
    ...harness,
    log: readerOf(partition),
    logger: silentLogger,
    workers: { threads: 0 },
    ...more,
  })

async function append(project: number, body: string | ((partition: number) => string)): Promise<void> {
  const meta = {
    v: 1,
    kind: 'envelope',
    receivedMs: systemClock.nowMs(),
    projectId: project,
    keyId: 7,
  } as const
  for (const [partition, list] of records.entries()) {
    const text = typeof body === 'string' ? body : body(partition)
    const position = list.at(-1)?.next ?? 0
    list.push({ position, next: position + 10, bytes: encodeIntakeRecord(meta, Buffer.from(text)) })
  }
}

/** Who sends no id gets one that is made from the place in the log. */
const unnamed = (kind: string): string =>
  `{}\n{"type":"event"}\n${JSON.stringify({ platform: 'python', exception: [{ type: kind, value: 'x' }] })}\n`

const rows = (table: string, project: number) =>
  harness.telemetry.query<{ partition: number; position: number; id: string }>(
    `SELECT log_partition AS partition, log_position AS position, toString(event_id) AS id FROM ${table}
     WHERE project_id = {project:UInt32} ORDER BY log_position, log_partition`,
    { project },
  )

describe('two partitions of the log', () => {
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())

  it('keep what stands at the same position apart: events without an id, dead letters, attachments', async () => {
    const project = await harness.createProject('apart')
    await append(project, unnamed('A'))
    await append(project, (partition) => `broken ${partition}`)
    await append(
      project,
      (partition) =>
        `{"event_id":"${'ab'.repeat(16)}"}\n{"type":"attachment","length":6,"filename":"${partition}.txt"}\ntext ${partition}\n`,
    )
    const pipelines = await Promise.all(PARTITIONS.map((partition) => start(partition)))
    await until(() => pipelines.every((each) => each.state().records === 3), 'both are through')
    assert.deepEqual(
      pipelines.map((each) => each.state().partitions[0]?.partition),
      [...PARTITIONS],
    )
    for (const each of pipelines) await each.stop()

    for (const table of ['events', 'event_index']) {
      const [first, second, ...others] = await rows(table, project)
      assert.deepEqual([first?.partition, second?.partition, others.length], [0, 1, 0], table)
      assert.equal(first?.position, second?.position)
      assert.notEqual(first?.id, second?.id)
    }
    assert.equal((await harness.issues(project))[0]?.event_count, 2)
    const letters = (await deadLetters(harness).list()).filter((each) => each.projectId === project)
    assert.deepEqual(new Set(letters.map((each) => each.logPartition)), new Set([0, 1]))
    assert.equal(letters.length, 2)
    for (const { id, logPartition } of letters)
      assert.match((await deadLetters(harness).look(id))?.text ?? '', new RegExp(`broken ${logPartition}`))
    const files = await harness.records
      .selectFrom('attachment')
      .selectAll()
      .orderBy('log_partition')
      .execute()
    assert.deepEqual(
      files.map((file) => [file.log_partition, file.name]),
      [
        [0, '0.txt'],
        [1, '1.txt'],
      ],
    )
    for (const file of files)
      assert.equal(
        Buffer.from((await harness.blobs.get(file.blob)) ?? []).toString(),
        `text ${file.log_partition}`,
      )
  })

  it('the same event in both is stored once and counted as a duplicate once', async () => {
    const project = await harness.createProject('same')
    await append(project, errorEnvelope(0x51))
    for (const partition of PARTITIONS) {
      const pipeline = await start(partition)
      await until(() => pipeline.state().records === 1, 'it is through')
      await pipeline.stop()
    }
    assert.equal((await harness.events(project)).length, 1)
    assert.deepEqual(await harness.outcomes(project), {
      'error/accepted/': 1,
      'error/invalid/duplicate_event': 1,
    })
  })

  for (const step of COMMIT_STEPS)
    it(`a crash after "${step}" in one, while the other has stored the same stretch, loses and doubles nothing`, async () => {
      const project = await harness.createProject(`crash-${step}`)
      await append(project, unnamed('A'))
      await append(project, unnamed('B'))
      const first = await start(0)
      await until(() => first.state().records === 2, 'the first partition is through')
      await first.stop()
      let crashed = false
      const second = await start(1, {
        afterStep(now) {
          if (now !== step) return
          crashed = true
          throw new Error('crash')
        },
      })
      await until(() => crashed, 'it crashes')
      await second.stop()
      const again = await start(1)
      const to = (await committedPositions(harness.records))['0']
      await until(() => again.state().partitions[0]?.position === to, 'the second partition is through')
      await again.stop()
      assert.equal((await rows('events', project)).length, 4)
      assert.equal((await rows('event_index', project)).length, 4)
      assert.deepEqual(
        (await harness.issues(project)).map((issue) => issue.event_count),
        [2, 2],
      )
      assert.deepEqual(await harness.outcomes(project), { 'error/accepted/': 4 })
    })

  it('what was committed in each bounds what is processed again', async () => {
    const project = await harness.createProject('again')
    await append(project, unnamed('A'))
    const [pipeline, other] = [await start(0), await start(1)]
    await until(() => pipeline.state().records + other.state().records === 2, 'both are through')
    await pipeline.stop()
    await other.stop()
    const search = { kind: 'release', part: 0, projectIds: [project], where: '1', params: {} } as const
    const position = (await rows('events', project))[0]?.position ?? 0
    const seen = async (
      pass: 'stored' | 'late',
      from: Record<string, number>,
      to: Record<string, number>,
    ) => {
      const range = { pass, from, to, maxIssueId: 1e9 }
      const [found] = await countEventsOf(harness.telemetry, search, range)
      return found?.events ?? 0
    }
    assert.equal(await seen('stored', { 0: position + 1, 1: position + 1 }, {}), 2)
    assert.equal(await seen('stored', { 0: position + 1, 1: position }, {}), 1)
    assert.equal(await seen('stored', { 0: position + 1 }, {}), 1)
    assert.equal(await seen('late', { 0: position + 1 }, { 0: position + 1, 1: position + 1 }), 1)
    assert.equal(await seen('stored', {}, {}), 0)
  })

  it('a batch of the first partition has the token that it had before there were others', () => {
    assert.equal(batchToken({ partition: 0, from: 5, to: 9 }), 'log:5-9')
    assert.equal(batchToken({ partition: 1, from: 5, to: 9 }), 'log/1:5-9')
  })
})
