/** Chooses the issues of the next events that are different, and notes them before anything is touched. */
import { chooseIssues } from './choose-issues.ts'
import { finishLot } from './finish-lot.ts'
import type { ChangedEvent } from './gather-events.ts'
import { issuesThatStay } from './read-page.ts'
import { keyOf, type Lot, type LotItem, type RepairCursor } from './repair-cursor.ts'
import type { RepairNeeds, StepEnd } from './repair-needs.ts'
import { type OpenRepair, saveCursor } from './repair-row.ts'
import { isSameScan, PAST_ALL, type Scan, scanAfter } from './scans.ts'
import { writeTransaction } from '@sonde/stores'

export async function planLot(
  needs: RepairNeeds,
  repair: OpenRepair,
  cursor: RepairCursor,
  scans: readonly Scan[],
  scan: Scan,
): Promise<StepEnd> {
  const { records, telemetry, clock, gather, afterStep } = needs
  const { projectId } = scan
  const here: RepairCursor = isSameScan(scan, cursor.place) ? cursor : { ...cursor, place: placeOfScan(scan) }
  const { changed, seen, standing, last } = await gather(needs, scan, here)
  await afterStep('read')
  const next = last ? undefined : scanAfter(scans, scan)
  const place = last ? { ...placeOfScan(scan), after: placeOf(last) } : next ? placeOfScan(next) : PAST_ALL
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
  const planned = await writeTransaction(records, async (tx) => {
    const regrouped = changed.map(({ event, now }) => ({ ...event, hashes: now.hashes, issue: now.issue }))
    const chosen = await chooseIssues(tx, projectId, regrouped, { kept: before, taken }, clock.nowMs())
    // Its scans are not made any more: the next step goes on behind it.
    if (chosen === 'project_gone') {
      await saveCursor(tx, repair.id, onward)
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
const placeOfScan = ({ kind, part, projectId }: Scan) => ({ kind, part, projectId })

const itemsOf = (changed: readonly ChangedEvent[], issueIds: readonly number[]): LotItem[] =>
  changed.map(({ event }, at) => {
    const { eventId, logPosition, itemIndex, timestampMs, receivedMs, revision, issueId: from } = event
    const to = issueIds[at] ?? from
    return { eventId, logPosition, itemIndex, timestampMs, receivedMs, revision, from, to }
  })
