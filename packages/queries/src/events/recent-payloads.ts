/** Payloads of a project's newest events, a page at a time, for what only tries something on them. */
import type { QueryDeps } from '../query-deps.ts'

export const PAGE_EVENTS = 50
// What is in memory at once: payloads as text and parsed.
const MAX_PAGE_BYTES = 8 * 1024 * 1024
// A scan of the narrow columns ends here, however long ago the last event was.
const DAYS = 90

type Place = { readonly eventId: string; readonly issueId: number; readonly timestampMs: number }
type RecentPayloads = {
  /** Newest first. */
  readonly places: readonly Place[]
  /** By event id. */
  readonly payloads: ReadonlyMap<string, string>
  /** Hand in to go on; undefined: there are no more events. */
  readonly next: string | undefined
}

/**
 * At most `PAGE_EVENTS` events and 8 MiB of payloads. `cursor`: of the page before; one that makes no sense begins anew.
 * Reads the narrow columns of the project's newest events, then the payloads by key.
 */
export async function recentPayloads(
  deps: Pick<QueryDeps, 'telemetry' | 'clock'>,
  projectId: number,
  cursor?: string,
): Promise<RecentPayloads> {
  const page = await nextPlaces(deps, projectId, cursor)
  const places = fitting(page, await sizesOf(deps, projectId, page))
  const payloads = await payloadsOf(deps, projectId, places)
  const last = places.at(-1)
  const isEnd = page.length < PAGE_EVENTS && places.length === page.length
  return { places, payloads, next: isEnd || !last ? undefined : `${last.timestampMs}:${last.eventId}` }
}

const CURSOR = /^(\d{1,15}):([0-9a-f]{32})$/

async function nextPlaces(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  projectId: number,
  cursor: string | undefined,
): Promise<readonly Place[]> {
  const [, at, eventId] = CURSOR.exec(cursor ?? '') ?? []
  const beyond =
    at === undefined
      ? ''
      : `AND timestamp <= {at:DateTime64(3, 'UTC')} AND NOT (timestamp = {at:DateTime64(3, 'UTC')} AND event_id <= {event:String})`
  return telemetry.query<Place>(
    `SELECT toString(event_id) AS eventId, issue_id AS issueId, toUnixTimestamp64Milli(timestamp) AS timestampMs
     FROM events
     WHERE project_id = {project:UInt32} AND timestamp >= {since:DateTime64(3, 'UTC')} ${beyond}
     ORDER BY timestamp DESC, event_id LIMIT {limit:UInt32}`,
    {
      project: projectId,
      since: clock.nowMs() - DAYS * 86_400_000,
      limit: PAGE_EVENTS,
      ...(at !== undefined && { at: Number(at), event: eventId }),
    },
  )
}

/** At least one, or a single large event would end the trial. */
function fitting(places: readonly Place[], sizes: ReadonlyMap<string, number>): readonly Place[] {
  let bytes = 0
  const end = places.findIndex(
    ({ eventId }, at) => (bytes += sizes.get(eventId) ?? 0) > MAX_PAGE_BYTES && at > 0,
  )
  return end < 0 ? places : places.slice(0, end)
}

type Reader = Pick<QueryDeps, 'telemetry'>

const sizesOf = (deps: Reader, projectId: number, places: readonly Place[]) =>
  valuesOf<number>(deps, projectId, places, 'length(payload)')

const payloadsOf = (deps: Reader, projectId: number, places: readonly Place[]) =>
  valuesOf<string>(deps, projectId, places, 'payload')

/** By event id. Along the ordering key of `events`. */
async function valuesOf<Value>(
  { telemetry }: Reader,
  projectId: number,
  places: readonly Place[],
  column: 'payload' | 'length(payload)',
): Promise<ReadonlyMap<string, Value>> {
  if (places.length === 0) return new Map()
  const rows = await telemetry.query<{ eventId: string; value: Value }>(
    `SELECT toString(event_id) AS eventId, ${column} AS value FROM events
     WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
       AND timestamp >= {from:DateTime64(3, 'UTC')} AND timestamp <= {to:DateTime64(3, 'UTC')}
       AND event_id IN {ids:Array(String)}`,
    {
      project: projectId,
      issues: [...new Set(places.map(({ issueId }) => issueId))],
      from: Math.min(...places.map(({ timestampMs }) => timestampMs)),
      to: Math.max(...places.map(({ timestampMs }) => timestampMs)),
      ids: places.map(({ eventId }) => eventId),
    },
  )
  return new Map(rows.map(({ eventId, value }) => [eventId, value]))
}
