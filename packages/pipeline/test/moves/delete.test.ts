/** Deleted issues come back within their day as they were, and leave nothing behind after it; what is discarded is dropped and counted, also when its batch is repeated. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { RunningJob } from '@sonde/jobs'
import { purgeIssues, writeTransaction } from '@sonde/stores'
import type { Pipeline } from '../../src/index.ts'
import { errorEnvelope, eventIdOf } from '../commit/harness.ts'
import { type MovesHarness, openMovesHarness, until } from './moves-harness.ts'

let harness: MovesHarness
let pipeline: Pipeline
let job: RunningJob

const remove = (projectId: number, issueIds: readonly number[], discard: boolean) =>
  harness.moves.delete({ projectId, issueIds, discard, actor: 'user:u1' }, async () => undefined)

const restore = (projectId: number, deletedId: number | undefined) =>
  harness.moves.restore({ projectId, deletedId: deletedId ?? 0, actor: 'user:u1' }, async () => undefined)

const isDeleted = async (project: number): Promise<void> => {
  job.wake()
  await until(async () => {
    const open = await harness.records
      .selectFrom('issue_deletion')
      .select('id')
      .where('project_id', '=', project)
      .where('finished_ms', 'is', null)
      .execute()
    return open.length === 0
  }, 'everything is deleted')
}

describe('issues that are deleted', () => {
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

  it('and their day is over take events, files and those of merged ones along', async () => {
    const project = await harness.createProject('delete')
    await harness.send(project, ['A', 'A', 'B', 'C'])
    const [a, b, c] = (await harness.issues(project)).map(({ id }) => id) as [number, number, number]
    const [event] = await harness.telemetry.query<{ id: string }>(
      `SELECT toString(event_id) AS id FROM events WHERE project_id = {project:UInt32} AND exception_type = 'B'`,
      { project },
    )
    const blob = `attachments/${project}/file`
    await harness.records
      .insertInto('attachment')
      .values({
        project_id: project,
        event_id: event?.id ?? '',
        name: 'log.txt',
        content_type: 'text/plain',
        attachment_type: 'event.attachment',
        shown_as: 'text/plain',
        bytes: 3,
        sha1: '',
        sha256: '',
        blob,
        log_position: 1_000_000 + project,
        item_index: 0,
        created_ms: 0,
      })
      .execute()
    await harness.moves.merge(
      { projectId: project, intoId: a, issueIds: [b], actor: 'user:u1' },
      async () => undefined,
    )
    job.wake()
    await harness.settled(project)
    const done = await remove(project, [a], false)
    assert.ok('events' in done)
    assert.equal(done.events, 3)
    assert.deepEqual(await harness.stored(project), { 1: { A: 2, B: 1 }, 3: { C: 1 } })
    await writeTransaction(harness.records, (tx) => purgeIssues(tx, done.deletedId ?? 0, 1))
    assert.deepEqual(
      (await harness.issues(project)).map(({ id }) => id),
      [c],
    )
    await isDeleted(project)
    assert.deepEqual(await harness.stored(project), { 3: { C: 1 } })
    assert.deepEqual(await harness.misplaced(project), [])
    const files = await harness.records
      .selectFrom('attachment')
      .select('id')
      .where('project_id', '=', project)
      .execute()
    assert.deepEqual(files, [])
    const garbage = await harness.records
      .selectFrom('blob_garbage')
      .select('name')
      .where('name', '=', blob)
      .execute()
    assert.equal(garbage.length, 1)
    await harness.send(project, ['A'])
    assert.deepEqual(await harness.counts(project), { 3: 1, 4: 1 })
  })

  it('are restored with all they had', async () => {
    const project = await harness.createProject('restore')
    await harness.send(project, ['A', 'A', 'B', 'C'])
    const [a, b] = (await harness.issues(project)).map(({ id }) => id) as [number, number]
    await harness.moves.merge(
      { projectId: project, intoId: a, issueIds: [b], actor: 'user:u1' },
      async () => undefined,
    )
    job.wake()
    await harness.settled(project)
    const state = async () => ({
      issues: await harness.issues(project),
      stored: await harness.stored(project),
      hashes: await harness.records
        .selectFrom('issue_hash')
        .selectAll()
        .where('project_id', '=', project)
        .orderBy('hash')
        .execute(),
    })
    const before = await state()
    const done = await remove(project, [a], false)
    assert.ok('deletedId' in done)
    const back = await restore(project, done.deletedId)
    const title = before.issues.find(({ id }) => id === a)?.title
    assert.deepEqual(back, { issues: [{ id: a, shortNumber: 1, title }], alike: [] })
    assert.deepEqual(await state(), before)
    assert.deepEqual(await restore(project, done.deletedId), { refused: 'gone' })
  })

  it('and come again make a new issue, which is merged into the restored one', async () => {
    const project = await harness.createProject('again')
    await harness.send(project, ['A', 'B'])
    const [a] = (await harness.issues(project)).map(({ id }) => id) as [number]
    const done = await remove(project, [a], false)
    assert.ok('deletedId' in done)
    await harness.send(project, ['A', 'A'])
    assert.deepEqual(await harness.counts(project), { 1: 1, 2: 1, 3: 2 })
    const newer = await harness.issue(project, 3)
    const back = await restore(project, done.deletedId)
    assert.ok('alike' in back)
    assert.deepEqual(back.alike, [{ intoId: a, issueIds: [newer.id] }])
    assert.deepEqual(await harness.counts(project), { 1: 3, 2: 1 })
    job.wake()
    await harness.settled(project)
    assert.deepEqual(await harness.stored(project), { 1: { A: 3 }, 2: { B: 1 } })
    assert.deepEqual(await harness.misplaced(project), [])
    await harness.send(project, ['A'])
    assert.deepEqual(await harness.counts(project), { 1: 4, 2: 1 })
  })

  it('wait while events move', async () => {
    const project = await harness.createProject('moving')
    await harness.send(project, ['A', 'B'])
    await job.stop()
    const [a, b] = (await harness.issues(project)).map(({ id }) => id) as [number, number]
    await harness.moves.merge(
      { projectId: project, intoId: a, issueIds: [b], actor: 'user:u1' },
      async () => undefined,
    )
    assert.deepEqual(await remove(project, [a], false), { refused: 'moving' })
    job = harness.startMoves(pipeline)
    await harness.settled(project)
    assert.ok('events' in (await remove(project, [a], false)))
  })

  it('and discarded drop what comes like them, each counted once, until somebody stops that', async () => {
    const project = await harness.createProject('discard')
    await harness.send(project, ['A', 'B'])
    const [a] = (await harness.issues(project)).map(({ id }) => id) as [number]
    await remove(project, [a], true)
    await isDeleted(project)
    await harness.append(project, errorEnvelope(0xd15c01, 'A'))
    await harness.append(project, errorEnvelope(0xd15c02, 'A'))
    await harness.send(project, ['B'])
    assert.deepEqual(await harness.stored(project), { 2: { B: 2 } })
    assert.equal((await harness.outcomes(project))['error/filtered/discarded_hash'], 2)
    const rows = await harness.records
      .selectFrom('discarded_hash')
      .select(['short_number', 'title', 'dropped_count'])
      .where('project_id', '=', project)
      .execute()
    assert.deepEqual(rows, [{ short_number: 1, title: 'A: it broke', dropped_count: 2 }])
    await harness.records.deleteFrom('discarded_hash').where('project_id', '=', project).execute()
    await harness.send(project, ['A'])
    assert.deepEqual(await harness.counts(project), { 2: 2, 3: 1 })
  })

  it('and discarded between a crash and its repeat change nothing of the batch', async () => {
    const project = await harness.createProject('repeat')
    await harness.send(project, ['A'])
    const [a] = (await harness.issues(project)).map(({ id }) => id) as [number]
    await remove(project, [a], true)
    await isDeleted(project)
    await pipeline.stop()
    let crashed = false
    pipeline = await harness.start({
      backoff: { firstMs: 1, longestMs: 1 },
      afterStep(step: string) {
        if (step !== 'outcomes' || crashed) return
        crashed = true
        throw new Error('crash')
      },
    } as never)
    await harness.append(project, errorEnvelope(0xd15c11, 'A'))
    await until(() => crashed, 'it crashes')
    await harness.records.deleteFrom('discarded_hash').where('project_id', '=', project).execute()
    await harness.send(project, ['B'])
    assert.equal((await harness.outcomes(project))['error/filtered/discarded_hash'], 1)
    assert.deepEqual(await harness.counts(project), { 2: 1 })
    const [row] = await harness.telemetry.query<{ n: number }>(
      'SELECT count() AS n FROM events WHERE event_id = {id:String}',
      { id: eventIdOf(0xd15c11) },
    )
    assert.equal(row?.n, 0)
  })
})
