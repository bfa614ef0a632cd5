/**
 * One step of a repair: a lot of events, a merge of issues, or the end. May be interrupted anywhere and called again.
 * docs/internals/repairs.md
 */
import type { Clock } from '@sonde/base'
import type { Records, Telemetry } from '@sonde/stores'
import type { Pipeline } from '../start-pipeline.ts'
import { chooseIssues } from './choose-issues.ts'
import { readIssueFigures } from './issue-figures.ts'
import { mergeIssue } from './merge-issues.ts'
import { deltasOf, moveCounts } from './move-counts.ts'
import type { ChangedEvent, createGatherer } from './plan-lot.ts'
import { countScan, issuesThatStay } from './read-page.ts'
import type { ReadAnew, Redigest } from './redigest.ts'
import {
  type Emptied,
  keyOf,
  type Lot,
  type LotItem,
  type Moves,
  type RepairCursor,
} from './repair-cursor.ts'
import { finishRepair, type OpenRepair, readRepair, saveCursor } from './repair-row.ts'
import type { RepairStep } from './repair-steps.ts'
import { replaceRows } from './replace-rows.ts'
import { currentScan, type Scan, scanAfter, scansOf } from './scans.ts'
import { deleteRows } from './stored-lot.ts'

export type RepairNeeds = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'insert' | 'query' | 'command'>
  readonly clock: Clock
  readonly redigest: Redigest
  readonly pipeline: Pick<Pipeline, 'between' | 'state'>
  readonly gather: ReturnType<typeof createGatherer>
  /** After what was changed can be queried. */
  readonly onChange: (change: RepairChange) => void
  readonly afterStep: (step: RepairStep) => void | Promise<void>
  readonly signal: AbortSignal
}
export type RepairChange = {
  readonly projects: readonly number[]
  readonly issues: readonly number[]
  readonly created: readonly number[]
  readonly regressed: readonly number[]
}
/** `waits`: for the pipeline; to be called again a little later. */
export type StepEnd = 'more' | 'waits' | 'done'

export async function repairStep(needs: RepairNeeds, id: number): Promise<StepEnd> {
  const repair = await readRepair(needs.records, id)
  if (!repair) return 'done'
  const cursor = repair.cursor ?? (await begin(needs, repair))
  if (!repair.cursor) await needs.afterStep('begun')
  if (cursor.lot) return finishLot(needs, repair, cursor, cursor.lot, undefined, [])
  const [emptied] = cursor.emptied
  if (emptied) return mergeOne(needs, repair, cursor, emptied)
  const scans = await scansOf(needs.records, repair)
  const scan = currentScan(scans, cursor)
  if (!scan) return endPass(needs, repair, cursor)
  if (cursor.pass === 'late' && (await committedTo(needs.records)) < (cursor.toPosition ?? 0)) return 'waits'
  return planLot(needs, repair, cursor, scans, scan)
}

async function begin(needs: RepairNeeds, repair: OpenRepair): Promise<RepairCursor> {
  const { records, telemetry, clock } = needs
  const fromPosition = await committedTo(records)
  const newest = await records
    .selectFrom('issue')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  const maxIssueId = newest?.id ?? 0
  const cursor: RepairCursor = { pass: 'stored', fromPosition, maxIssueId, lots: 0, emptied: [] }
  let total = 0
  for (const scan of await scansOf(records, repair)) total += await countScan(telemetry, scan, cursor)
  await records
    .updateTable('repair')
    .set({ started_ms: clock.nowMs(), total_count: total, cursor: JSON.stringify(cursor) })
    .where('id', '=', repair.id)
    .execute()
  return cursor
}

async function committedTo(records: Records): Promise<number> {
  const row = await records.selectFrom('pipeline_state').select('position').executeTakeFirst()
  return row?.position ?? 0
}

/** The second pass looks through what was digested before the first ended: then everybody knew the files. */
async function endPass(needs: RepairNeeds, repair: OpenRepair, cursor: RepairCursor): Promise<StepEnd> {
  if (cursor.pass === 'late') {
    await finishRepair(needs.records, repair, needs.clock.nowMs())
    await needs.afterStep('finished')
    return 'done'
  }
  const { fromPosition, lots } = cursor
  const { readTo } = needs.pipeline.state()
  const newest = await needs.records
    .selectFrom('issue')
    .select((eb) => eb.fn.max('id').as('id'))
    .executeTakeFirst()
  await saveCursor(needs.records, repair.id, {
    pass: 'late',
    fromPosition,
    toPosition: Math.max(readTo, fromPosition),
    maxIssueId: newest?.id ?? 0,
    lots,
    emptied: [],
  })
  await needs.afterStep('pass_ended')
  return 'more'
}

async function planLot(
  needs: RepairNeeds,
  repair: OpenRepair,
  cursor: RepairCursor,
  scans: readonly Scan[],
  scan: Scan,
): Promise<StepEnd> {
  const { records, telemetry, clock, gather, afterStep } = needs
  const { kind, projectId } = scan
  const isSame = cursor.place?.kind === kind && cursor.place.projectId === projectId
  const here: RepairCursor = isSame ? cursor : { ...cursor, place: { kind, projectId } }
  const { changed, seen, standing, last } = await gather(needs, scan, here)
  await afterStep('read')
  const next = last ? undefined : scanAfter(scans, scan)
  const place = last ? { kind, projectId, after: placeOf(last) } : next ? placeOfScan(next) : PAST_ALL
  const { kept: before, ...reached } = { ...here, place }
  // Of the issue that the next lot goes on with, for it.
  const keeps = last && (before === last.issueId || standing.has(last.issueId))
  const onward: RepairCursor = { ...reached, ...(keeps && { kept: last.issueId }) }
  if (changed.length === 0) {
    await saveCursor(records, repair.id, onward, { seen })
    return 'more'
  }
  const issueIds = [...new Set(changed.map(({ event }) => event.issueId))]
  const others = await issuesThatStay(telemetry, scan, here, issueIds)
  const taken = others.union(standing)
  const planned = await records.transaction().execute(async (tx) => {
    const regrouped = changed.map(({ event, now }) => ({ ...event, hashes: now.hashes, issue: now.issue }))
    const chosen = await chooseIssues(tx, projectId, regrouped, { kept: before, taken }, clock.nowMs())
    if (chosen === 'project_gone') {
      await saveCursor(tx, repair.id, { ...onward, place: next ? placeOfScan(next) : PAST_ALL })
      return undefined
    }
    const lot: Lot = { projectId, items: itemsOf(changed, chosen.issueIds) }
    const cursorNow: RepairCursor = {
      ...onward,
      ...(last && chosen.kept === last.issueId && { kept: chosen.kept }),
      lot,
      lots: here.lots + 1,
    }
    await saveCursor(tx, repair.id, cursorNow, { seen })
    return { lot, cursor: cursorNow, created: chosen.created }
  })
  await afterStep('planned')
  if (!planned) return 'more'
  const digested = new Map(changed.map(({ event, now }) => [keyOf(event), now]))
  return finishLot(needs, repair, planned.cursor, planned.lot, digested, planned.created)
}

const placeOf = ({ issueId, timestampMs, eventId }: ChangedEvent['event']) => ({
  issueId,
  timestampMs,
  eventId,
})
const placeOfScan = ({ kind, projectId }: Scan) => ({ kind, projectId })
/** Behind every scan there can be. */
const PAST_ALL = { kind: 'release', projectId: 2 ** 40 - 1 } as const

const itemsOf = (changed: readonly ChangedEvent[], issueIds: readonly number[]): LotItem[] =>
  changed.map(({ event }, at) => {
    const { eventId, logPosition, itemIndex, timestampMs, receivedMs, revision, issueId: from } = event
    const to = issueIds[at] ?? from
    return { eventId, logPosition, itemIndex, timestampMs, receivedMs, revision, from, to }
  })

async function finishLot(
  needs: RepairNeeds,
  repair: OpenRepair,
  cursor: RepairCursor,
  lot: Lot,
  digested: ReadonlyMap<string, ReadAnew> | undefined,
  created: readonly number[],
): Promise<StepEnd> {
  const { records, telemetry, onChange, afterStep } = needs
  const { projectId } = lot
  const { lot: _, ...onward } = cursor
  if (await isGone(records, projectId)) return forget(needs, repair, onward, projectId)
  const present = await replaceRows(needs, lot, `repair:${repair.id}:${cursor.lots}`, digested)
  const deltas = deltasOf(present)
  const touched = [...deltas.keys()]
  const known = {
    digested: new Map(present.flatMap((item) => namesOf(item, digested))),
    unchanged: await lastEventsBeside(records, touched, lot),
  }
  const figures = await readIssueFigures(telemetry, projectId, touched, known)
  const moves = movesOf(present, cursor.moves)
  const emptied = moves
    .filter(({ from }) => !figures.has(from))
    .map(({ from, into }): Emptied => ({ issueId: from, intoId: mostOf(into) }))
  const moved = present.filter(({ from, to }) => from !== to).length
  const current = moves.find(({ from }) => from === cursor.place?.after?.issueId)
  const { moves: __, ...rest } = onward
  await records.transaction().execute(async (tx) => {
    await moveCounts(tx, deltas, figures)
    await saveCursor(
      tx,
      repair.id,
      { ...rest, ...(current && { moves: current }), emptied },
      { changed: present.length, moved },
    )
  })
  await afterStep('counted')
  // Deleted while its rows were being replaced: whoever removes its rows may have been through already.
  if (await isGone(records, projectId)) await removeRows(needs, projectId)
  onChange({ projects: [projectId], issues: touched, created, regressed: [] })
  return 'more'
}

const namesOf = (item: LotItem, digested: ReadonlyMap<string, ReadAnew> | undefined) => {
  const now = digested?.get(keyOf(item))
  return now ? [[item.eventId, now.issue] as const] : []
}

/** Events that issues are called after, of those that the lot did not change. */
async function lastEventsBeside(
  records: Records,
  issueIds: readonly number[],
  lot: Lot,
): Promise<ReadonlySet<string>> {
  if (issueIds.length === 0) return new Set()
  const rows = await records.selectFrom('issue').select('last_event_id').where('id', 'in', issueIds).execute()
  const changed = new Set(lot.items.map(({ eventId }) => eventId))
  return new Set(rows.map((row) => row.last_event_id).filter((id) => !changed.has(id)))
}

/** Added to what earlier lots took from the issue that is still in hand. */
function movesOf(items: readonly LotItem[], before: Moves | undefined): readonly Moves[] {
  const all = Map.groupBy(
    items.filter(({ from, to }) => from !== to),
    ({ from }) => from,
  )
  return [...all].map(([from, own]) => {
    const into: Record<string, number> = before?.from === from ? { ...before.into } : {}
    for (const { to } of own) into[to] = (into[to] ?? 0) + 1
    return { from, into }
  })
}

/** Where most of its events went. */
const mostOf = (into: Moves['into']): number =>
  Number(Object.entries(into).reduce((a, b) => (b[1] > a[1] ? b : a), ['0', 0])[0])

async function mergeOne(
  needs: RepairNeeds,
  repair: OpenRepair,
  cursor: RepairCursor,
  emptied: Emptied,
): Promise<StepEnd> {
  const { pipeline, signal, onChange, afterStep } = needs
  const project = await needs.records
    .selectFrom('issue')
    .select('project_id')
    .where('id', '=', emptied.issueId)
    .executeTakeFirst()
  const left = { ...cursor, emptied: cursor.emptied.slice(1) }
  const end = await pipeline.between(
    () =>
      mergeIssue(needs, repair, emptied, (tx, how) =>
        saveCursor(tx, repair.id, left, { merged: how === 'merged' ? 1 : 0 }),
      ),
    signal,
  )
  if (end === undefined || end === 'waits') return 'waits'
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

async function isGone(records: Records, projectId: number): Promise<boolean> {
  const row = await records.selectFrom('project').select('id').where('id', '=', projectId).executeTakeFirst()
  return row === undefined
}

async function forget(
  needs: RepairNeeds,
  repair: OpenRepair,
  cursor: RepairCursor,
  projectId: number,
): Promise<StepEnd> {
  await removeRows(needs, projectId)
  await saveCursor(needs.records, repair.id, { ...cursor, emptied: [] })
  return 'more'
}

async function removeRows(needs: RepairNeeds, projectId: number): Promise<void> {
  for (const table of ['events', 'event_index'] as const)
    await deleteRows(needs, table, 'project_id = {project:UInt32}', { project: projectId })
}
