/**
 * Of what detectors found in a batch, one event of each issue, release and level is stored; the others count with it, so
 * counts stay exact. It depends on the batch alone: a repeated batch is thinned in the same way.
 */
import type { PerformanceType } from '@sonde/protocol/issue-category'
import type { ProcessedEvent } from '../process/processed.ts'

const FOUND_CATEGORY = 'performance'
export const isFound = ({ category }: Pick<ProcessedEvent, 'category'>): boolean =>
  category === FOUND_CATEGORY

/** Told again later, by an event that must be known for the same; and its users are counted by rows. */
const KEPT: PerformanceType = 'performance_hung_navigation'

/** Left out → the event that it counts with. */
export function thinFound(
  events: readonly ProcessedEvent[],
  issueOf: ReadonlyMap<ProcessedEvent, number>,
): ReadonlyMap<ProcessedEvent, ProcessedEvent> {
  const keptOf = new Map<string, ProcessedEvent>()
  const leftOut = new Map<ProcessedEvent, ProcessedEvent>()
  for (const event of events) {
    const issueId = issueOf.get(event)
    if (!isFound(event) || event.issue.type === KEPT || issueId === undefined) continue
    const alike = `${issueId} ${event.issue.level} ${event.issue.release}`
    const kept = keptOf.get(alike)
    if (kept) leftOut.set(event, kept)
    else keptOf.set(alike, event)
  }
  return leftOut
}
