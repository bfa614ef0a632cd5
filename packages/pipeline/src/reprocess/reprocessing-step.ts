/**
 * One step of a reprocessing run: a chunk of events, a merge of issues, or the end. May be interrupted anywhere and called again.
 * docs/internals/reprocessing.md
 */
import type { LogPositions, Records } from '@sonde/stores'
import { committedPositions } from '../commit/pipeline-state.ts'
import { finishChunk } from './finish-chunk.ts'
import { countEventsOf, type ScanRange } from './gather-events.ts'
import { mergeIssue } from './merge-issues.ts'
import { planChunk } from './plan-chunk.ts'
import {
  type Emptied,
  finishReprocessing,
  type OpenReprocessing,
  readReprocessing,
  type ReprocessingCursor,
  type ReprocessingNeeds,
  saveCursor,
  type StepEnd,
} from './reprocessing-cursor.ts'
import { currentScan, scansOf, searchesOf } from './scans.ts'
import { finishRows, planRows } from './scrub-rows.ts'

export async function reprocessingStep(needs: ReprocessingNeeds, id: number): Promise<StepEnd> {
  const reprocessing = await readReprocessing(needs.records, id)
  if (!reprocessing) return 'done'
  const cursor = reprocessing.cursor ?? (await begin(needs, reprocessing))
  if (!reprocessing.cursor) await needs.afterStep('begun')
  if (cursor.lot) return finishChunk(needs, reprocessing, cursor, cursor.lot, undefined, [])
  if (cursor.rows) return finishRows(needs, reprocessing, cursor, cursor.rows)
  const [emptied] = cursor.emptied
  if (emptied) return mergeOne(needs, reprocessing, cursor, emptied)
  if (cursor.pass === 'late' && !(await isCommitted(needs.records, cursor.to))) return 'waits'
  if (!cursor.projectIds) {
    const { projectIds } = await lookAround(needs, reprocessing, cursor)
    await saveCursor(needs.records, reprocessing.id, { ...cursor, projectIds })
    return 'more'
  }
  const scans = scansOf(await searchesOf(needs.records, reprocessing), cursor.projectIds)
  const scan = currentScan(scans, cursor.place)
  if (!scan) return endPass(needs, reprocessing, cursor)
  if (scan.kind === 'rows') return planRows(needs, reprocessing, cursor, scans, scan)
  return planChunk(needs, reprocessing, cursor, scans, scan)
}

async function begin(needs: ReprocessingNeeds, reprocessing: OpenReprocessing): Promise<ReprocessingCursor> {
  const { records, clock } = needs
  const range = {
    pass: 'stored',
    from: await committedPositions(records),
    maxIssueId: await newestIssue(records),
  } as const
  const { total, projectIds } = await lookAround(needs, reprocessing, range)
  const cursor: ReprocessingCursor = { ...range, projectIds, lots: 0, emptied: [] }
  await records
    .updateTable('repair')
    .set({ started_ms: clock.nowMs(), total_count: total, cursor: JSON.stringify(cursor) })
    .where('id', '=', reprocessing.id)
    .execute()
  return cursor
}

async function newestIssue(records: Records): Promise<number> {
  const row = await records
    .selectFrom('issue')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}

/** One question for all projects: most have no such event. */
async function lookAround(
  { records, telemetry }: ReprocessingNeeds,
  reprocessing: OpenReprocessing,
  range: ScanRange,
) {
  const projectIds = new Set<number>()
  let total = 0
  for (const search of await searchesOf(records, reprocessing))
    for (const found of await countEventsOf(telemetry, search, range)) {
      projectIds.add(found.projectId)
      total += found.events
    }
  return { total, projectIds: [...projectIds] }
}

async function isCommitted(records: Records, to: LogPositions = {}): Promise<boolean> {
  const committed = await committedPositions(records)
  return Object.entries(to).every(([partition, position]) => (committed[partition] ?? 0) >= position)
}

/** The second pass looks through what was processed before the first ended: then everybody knew the files. */
async function endPass(
  needs: ReprocessingNeeds,
  reprocessing: OpenReprocessing,
  cursor: ReprocessingCursor,
): Promise<StepEnd> {
  if (cursor.pass === 'late') {
    await finishReprocessing(needs.records, reprocessing, needs.clock.nowMs())
    await needs.afterStep('finished')
    return 'done'
  }
  const { from, lots } = cursor
  const readTo = await needs.pipeline.readTo()
  const reached: Record<string, number> = { ...from, ...(await committedPositions(needs.records)) }
  for (const [partition, position] of Object.entries(readTo))
    reached[partition] = Math.max(position, reached[partition] ?? 0)
  await saveCursor(needs.records, reprocessing.id, {
    pass: 'late',
    from,
    to: reached,
    maxIssueId: await newestIssue(needs.records),
    lots,
    emptied: [],
  })
  await needs.afterStep('pass_ended')
  return 'more'
}

async function mergeOne(
  needs: ReprocessingNeeds,
  reprocessing: OpenReprocessing,
  cursor: ReprocessingCursor,
  emptied: Emptied,
): Promise<StepEnd> {
  const { onChange, afterStep } = needs
  const project = await needs.records
    .selectFrom('issue')
    .select('project_id')
    .where('id', '=', emptied.issueId)
    .executeTakeFirst()
  const left = { ...cursor, emptied: cursor.emptied.slice(1) }
  const end = await mergeIssue(needs, reprocessing, emptied, (tx, how) =>
    saveCursor(tx, reprocessing.id, left, { merged: how === 'merged' ? 1 : 0 }),
  )
  if (end === 'waits') return 'waits'
  await afterStep('merged')
  if (end === 'merged' && project)
    onChange({
      projects: [project.project_id],
      issues: [emptied.issueId, emptied.intoId],
      created: [],
      regressed: [],
    })
  return 'more'
}

/** Where a reprocessing run may be interrupted: each step may be the last one before a crash. */
export const REPROCESSING_STEPS = [
  'begun',
  'read',
  'planned',
  'events',
  'event_index',
  'index_deleted',
  'events_deleted',
  'counted',
  'merged',
  'pass_ended',
  'finished',
] as const
/** The same of rows of other tables, when rules are applied to what is stored. */
export const ROW_STEPS = ['rows_planned', 'rows_inserted', 'rows_noted', 'rows_deleted'] as const
export type ReprocessingStep = (typeof REPROCESSING_STEPS | typeof ROW_STEPS)[number]
