/**
 * Events of a batch that an earlier attempt put into `events` before it was interrupted. When the batch is repeated they
 * may be read differently, because a source map came meanwhile, and by that belong to another issue. They keep the one that
 * they were stored with: otherwise the row would stand in one issue and be counted in another. Repairs move them later.
 * docs/decisions/0018-symbolication.md
 */
import type { Records, Telemetry } from '@sonde/stores'
import type { DigestedEvent } from '../digest/digested.ts'
import type { Batch } from './batch.ts'

type StandingRow = {
  readonly project_id: number
  readonly log_position: number
  readonly item_index: number
  readonly issue: number
}

/** Of each event that stands already its issue. Read before the batch is marked again. */
export async function findStanding(
  telemetry: Pick<Telemetry, 'query'>,
  { from, to }: Batch,
  events: readonly DigestedEvent[],
): Promise<ReadonlyMap<DigestedEvent, number>> {
  const standing = new Map<DigestedEvent, number>()
  if (events.length === 0) return standing
  const received = events.map((event) => event.receivedMs)
  const rows = await telemetry.query<StandingRow>(
    `SELECT project_id, log_position, item_index, argMax(issue_id, revision) AS issue FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND log_position >= {from:UInt64} AND log_position < {to:UInt64}
       AND received >= {first:DateTime64(3, 'UTC')} AND received <= {last:DateTime64(3, 'UTC')}
     GROUP BY project_id, log_position, item_index`,
    {
      projects: [...new Set(events.map((event) => event.projectId))],
      from,
      to,
      first: received.reduce((least, each) => Math.min(least, each), Infinity),
      last: received.reduce((most, each) => Math.max(most, each), 0),
    },
  )
  const issues = new Map(rows.map((row) => [keyOf(row.log_position, row.item_index), row.issue]))
  for (const event of events) {
    const issue = issues.get(keyOf(event.position, event.itemIndex))
    if (issue !== undefined) standing.set(event, issue)
  }
  return standing
}

/** Issues that became part of another since: their events are counted there. */
export async function followRedirects(
  tx: Records,
  standing: ReadonlyMap<DigestedEvent, number>,
): Promise<ReadonlyMap<DigestedEvent, number>> {
  if (standing.size === 0) return standing
  const rows = await tx
    .selectFrom('issue_redirect')
    .select(['from_issue_id', 'into_issue_id'])
    .where('from_issue_id', 'in', [...new Set(standing.values())])
    .execute()
  const into = new Map(rows.map((row) => [row.from_issue_id, row.into_issue_id]))
  return new Map([...standing].map(([event, issue]) => [event, into.get(issue) ?? issue]))
}

const keyOf = (position: number | string, itemIndex: number): string => `${position}:${itemIndex}`
