/** What stored events say of their issues: how many, from when to when, and what the first and the last are called. */
import type { Telemetry } from '@sonde/stores'
import type { IssueFields } from '../process/processed.ts'

export type IssueFigures = {
  readonly issueId: number
  readonly events: number
  readonly isUnhandled: boolean
  readonly oldest: OldestEvent
  readonly newest: NewestEvent
}
export type OldestEvent = { readonly timestampMs: number; readonly release: string }
export type NewestEvent = {
  readonly timestampMs: number
  readonly release: string
  readonly eventId: string
  readonly type: string
  readonly level: string
  readonly title: string
  readonly culprit: string
  readonly platform: string
  /** Undefined: the newest event is the one that the issue was called after, and did not change. */
  readonly payload: Pick<IssueFields, 'metadata' | 'logger'> | undefined
}

/** From processing or from the issue itself, by event id: what need not be read from the payload. */
export type KnownNames = {
  readonly processed: ReadonlyMap<string, Pick<IssueFields, 'metadata' | 'logger'>>
  readonly unchanged: ReadonlySet<string>
}

type Reader = Pick<Telemetry, 'query'>
type Ends = {
  readonly issueId: number
  readonly events: number
  readonly unhandled: number
  readonly oldestMs: number
  readonly newestMs: number
}
type Narrow = Omit<NewestEvent, 'payload'> & { readonly issueId: number }

/** Of those that have events. Reads two columns of the issues' ranges, and a few rows. */
export async function readIssueFigures(
  telemetry: Reader,
  projectId: number,
  issueIds: readonly number[],
  known: KnownNames,
): Promise<ReadonlyMap<number, IssueFigures>> {
  if (issueIds.length === 0) return new Map()
  const ends = await telemetry.query<Ends>(
    `SELECT issue_id AS issueId, sum(1 + left_out) AS events, max(handled = 'no') AS unhandled,
       toUnixTimestamp64Milli(min(timestamp)) AS oldestMs, toUnixTimestamp64Milli(max(timestamp)) AS newestMs
     FROM events WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)} GROUP BY issue_id`,
    { project: projectId, issues: issueIds },
  )
  const rows = await telemetry.query<Narrow>(
    `SELECT issue_id AS issueId, toUnixTimestamp64Milli(timestamp) AS timestampMs, toString(event_id) AS eventId,
       type, level, title, culprit, platform, release
     FROM events WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
       AND timestamp IN {times:Array(DateTime64(3, 'UTC'))}
     ORDER BY issue_id, timestamp, event_id`,
    {
      project: projectId,
      issues: issueIds,
      times: [...new Set(ends.flatMap(({ oldestMs, newestMs }) => [oldestMs, newestMs]))].map(timeText),
    },
  )
  const byIssue = Map.groupBy(rows, ({ issueId }) => issueId)
  const figures = new Map<number, IssueFigures>()
  for (const { issueId, events, unhandled, oldestMs, newestMs } of ends) {
    const own = byIssue.get(issueId) ?? []
    const oldest = own.find(({ timestampMs }) => timestampMs === oldestMs)
    const newest = own.findLast(({ timestampMs }) => timestampMs === newestMs)
    // Retention took them in between.
    if (!oldest || !newest) continue
    const payload = await namesOf(telemetry, projectId, newest, known)
    figures.set(issueId, {
      issueId,
      events,
      isUnhandled: unhandled === 1,
      oldest: { timestampMs: oldestMs, release: oldest.release },
      newest: { ...newest, payload },
    })
  }
  return figures
}

async function namesOf(
  telemetry: Reader,
  projectId: number,
  { eventId, issueId, timestampMs }: Narrow,
  { processed, unchanged }: KnownNames,
): Promise<NewestEvent['payload']> {
  const fresh = processed.get(eventId)
  if (fresh) return { metadata: fresh.metadata, logger: fresh.logger }
  if (unchanged.has(eventId)) return undefined
  const [row] = await telemetry.query<{ metadata: string; logger: string }>(
    `SELECT JSONExtractRaw(payload, 'derived', 'metadata') AS metadata, JSONExtractString(payload, 'logger') AS logger
     FROM events WHERE project_id = {project:UInt32} AND issue_id = {issue:UInt64}
       AND timestamp = {at:DateTime64(3, 'UTC')} AND event_id = {event:String} LIMIT 1`,
    { project: projectId, issue: issueId, at: timestampMs, event: eventId },
  )
  return row && { metadata: row.metadata === '' ? '{}' : row.metadata, logger: row.logger }
}

/** In a list the engine takes times as text only. */
const timeText = (ms: number): string => new Date(ms).toISOString().slice(0, -1).replace('T', ' ')
