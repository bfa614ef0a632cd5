/** A source map that comes late keeps what people merged and split, and what it makes is given back with it. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { silentLogger } from '@sonde/base'
import { createIssueMoves, type Pipeline, startMoves } from '../../src/index.ts'
import type { LateMap } from '../reprocess/late-map.ts'
import {
  openReprocessingHarness,
  type ReprocessingHarness,
  until,
} from '../reprocess/reprocessing-harness.ts'
import { debugIdOf, type ScriptError, scriptError } from '../reprocess/script-error.ts'

let harness: ReprocessingHarness
let pipeline: Pipeline
let moves: ReturnType<typeof createIssueMoves>

describe('late source maps and what people merged', () => {
  before(async () => {
    harness = await openReprocessingHarness()
    pipeline = await harness.start()
    const { records, telemetry, clock } = harness
    moves = createIssueMoves({ records, telemetry, clock })
  })
  after(async () => {
    await pipeline.stop()
    await harness.close()
  })

  let names = 0
  const stored = async (errors: readonly Partial<ScriptError>[]) => {
    const at = ++names
    const project = await harness.createProject(`m${at}`)
    const debugId = debugIdOf(at)
    for (const [index, error] of errors.entries()) {
      const whole = { value: 'a broke', column: 400, debugId, ageMs: 60_000 - index * 100 }
      await harness.append(project, scriptError({ ...whole, ...error, id: at * 0x100 + index + 1 }))
    }
    await harness.stored(project, errors.length)
    return {
      project,
      debugId,
      ids: (await harness.issues(project)).map(({ id }) => id) as [number, number, number],
    }
  }
  const reprocessed = async (debugId: string, map: LateMap): Promise<void> => {
    const id = await harness.ask({ debugIds: [debugId] })
    const job = harness.startReprocessing(pipeline, map)
    await harness.finished(id)
    await job.stop()
  }
  const settled = async (project: number): Promise<void> => {
    const { records, telemetry, clock } = harness
    const job = startMoves({ records, telemetry, clock, logger: silentLogger, pipeline })
    await until(async () => {
      const open = await records
        .selectFrom('issue_move')
        .select('id')
        .where('project_id', '=', project)
        .where('finished_ms', 'is', null)
        .execute()
      return open.length === 0
    }, 'events have moved')
    await job.stop()
  }
  const merge = async (projectId: number, intoId: number, issueIds: readonly number[]): Promise<void> => {
    const done = await moves.merge({ projectId, intoId, issueIds, actor: 'user:u1' }, async () => undefined)
    assert.ok('into' in done)
    await settled(projectId)
  }
  const takeOut = async (
    projectId: number,
    issueId: number,
    { backTo, hashes = [] }: { readonly backTo?: number; readonly hashes?: readonly string[] },
  ) => {
    const done = await moves.takeOut({ projectId, issueId, hashes, backTo }, async () => undefined)
    assert.ok('to' in done, JSON.stringify(done))
    await settled(projectId)
    return done.to
  }
  /** Number → events, of issues that have some. */
  const counts = async (project: number): Promise<Record<number, number>> =>
    Object.fromEntries(
      (await harness.issues(project))
        .filter(({ event_count: count }) => count > 0)
        .map(({ short_number: number, event_count: count }) => [number, count]),
    )
  const A = { value: 'a broke', column: 400 }
  const B = { value: 'b broke', column: 500 }

  it('the merged stay one, and each gets back the fingerprint that took the place of its own', async () => {
    const { project, debugId, ids } = await stored([A, A, B])
    await merge(project, ids[0], [ids[1]])
    await reprocessed(debugId, { 400: 'pay', 500: 'total' })
    assert.deepEqual(await counts(project), { 1: 3 })
    assert.deepEqual(await harness.misplaced(project), [])
    await takeOut(project, ids[0], { backTo: ids[1] })
    assert.deepEqual(await counts(project), { 1: 2, 2: 1 })
    assert.deepEqual(await harness.misplaced(project), [])
  })

  it('what was split off stays apart, also from what it is readable as', async () => {
    const { project, debugId, ids } = await stored([A, A, B])
    await merge(project, ids[0], [ids[1]])
    const rows = await harness.telemetry.query<{ hashes: readonly string[] }>(
      `SELECT hashes FROM events WHERE project_id = {project:UInt32} AND exception_value = 'b broke'`,
      { project },
    )
    const split = await takeOut(project, ids[0], { hashes: rows[0]?.hashes ?? [] })
    assert.deepEqual(await counts(project), { 1: 2, [split.shortNumber]: 1 })
    await reprocessed(debugId, { 400: 'pay', 500: 'total' })
    assert.deepEqual(await counts(project), { 1: 2, [split.shortNumber]: 1 })
    assert.deepEqual(await harness.misplaced(project), [])
  })

  it('what was deleted and can be restored is left as it is', async () => {
    const { project, debugId, ids } = await stored([A, B])
    const done = await moves.delete(
      { projectId: project, issueIds: [ids[0]], discard: false, actor: 'user:u1' },
      async () => undefined,
    )
    assert.ok('deletedId' in done)
    await reprocessed(debugId, { 400: 'pay', 500: 'pay' })
    const deletedId = done.deletedId ?? 0
    await moves.restore({ projectId: project, deletedId, actor: 'user:u1' }, async () => undefined)
    await settled(project)
    assert.deepEqual(await counts(project), { 1: 1, 2: 1 })
    assert.deepEqual(await harness.misplaced(project), [])
  })

  it('asked again, and after the merge was taken back, it changes nothing more', async () => {
    const { project, debugId, ids } = await stored([A, B])
    const map = { 400: 'pay', 500: 'total' }
    await reprocessed(debugId, map)
    await merge(project, ids[0], [ids[1]])
    await reprocessed(debugId, map)
    assert.deepEqual(await counts(project), { 1: 2 })
    await takeOut(project, ids[0], { backTo: ids[1] })
    await reprocessed(debugId, map)
    assert.deepEqual(await counts(project), { 1: 1, 2: 1 })
    assert.deepEqual(await harness.misplaced(project), [])
  })

  it('a run that is asked for while rows move waits, and both are right in the end', async () => {
    const { project, debugId, ids } = await stored([A, A, B])
    const done = await moves.merge(
      { projectId: project, intoId: ids[0], issueIds: [ids[1]], actor: 'user:u1' },
      async () => undefined,
    )
    assert.ok('into' in done)
    const id = await harness.ask({ debugIds: [debugId] })
    const job = harness.startReprocessing(pipeline, { 400: 'pay', 500: 'pay' })
    await settled(project)
    await harness.finished(id)
    await job.stop()
    assert.deepEqual(await counts(project), { 1: 3 })
    assert.deepEqual(await harness.misplaced(project), [])
  })
})
