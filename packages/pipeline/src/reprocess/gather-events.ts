/** Reads on from where the cursor is until enough events are different, and chooses their issues. */
import { FIRST_PARTITION, type Records, type Telemetry, visibleTelemetry } from '@sonde/stores'
import type { Reprocessed, StoredEvent } from '../symbolicate/reprocess-event.ts'
import type { EventPlace, ReprocessingCursor } from './reprocessing-cursor.ts'
import { type Scan, scrubbedTableOf, type Search } from './scans.ts'
import type { Throttle } from './start-reprocessing.ts'

/** A deletion costs the same for ten rows and for a thousand; what is in memory meanwhile is their old and new text. */
const CHUNK = { maxEvents: 1_000, maxBytes: 8 * 1024 * 1024 }
/** Of the first page; later ones have as many events as fit, by the size of those before. */
const FIRST_PAGE = 64
const PAGE = { minEvents: 8, maxEvents: 512, bytes: 2 * 1024 * 1024 }

export type ChangedEvent = { readonly event: ScannedEvent; readonly now: ReadAnew }
export type Gathered = {
  readonly changed: readonly ChangedEvent[]
  readonly seen: number
  /** Issues with an event that is readable and did not change: they stand for it. */
  readonly occupied: ReadonlySet<number>
  /** Where to go on; undefined: the scan is through. */
  readonly last: ScannedEvent | undefined
}

type Needs = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'query'>
  readonly reprocess: Reprocess
  readonly throttle: Throttle
}

export function createGatherer(): (
  needs: Needs,
  scan: Scan,
  cursor: ReprocessingCursor,
) => Promise<Gathered> {
  let limit = FIRST_PAGE
  return async function gather({ records, telemetry, reprocess, throttle }, scan, cursor) {
    // An issue that can still be restored has given its fingerprints away: grouped anew, its events would be another's.
    const reader = scan.kind === 'scrub' ? telemetry : visibleTelemetry(telemetry, records)
    const changed: ChangedEvent[] = []
    const occupied = new Set<number>()
    let seen = 0
    let bytes = 0
    let last: ScannedEvent | undefined
    let after = cursor.place?.after
    while (changed.length < CHUNK.maxEvents && bytes < CHUNK.maxBytes) {
      const page = await readPage(reader, scan, cursor, after, limit)
      const isEnd = page.length < limit
      const pageBytes = page.reduce((sum, { payload }) => sum + payload.length, 0)
      bytes += pageBytes
      seen += page.length
      const results = await reprocess(scan.kind === 'scrub' ? toScrub(page) : page)
      for (const [at, event] of page.entries()) {
        const now = results[at]
        if (!now?.ok) continue
        if (now.changed) changed.push({ event, now })
        else if (now.fields.unreadable === '') occupied.add(event.issueId)
      }
      last = page.at(-1)
      if (isEnd) return { changed, seen, occupied, last: undefined }
      after = last
      // A chunk is seconds of work: what arrives does not wait for its end.
      await throttle.rest()
      const fitting = Math.floor((PAGE.bytes * page.length) / Math.max(1, pageBytes))
      limit = Math.min(PAGE.maxEvents, Math.max(PAGE.minEvents, fitting))
    }
    return { changed, seen, occupied, last }
  }
}

/** The rules are those that the project has when it is read. */
export const toScrub = <Stored extends StoredEvent>(events: readonly Stored[]): readonly Stored[] =>
  events.map((event) => ({ ...event, isScrubbed: true }))

// Reading stored events again: what the pipeline's threads give for it.

/** In the order of the events. Rejects when a store did not answer: to be tried again. */
export type Reprocess = (events: readonly StoredEvent[]) => Promise<readonly Reprocessed[]>

export type ReadAnew = Extract<Reprocessed, { readonly ok: true }>

/** Stored events in the order of their table: a page of whole ones, and how many there are. */
export type ScannedEvent = StoredEvent &
  EventPlace & {
    readonly revision: number
    readonly leftOut: number
    /** Fingerprints by which it came to its issue. */
    readonly hashes: readonly string[]
  }

/**
 * Only what is committed: of an event that is stored and not counted yet nobody may change the issue. That is why both
 * passes end at a position that the pipeline has passed.
 */
export type ScanRange = Pick<ReprocessingCursor, 'pass' | 'from' | 'to' | 'maxIssueId'>

type Reader = Pick<Telemetry, 'query'>

async function readPage(
  telemetry: Reader,
  scan: Scan,
  range: ScanRange,
  after: EventPlace | undefined,
  limit: number,
): Promise<readonly ScannedEvent[]> {
  // The two halves are ranges of the key; a comparison of tuples would not be.
  const beyond = after
    ? `AND (issue_id > {issue:UInt64} OR (issue_id = {issue:UInt64} AND timestamp >= {at:DateTime64(3, 'UTC')}))
       AND NOT (issue_id = {issue:UInt64} AND timestamp = {at:DateTime64(3, 'UTC')} AND event_id <= {event:String})`
    : ''
  return telemetry.query<ScannedEvent>(
    `SELECT ${WHOLE} FROM events WHERE project_id = {project:UInt32} AND ${conditionOf(scan, range)} ${beyond}
     ORDER BY project_id, issue_id, timestamp, event_id LIMIT {limit:UInt32}`,
    {
      ...paramsOf(scan, range),
      project: scan.projectId,
      ...(after && { issue: after.issueId, at: after.timestampMs, event: after.eventId }),
      limit,
    },
  )
}

export const WHOLE = `project_id AS projectId, issue_id AS issueId, toUnixTimestamp64Milli(timestamp) AS timestampMs,
  toUnixTimestamp64Milli(received) AS receivedMs, toString(event_id) AS eventId, log_partition AS logPartition,
  log_position AS logPosition, item_index AS itemIndex, revision, left_out AS leftOut, hashes, payload`

/** How many there are to look at, by project. */
export async function countEventsOf(
  telemetry: Reader,
  search: Search,
  range: ScanRange,
): Promise<readonly { readonly projectId: number; readonly events: number }[]> {
  if (search.projectIds.length === 0) return []
  if (search.kind === 'rows')
    return telemetry.query(
      `SELECT project_id AS projectId, count() AS events FROM ${scrubbedTableOf(search)}
       WHERE project_id IN {projects:Array(UInt32)} AND ${positionsIn(range)} GROUP BY project_id`,
      { ...positionParams(range), projects: search.projectIds },
    )
  return telemetry.query(
    `SELECT project_id AS projectId, count() AS events FROM events
     WHERE project_id IN {projects:Array(UInt32)} AND ${conditionOf(search, range)} GROUP BY project_id`,
    { ...paramsOf(search, range), projects: search.projectIds },
  )
}

/** Of these issues those with a readable event that this pass does not look at: they are taken already. */
export async function issuesThatStay(
  telemetry: Reader,
  scan: Scan,
  range: ScanRange,
  issueIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (issueIds.length === 0) return new Set()
  const rows = await telemetry.query<{ id: number }>(
    `SELECT DISTINCT issue_id AS id FROM events
     WHERE project_id = {project:UInt32} AND issue_id IN {issues:Array(UInt64)}
       AND unreadable = '' AND NOT (${conditionOf(scan, range)})`,
    { ...paramsOf(scan, range), project: scan.projectId, issues: issueIds },
  )
  return new Set(rows.map(({ id }) => id))
}

type Condition = Pick<Search, 'where' | 'params'>

const conditionOf = (scan: Condition, range: ScanRange): string =>
  `issue_id <= {maxIssue:UInt64} AND ${positionsIn(range)} AND ${scan.where}`

/** Rows of any table that the pass looks at; with the parameters of `positionParams`. */
export const positionsIn = ({ pass }: Pick<ScanRange, 'pass'>): string =>
  `log_position < ${limitOf('before')} ${pass === 'late' ? `AND log_position >= ${limitOf('from')}` : ''}`

/** Each partition has a limit of its own; what came of one that nobody read yet lies behind it. */
const limitOf = (name: 'before' | 'from'): string =>
  `transform(log_partition, {${name}Partitions:Array(UInt32)}, {${name}:Array(UInt64)}, toUInt64(0))`

const paramsOf = (scan: Condition, range: ScanRange) => ({
  ...scan.params,
  maxIssue: range.maxIssueId,
  ...positionParams(range),
})

export function positionParams({ pass, from, to = {} }: Pick<ScanRange, 'pass' | 'from' | 'to'>) {
  const first = { [FIRST_PARTITION]: 0 }
  const [begin, before] = [
    { ...first, ...from },
    { ...first, ...(pass === 'late' ? to : from) },
  ]
  return {
    fromPartitions: Object.keys(begin).map(Number),
    from: Object.values(begin),
    beforePartitions: Object.keys(before).map(Number),
    before: Object.values(before),
  }
}
