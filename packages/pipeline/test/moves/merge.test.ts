/** What people merge is one issue at once, its events follow, and given back it is as it was. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { RunningJob } from '@sonde/jobs'
import type { Pipeline } from '../../src/index.ts'
import { type MovesHarness, openMovesHarness } from './moves-harness.ts'

let harness: MovesHarness
let pipeline: Pipeline
let job: RunningJob
const noted: string[] = []

describe('issues that people merge', () => {
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

  const merge = async (project: number, into: number, others: readonly number[]) => {
    const ids = await Promise.all(others.map((number) => harness.issue(project, number)))
    const { id: intoId } = await harness.issue(project, into)
    return harness.moves.merge(
      { projectId: project, intoId, issueIds: ids.map(({ id }) => id), actor: 'user:u1' },
      async (_, { into: target, merged }) => {
        noted.push(`${merged.map(({ shortNumber }) => shortNumber).join('+')} into ${target.shortNumber}`)
      },
    )
  }
  const giveBack = async (project: number, from: number, back: number) => {
    const [{ id: issueId }, { id: backTo }] = await Promise.all([
      harness.issue(project, from),
      harness.issue(project, back),
    ])
    return harness.moves.takeOut({ projectId: project, issueId, hashes: [], backTo }, async () => undefined)
  }
  const settled = (project: number): Promise<void> => {
    job.wake()
    return harness.settled(project)
  }
  const hashOf = async (project: number, kind: string): Promise<string> => {
    const [row] = await harness.telemetry.query<{ hash: string }>(
      'SELECT hashes[1] AS hash FROM events WHERE project_id = {project:UInt32} AND exception_type = {kind:String} LIMIT 1',
      { project, kind },
    )
    return row?.hash ?? ''
  }

  it('count as one at once, take new events, and have all events in the end', async () => {
    const project = await harness.createProject('merge')
    await harness.send(project, ['A', 'A', 'B', 'B', 'B', 'C'])
    await job.stop()
    await merge(project, 1, [2, 3])
    assert.deepEqual(await harness.counts(project), { 1: 6 })
    await harness.send(project, ['B', 'C'])
    assert.deepEqual(await harness.counts(project), { 1: 8 })
    job = harness.startMoves(pipeline)
    await settled(project)
    assert.deepEqual(await harness.stored(project), { 1: { A: 2, B: 4, C: 2 } })
    assert.deepEqual(await harness.misplaced(project), [])
    assert.deepEqual(noted, ['2+3 into 1'])
    const redirects = await harness.records
      .selectFrom('issue_redirect')
      .select('short_number')
      .where('project_id', '=', project)
      .orderBy('short_number')
      .execute()
    assert.deepEqual(
      redirects.map((row) => row.short_number),
      [2, 3],
    )
  })

  it('are as before when they are given back, in whichever order', async () => {
    const project = await harness.createProject('back')
    await harness.send(project, ['A', 'A', 'B', 'B', 'B', 'C'])
    await harness.records
      .updateTable('issue')
      .set({ status: 'ignored', substatus: 'archived_forever' })
      .where('project_id', '=', project)
      .where('short_number', '=', 2)
      .execute()
    const issues = await harness.issues(project)
    await merge(project, 2, [1, 3])
    assert.equal((await harness.issue(project, 2)).status, 'unresolved')
    await settled(project)
    await giveBack(project, 2, 1)
    await giveBack(project, 2, 3)
    assert.deepEqual(await harness.issues(project), issues)
    await settled(project)
    assert.deepEqual(await harness.stored(project), { 1: { A: 2 }, 2: { B: 3 }, 3: { C: 1 } })
    assert.deepEqual(await harness.misplaced(project), [])
    for (const table of ['issue_merge', 'issue_merge_base', 'issue_redirect'] as const) {
      const left = await harness.records
        .selectFrom(table)
        .innerJoin('issue', 'issue.id', table === 'issue_redirect' ? 'into_issue_id' : `${table}.issue_id`)
        .select('issue.id')
        .where('issue.project_id', '=', project)
        .execute()
      assert.deepEqual(left, [], table)
    }
  })

  it('given back while events are on their way end where their fingerprints lead', async () => {
    const project = await harness.createProject('hurry')
    await harness.send(project, ['A', 'B', 'B', 'C'])
    await job.stop()
    const issues = await harness.issues(project)
    await merge(project, 1, [2])
    await merge(project, 3, [1])
    await giveBack(project, 3, 1)
    await giveBack(project, 1, 2)
    assert.deepEqual(await harness.issues(project), issues)
    job = harness.startMoves(pipeline)
    await settled(project)
    assert.deepEqual(await harness.stored(project), { 1: { A: 1 }, 2: { B: 2 }, 3: { C: 1 } })
    assert.deepEqual(await harness.misplaced(project), [])
  })

  it('can be split by fingerprint into a new issue with the state of the whole', async () => {
    const project = await harness.createProject('split')
    await harness.send(project, ['A', 'A', 'B', 'C'])
    await merge(project, 1, [2, 3])
    await settled(project)
    const { id: issueId } = await harness.issue(project, 1)
    const hashes = [await hashOf(project, 'A')]
    const done = await harness.moves.takeOut(
      { projectId: project, issueId, hashes, backTo: undefined },
      async () => undefined,
    )
    assert.ok('to' in done)
    assert.equal(done.to.shortNumber, 4)
    assert.deepEqual(await harness.counts(project), { 1: 2, 4: 2 })
    await settled(project)
    assert.deepEqual(await harness.stored(project), { 1: { B: 1, C: 1 }, 4: { A: 2 } })
    await giveBack(project, 1, 2)
    assert.deepEqual(await giveBack(project, 1, 3), { refused: 'nothing_left' })
    await settled(project)
    assert.deepEqual(await harness.stored(project), { 1: { C: 1 }, 2: { B: 1 }, 4: { A: 2 } })
  })

  it('of which one is gone are refused', async () => {
    const project = await harness.createProject('gone')
    await harness.send(project, ['A', 'B'])
    await merge(project, 1, [2])
    assert.deepEqual(await merge(project, 1, [2]), { refused: 'gone' })
    assert.deepEqual(await merge(project, 2, [1]), { refused: 'gone' })
  })
})
