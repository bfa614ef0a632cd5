/** Which events of a window cannot be read, by reason and release, each with an example to look at. */
import type { Grant } from '@sonde/access'
import { type FrameProblem, isFrameProblem } from '@sonde/protocol/frame-problem'
import type { QueryDeps } from '../query-deps.ts'

export type UnreadableGroup = {
  readonly reason: FrameProblem
  /** Empty: none was sent. */
  readonly release: string
  readonly events: number
  readonly lastMs: number
  /** The latest of them. */
  readonly example: { readonly eventId: string; readonly issue: string }
}

export type UnreadableEvents = {
  /** All errors of the window, readable or not. */
  readonly events: number
  readonly unreadable: number
  /** The largest first. */
  readonly groups: readonly UnreadableGroup[]
}

export type UnreadableInput = {
  readonly fromMs: number
  readonly toMs: number
  readonly limit?: number
}

type Row = {
  readonly reason: string
  readonly release: string
  readonly events: number
  readonly lastMs: number
  readonly eventId: string
  readonly issueId: number
}

/** One pass over two small columns of the project's events in the window. */
export async function unreadableEvents(
  { records, telemetry }: Pick<QueryDeps, 'records' | 'telemetry'>,
  { projectId }: Grant<'event:read' | 'project:read', 'project'>,
  { fromMs, toMs, limit = 50 }: UnreadableInput,
): Promise<UnreadableEvents> {
  const window = { project: projectId, from: fromMs, to: toMs }
  const [[total], rows] = await Promise.all([
    telemetry.query<{ events: number; unreadable: number }>(
      `SELECT toUInt32(count()) AS events, toUInt32(countIf(unreadable != '')) AS unreadable FROM events
       WHERE project_id = {project:UInt32}
         AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)}`,
      window,
    ),
    telemetry.query<Row>(
      `SELECT unreadable AS reason, release, toUInt32(count()) AS events,
         toUnixTimestamp64Milli(max(timestamp)) AS lastMs,
         toString(argMax(event_id, timestamp)) AS eventId, argMax(issue_id, timestamp) AS issueId
       FROM events
       WHERE project_id = {project:UInt32} AND unreadable != ''
         AND timestamp >= {from:DateTime64(3)} AND timestamp < {to:DateTime64(3)}
       GROUP BY reason, release ORDER BY events DESC, reason, release LIMIT {limit:UInt32}`,
      { ...window, limit },
    ),
  ])
  const issues = await shortIds(
    records,
    rows.map(({ issueId }) => issueId),
  )
  return {
    events: total?.events ?? 0,
    unreadable: total?.unreadable ?? 0,
    groups: rows.flatMap(({ reason, release, events, lastMs, eventId, issueId }) => {
      const issue = issues.get(issueId)
      if (issue === undefined || !isFrameProblem(reason)) return []
      return [{ reason, release, events, lastMs, example: { eventId, issue } }]
    }),
  }
}

async function shortIds(
  records: QueryDeps['records'],
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await records
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.id', 'issue.short_number', 'project.slug'])
    .where('issue.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, slug, short_number: number }) => [id, `${slug.toUpperCase()}-${number}`]))
}
