/** Chosen events are deleted, had back within a day, or go for good with their files; a crash after each step harms nothing. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { RunningJob } from '@sonde/jobs'
import type { Pipeline } from '../../src/index.ts'
import { type MovesHarness, openMovesHarness, until } from './moves-harness.ts'

let harness: MovesHarness
let pipeline: Pipeline
let job: RunningJob

const remove = async (projectId: number, eventIds: readonly string[]) => {
  const done = await harness.moves.deleteEvents(
    { projectId, eventIds, actor: 'user:u1' },
    async () => undefined,
  )
  assert.ok('events' in done, JSON.stringify(done))
  return done
}
const restore = (projectId: number, deletionId: number) =>
  harness.moves.restoreEvents({ projectId, deletionId }, async () => undefined)

const stateOf = (id: number) =>
  harness.records.selectFrom('event_deletion').selectAll().where('id', '=', id).executeTakeFirst()

async function isIn(id: number, state: 'hidden' | undefined): Promise<void> {
  job.wake()
  await until(async () => (await stateOf(id))?.state === state, `the deletion is ${state ?? 'gone'}`)
}

const eventsOf = async (project: number, table = 'events') => {
  const rows = await harness.telemetry.query<{ id: string }>(
    `SELECT toString(event_id) AS id FROM ${table} WHERE project_id = {project:UInt32} ORDER BY timestamp, id`,
    { project },
  )
  return rows.map(({ id }) => id)
}
const issueOf = async (project: number) => {
  const [issue] = await harness.issues(project)
  assert.ok(issue)
  const { event_count, first_seen_ms, last_seen_ms, last_event_id } = await harness.records
    .selectFrom('issue')
    .select(['event_count', 'first_seen_ms', 'last_seen_ms', 'last_event_id'])
    .where('id', '=', issue.id)
    .executeTakeFirstOrThrow()
  return { event_count, first_seen_ms, last_seen_ms, last_event_id }
}

describe('chosen events that are deleted', () => {
  before(async () => {
    harness = await openMovesHarness()
    pipeline = await harness.start()
    job = harness.startMoves(pipeline)
  })
  after(async () => {
    await job.stop()
    await pipeline.stop()
    await harness.close()
  })

  it('count no more, are in no table that is read, and come back as they were', async () => {
    const project = await harness.createProject('chosen')
    await harness.send(project, ['A', 'A', 'A'])
    const [before, ids] = [await issueOf(project), await eventsOf(project)]
    const [first = '', second = '', third = ''] = ids
    const times = await harness.telemetry.query<{ ms: number }>(
      `SELECT toUnixTimestamp64Milli(timestamp) AS ms FROM events WHERE project_id = {project:UInt32} ORDER BY timestamp, event_id`,
      { project },
    )
    const { deletionId, events } = await remove(project, [first, third, 'f'.repeat(32)])
    assert.equal(events, 2)
    const left = await issueOf(project)
    assert.deepEqual(
      [left.event_count, left.first_seen_ms, left.last_seen_ms, left.last_event_id],
      [1, times[1]?.ms, times[1]?.ms, second],
    )
    await isIn(deletionId, 'hidden')
    assert.deepEqual(await eventsOf(project), [second])
    assert.deepEqual(await eventsOf(project, 'deleted_events'), [first, third])
    assert.deepEqual(await harness.misplaced(project), [])
    assert.ok('events' in (await restore(project, deletionId)))
    await isIn(deletionId, undefined)
    assert.deepEqual(await issueOf(project), before)
    assert.deepEqual(await eventsOf(project), ids)
    assert.deepEqual(await eventsOf(project, 'deleted_events'), [])
    assert.deepEqual(await harness.misplaced(project), [])
    assert.deepEqual(await restore(project, deletionId), { refused: 'gone' })
  })

  it('go for good with their files once the day is over', async () => {
    const project = await harness.createProject('purged')
    await harness.send(project, ['A', 'A'])
    const [first = '', second = ''] = await eventsOf(project)
    const blob = `attachments/${project}/chosen`
    await harness.records
      .insertInto('attachment')
      .values({
        project_id: project,
        event_id: first,
        name: 'log.txt',
        content_type: 'text/plain',
        attachment_type: 'event.attachment',
        shown_as: 'text/plain',
        bytes: 3,
        sha1: '',
        sha256: '',
        blob,
        log_position: 2_000_000 + project,
        item_index: 0,
        created_ms: 0,
      })
      .execute()
    const { deletionId } = await remove(project, [first])
    await isIn(deletionId, 'hidden')
    // As the sweep does once the day is over.
    await harness.records.deleteFrom('recently_deleted').where('id', '=', deletionId).execute()
    assert.deepEqual(await restore(project, deletionId), { refused: 'gone' })
    await isIn(deletionId, undefined)
    assert.deepEqual(await eventsOf(project), [second])
    assert.deepEqual(await eventsOf(project, 'deleted_events'), [])
    const garbage = await harness.records
      .selectFrom('blob_garbage')
      .select('name')
      .where('name', '=', blob)
      .execute()
    assert.equal(garbage.length, 1)
  })

  it('go for good with an issue that is gone by the time others are restored', async () => {
    const project = await harness.createProject('half')
    await harness.send(project, ['A', 'B'])
    const [stays = '', goes = ''] = await eventsOf(project)
    const { deletionId, issues } = await remove(project, [stays, goes])
    await isIn(deletionId, 'hidden')
    const [kept, other] = [await harness.issue(project, 1), await harness.issue(project, 2)]
    assert.deepEqual(new Set(issues), new Set([kept.id, other.id]))
    await harness.records.deleteFrom('issue').where('id', '=', other.id).execute()
    const done = await restore(project, deletionId)
    assert.deepEqual(done, { issues: [kept.id], events: 1 })
    await isIn(deletionId, undefined)
    assert.deepEqual([await eventsOf(project), await eventsOf(project, 'deleted_events')], [[stays], []])
    assert.deepEqual(await harness.misplaced(project), [])
  })

  it('are there once, whatever step is the last before a crash', async () => {
    const project = await harness.createProject('crashed')
    await harness.send(project, ['A', 'A', 'B'])
    const [before, ids] = [await issueOf(project), await eventsOf(project)]
    const crashAfterEach = async (steps: readonly string[]): Promise<void> => {
      await job.stop()
      for (const step of steps) {
        let crashed = false
        const crashing = harness.startMoves(pipeline, {
          afterStep(now) {
            if (now !== step || crashed) return
            crashed = true
            throw new Error('crash')
          },
        })
        await until(() => crashed, `it crashes after ${step}`)
        await crashing.stop()
      }
      job = harness.startMoves(pipeline)
    }
    await job.stop()
    const { deletionId } = await remove(project, ids)
    await crashAfterEach(['copied', 'noted', 'index_deleted', 'events_deleted'])
    await isIn(deletionId, 'hidden')
    assert.deepEqual(await eventsOf(project), [])
    assert.deepEqual(await eventsOf(project, 'deleted_events'), ids)
    await job.stop()
    await restore(project, deletionId)
    await crashAfterEach(['copied', 'noted', 'event_index', 'events_deleted'])
    await isIn(deletionId, undefined)
    assert.deepEqual(await issueOf(project), before)
    assert.deepEqual(await eventsOf(project), ids)
    assert.deepEqual(await harness.misplaced(project), [])
  })
})
