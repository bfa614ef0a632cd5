/** `kill -9` in the midst of a reprocessing run, while events go on to arrive: each event is there once, where it belongs. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { silentLogger as logger } from '@sonde/base'
import { encodeIntakeRecord, openLogWriter } from '@sonde/log'
import { openRecords, openTelemetry, type Records } from '@sonde/stores'
import type { ReprocessingStep } from '../../src/reprocess/reprocessing-step.ts'
import { until } from './reprocessing-harness.ts'
import { debugIdOf, scriptError } from './script-error.ts'

/** Where stores could disagree; each start of a process takes its time. */
const KILLED_AFTER: readonly ReprocessingStep[] = [
  'planned',
  'events',
  'event_index',
  'events_deleted',
  'counted',
]
const FIRST = 150
const WITH_EACH_KILL = 3
const COLUMNS = [400, 401, 402] as const
const VALUES = ['a broke', 'b broke', 'c broke', 'd broke'] as const

it('kill -9 between the stores loses nothing, doubles nothing, and leaves one issue for each error', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'sonde-reprocess-kill-'))
  const { db, close } = await openRecords({ file: join(dir, 'records.sqlite') }, { logger })
  const { orgId, projectId } = await createProject(db)
  const writer = await openLogWriter({ dir: join(dir, 'log'), logger })
  let sent = 0
  const send = async (count: number): Promise<void> => {
    for (let n = 0; n < count; n++) {
      const id = sent++
      const error = {
        id: id + 1,
        value: VALUES[id % 4] ?? '',
        column: COLUMNS[id % 3] ?? 0,
        debugId: debugIdOf(1),
      }
      const meta = { v: 1, kind: 'envelope', receivedMs: Date.now(), projectId, keyId: 1 } as const
      await writer.append(encodeIntakeRecord(meta, Buffer.from(scriptError(error))))
    }
  }
  const isCommitted = async (): Promise<boolean> => {
    const row = await db.selectFrom('pipeline_state').select('position').executeTakeFirst()
    return (row?.position ?? 0) >= writer.stats().durablePosition
  }

  await send(FIRST)
  const filling = startChild(dir)
  await until(isCommitted, 'the first events are committed')
  filling.kill('SIGKILL')
  await once(filling, 'exit')
  await db
    .insertInto('repair')
    .values({
      org_id: orgId,
      cause: 'upload',
      actor: 'user:u1',
      target: JSON.stringify({ debugIds: [debugIdOf(1)], projectIds: [projectId] }),
      requested_ms: 0,
      started_ms: null,
      finished_ms: null,
      total_count: null,
    })
    .execute()
  for (const step of KILLED_AFTER) {
    const child = startChild(dir)
    // A step that was passed for good does not come again: then it ends with the reprocessing run.
    child.on('message', (now) => (now === step || now === 'finished') && child.kill('SIGKILL'))
    await send(WITH_EACH_KILL)
    await until(
      async () => child.exitCode !== null || child.signalCode !== null || (await isFinished(db)),
      `it is killed at ${step}`,
    )
    child.kill('SIGKILL')
    if (child.signalCode === null && child.exitCode === null) await once(child, 'exit')
  }
  // What came while it was reprocessed was processed without the map, as if nobody knew it yet: reprocessed by another.
  await db.updateTable('repair').set({ finished_ms: null, started_ms: null, cursor: '' }).execute()
  const last = startChild(dir)
  await until(async () => (await isCommitted()) && (await isFinished(db)), 'it is finished')
  last.kill('SIGTERM')
  await once(last, 'exit')
  await writer.close()

  const telemetry = await openTelemetry({ dir: join(dir, 'telemetry') }, { logger })
  const numbers = async (sql: string) =>
    Object.values((await telemetry.query<Record<string, number>>(sql))[0] ?? {})
  assert.deepEqual(await numbers('SELECT count(), uniqExact(event_id) FROM events'), [sent, sent])
  assert.deepEqual(await numbers('SELECT count(), uniqExact(event_id) FROM event_index'), [sent, sent])
  assert.deepEqual(
    await numbers(
      'SELECT count() FROM events AS e INNER JOIN event_index AS i ON e.event_id = i.event_id AND e.issue_id = i.issue_id',
    ),
    [sent],
  )
  const stored = await telemetry.query<{ title: string; issue: number; n: number }>(
    'SELECT any(title) AS title, issue_id AS issue, count() AS n FROM events GROUP BY issue_id ORDER BY title',
  )
  await telemetry.close()
  const issues = await db
    .selectFrom('issue')
    .select(['id', 'title', 'event_count'])
    .orderBy('title')
    .execute()
  await close()
  assert.deepEqual(
    issues.map((issue) => [issue.title, issue.id, issue.event_count]),
    stored.map(({ title, issue, n }) => [title, issue, n]),
  )
  assert.deepEqual(
    issues.map(({ title, event_count }) => [title, event_count]),
    [
      ['in pay', countOf(sent, 0)],
      ['in ship', countOf(sent, 2)],
      ['in total', countOf(sent, 1)],
    ],
  )
  await rm(dir, { recursive: true, force: true })
})

const countOf = (sent: number, column: number): number => Math.ceil((sent - column) / COLUMNS.length)

async function isFinished(db: Records): Promise<boolean> {
  const row = await db.selectFrom('repair').select('finished_ms').executeTakeFirst()
  return row !== undefined && row.finished_ms !== null
}

function startChild(dir: string): ChildProcess {
  return fork(new URL('kill-child.ts', import.meta.url), [dir], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

async function createProject(db: Records): Promise<{ orgId: number; projectId: number }> {
  const org = { slug: 'a', name: 'a', created_ms: 0 }
  const { id: orgId } = await db
    .insertInto('organization')
    .values(org)
    .returning('id')
    .executeTakeFirstOrThrow()
  const values = { org_id: orgId, slug: 'p', name: 'p', platform: 'javascript', created_ms: 0 }
  const { id: projectId } = await db
    .insertInto('project')
    .values(values)
    .returning('id')
    .executeTakeFirstOrThrow()
  return { orgId, projectId }
}
