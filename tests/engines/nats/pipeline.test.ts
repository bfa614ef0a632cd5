/**
 * Several processes work on one log, with records on PostgreSQL: each partition by one of them, and another goes on when that
 * dies. Issues are merged while all of them work.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLogger as logger, systemClock as clock } from '@sonde/base'
import { encodeIntakeHead } from '@sonde/log'
import { inspectNats } from '@sonde/log/nats'
import { openRecords, openTelemetry, type Telemetry, writeTransaction } from '@sonde/stores'
import { type MergeEnd, mergeIssue } from '../../../packages/pipeline/src/reprocess/merge-issues.ts'
import { errorEnvelope, eventIdOf } from '../../../packages/pipeline/test/commit/harness.ts'
import { startClickHouse, type TestServers } from '../../harness/servers/clickhouse.ts'
import { type NatsServers, startNats } from '../../harness/servers/nats.ts'
import { createMigratedDatabase, type TestDatabase } from '../../harness/servers/postgres-databases.ts'
import type { ChildOptions } from './pipeline-child.ts'
import { type NatsLogs, temporaryNatsLog } from './temporary-nats-log.ts'
import { until } from './until.ts'

const PARTITIONS = 4
const PROJECTS = 6
const KINDS = 5
const MERGES = 12
const MERGED_WITHIN_MS = 5_000
const REPROCESSING = { id: 1, org_id: 1, actor: 'user:u1' }
// The modules of a process are read first, on a machine that is busy with other tests.
const START_MS = 60_000
// The lease of who died, the next look, and the start of the work.
const MOVED_WITHIN_MS = 10_000

type Owner = { readonly child: ChildProcess; partitions(): readonly number[] }

describe('two processes, a log on NATS and records on PostgreSQL', () => {
  let nats: NatsServers
  let clickhouse: TestServers
  let log: NatsLogs
  let database: TestDatabase
  let records: Awaited<ReturnType<typeof openRecords>>
  let telemetry: Telemetry
  let projects: number[]
  const dir = mkdtempSync(join(tmpdir(), 'sonde-owners-'))
  const owners: Owner[] = []

  const startOwner = (): Owner => {
    const { prefix = '' } = log.options
    const options: ChildOptions = {
      dir,
      place: database,
      nats: { url: nats.url, prefix, partitions: PARTITIONS },
      clickhouse: clickhouse.url,
    }
    const child = fork(new URL('pipeline-child.ts', import.meta.url), [JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    let partitions: readonly number[] = []
    child.on('message', (now: readonly number[]) => (partitions = now))
    const owner = { child, partitions: () => partitions }
    owners.push(owner)
    return owner
  }

  before(async () => {
    ;[nats, clickhouse, database] = await Promise.all([
      startNats(),
      startClickHouse(),
      createMigratedDatabase(),
    ])
    records = await openRecords(database, { logger })
    projects = await createProjects(records.db)
    telemetry = await openTelemetry({ url: clickhouse.url }, { logger })
    log = await temporaryNatsLog(nats.url, { partitions: PARTITIONS })
  })
  after(async () => {
    for (const { child } of owners) child.kill('SIGKILL')
    await telemetry?.close()
    await records?.close()
    await log?.dispose()
    await database?.drop()
    await Promise.all([nats?.stop(), clickhouse?.stop()])
    rmSync(dir, { recursive: true, force: true })
  })

  it('divide the partitions; kill -9 of one under load moves its own to the other, and nothing is lost or doubled', async (context) => {
    const pouring = pour(log, projects)
    const [first, second] = [startOwner(), startOwner()]
    await until(
      () => first.partitions().length === 2 && second.partitions().length === 2,
      'each has half',
      START_MS,
    )
    assert.equal(new Set([...first.partitions(), ...second.partitions()]).size, PARTITIONS)

    const killedMs = performance.now()
    first.child.kill('SIGKILL')
    await until(() => second.partitions().length === PARTITIONS, 'the other has all')
    const movedMs = performance.now() - killedMs
    context.diagnostic(`after a kill all partitions had an owner again within ${Math.round(movedMs)} ms`)
    assert.ok(movedMs < MOVED_WITHIN_MS)
    const third = startOwner()
    await until(() => third.partitions().length === 2, 'who comes gets its share', START_MS)

    const stoppedMs = performance.now()
    second.child.kill('SIGTERM')
    await until(() => third.partitions().length === PARTITIONS, 'what was given back is taken')
    context.diagnostic(`after a good stop within ${Math.round(performance.now() - stoppedMs)} ms`)

    const sent = await pouring.stop()
    await until(isEmpty, 'all is committed')
    const count = async (what: string, table: string) =>
      Number((await telemetry.query<{ n: number }>(`SELECT ${what} AS n FROM ${table}`))[0]?.n)
    context.diagnostic(`${sent} events`)
    assert.equal(await count('count()', 'events'), sent)
    assert.equal(await count('uniqExact(event_id)', 'events'), sent)
    assert.equal(await count('count()', 'event_index'), sent)
    assert.equal(await count('sum(quantity)', 'outcomes'), sent)
    const issues = await records.db.selectFrom('issue').select('event_count').execute()
    assert.equal(issues.length, PROJECTS * KINDS)
    assert.equal(
      issues.reduce((sum, issue) => sum + issue.event_count, 0),
      sent,
    )
  })

  it('go on while issues become part of others, and no event is left behind or counted elsewhere', async (context) => {
    const [busy = 0, samples = 0] = projects
    const into = await issueOfKind('Kind0', busy)
    let kind = 'Kind0'
    const pouring = pour(log, projects, (projectId) => (projectId === busy ? kind : 'Kind1'))
    // The hashes of what comes: they are the same in all projects.
    for (let round = 0; round < MERGES; round++)
      await append(log, samples, 0x1_000_000 + round, `Emptied${round}`)
    await until(async () => (await hashesOf(samples)).length >= KINDS + MERGES, 'all kinds are known')
    startOwner()
    await until(
      () => owners.filter(({ partitions }) => partitions().length === PARTITIONS / 2).length === 2,
      'each has half',
      START_MS,
    )
    let longestMs = 0
    let waits = 0
    const ends: MergeEnd[] = []
    for (let round = 0; round < MERGES; round++) {
      const issueId = await createEmptied(busy, samples, `Emptied${round}`)
      kind = `Emptied${round}`
      // At any time of a batch: before, while and after the first events of it come.
      const from = pouring.sent()
      await until(() => pouring.sent() >= from + ((round * 37) % 110), 'some are sent')
      const beganMs = performance.now()
      for (;;) {
        const needs = { records: records.db, telemetry, clock, signal: new AbortController().signal }
        const end = await mergeIssue(needs, REPROCESSING, { issueId, intoId: into }, async () => undefined)
        if (end !== 'waits') {
          ends.push(end)
          break
        }
        waits++
      }
      longestMs = Math.max(longestMs, performance.now() - beganMs)
    }
    const sent = await pouring.stop()
    const merged = ends.filter((end) => end === 'merged').length
    context.diagnostic(
      `${sent} events; ${merged} of ${MERGES} merged, the others got events; the longest took ${Math.round(longestMs)} ms, ${waits} tried again`,
    )
    assert.ok(merged > 0)
    assert.ok(longestMs < MERGED_WITHIN_MS)
    await until(isEmpty, 'all is committed')
    const stored = await telemetry.query<{ issue: number; n: number }>(
      `SELECT issue_id AS issue, count() AS n FROM events WHERE project_id = {project:UInt32} GROUP BY issue_id ORDER BY issue_id`,
      { project: busy },
    )
    const issues = await records.db
      .selectFrom('issue')
      .select(['id as issue', 'event_count as n'])
      .where('project_id', '=', busy)
      .where('event_count', '>', 0)
      .orderBy('id')
      .execute()
    assert.deepEqual(issues, stored)
    assert.deepEqual(await records.db.selectFrom('project_hold').selectAll().execute(), [])
  })

  const isEmpty = async (): Promise<boolean> =>
    (await inspectNats(log.options)).partitions.every((partition) => partition.records === 0)
  const issueOfKind = async (kind: string, projectId: number): Promise<number> =>
    (
      await records.db
        .selectFrom('issue')
        .select('id')
        .where('project_id', '=', projectId)
        .where('title', '=', titleOf(kind))
        .executeTakeFirstOrThrow()
    ).id
  const hashesOf = (projectId: number) =>
    records.db
      .selectFrom('issue_hash')
      .innerJoin('issue', 'issue.id', 'issue_hash.issue_id')
      .select(['issue_hash.hash', 'issue.title'])
      .where('issue.project_id', '=', projectId)
      .execute()
  /** An issue whose events all went elsewhere; what comes with its hash is its. */
  const createEmptied = async (projectId: number, samples: number, kind: string): Promise<number> => {
    const hashes = (await hashesOf(samples)).filter((row) => row.title === titleOf(kind))
    const model = await issueOfKind(kind, samples)
    return await writeTransaction(records.db, async (tx) => {
      const { id: _, ...issue } = await tx
        .selectFrom('issue')
        .selectAll()
        .where('id', '=', model)
        .executeTakeFirstOrThrow()
      const values = { ...issue, project_id: projectId, short_number: 10_000 + model, event_count: 0 }
      const { id } = await tx.insertInto('issue').values(values).returning('id').executeTakeFirstOrThrow()
      for (const { hash } of hashes)
        await tx.insertInto('issue_hash').values({ project_id: projectId, hash, issue_id: id }).execute()
      return id
    })
  }
})

async function createProjects(db: Awaited<ReturnType<typeof openRecords>>['db']): Promise<number[]> {
  const org = { slug: 'a', name: 'a', created_ms: 0 }
  const { id } = await db.insertInto('organization').values(org).returning('id').executeTakeFirstOrThrow()
  const projects: number[] = []
  for (let at = 0; at < PROJECTS; at++) {
    const values = { org_id: id, slug: `p${at}`, name: 'p', platform: 'node', created_ms: 0 }
    projects.push(
      (await db.insertInto('project').values(values).returning('id').executeTakeFirstOrThrow()).id,
    )
  }
  return projects
}

/** About 250 events a second for all projects in turn. `stop` says how many there were, each acknowledged. */
function pour(
  log: NatsLogs,
  projects: readonly number[],
  kindOf = (_: number, id: number): string => `Kind${Math.floor(id / projects.length) % KINDS}`,
) {
  let sent = 0
  const firstId = nextId
  const stopping = new AbortController()
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const burst = Array.from({ length: 5 }, () => {
        const id = sent++
        const projectId = projects[id % projects.length] ?? 0
        return append(log, projectId, firstId + id, kindOf(projectId, id))
      })
      await Promise.all(burst)
      await sleep(20)
    }
  }
  const running = run()
  return {
    sent: () => sent,
    async stop() {
      stopping.abort()
      await running
      nextId += sent
      return sent
    },
  }
}

const titleOf = (kind: string): string => `${kind}: it broke`

let nextId = 0

function append({ writer }: NatsLogs, projectId: number, id: number, kind: string): Promise<void> {
  const eventId = eventIdOf(id)
  const meta = { v: 1, kind: 'envelope', receivedMs: Date.now(), projectId, keyId: 1, eventId } as const
  return writer.append(encodeIntakeHead(meta), Buffer.from(errorEnvelope(id, kind)), projectId)
}
