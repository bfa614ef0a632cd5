/** What arrives, in the order of the log: events and lines of logs behind a cursor, each exactly once. */
import type { Grant } from '@sonde/access'
import { type Bind, boundedQuery, createBind } from '../explore/bounded-query.ts'
import { spanConditions } from '../explore/span-conditions.ts'
import { FEWER_LINES, LOG_SEARCH } from '../logs/log-fields.ts'
import { dayText } from '../performance/performance-filter.ts'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { eventSearch } from '../search/event-search.ts'
import { sinceWeek } from '../weeks.ts'
import { advanced, comparePlaces, MAX_PLACES, type TailCursor, type TailPlace } from './tail-cursor.ts'

export const TAIL_DATASETS = ['errors', 'ourlogs'] as const
export type TailDataset = (typeof TAIL_DATASETS)[number]

export type TailRow = {
  readonly id: string
  readonly projectId: number
  /** Unix milliseconds: when it happened, and when it arrived. */
  readonly timestampMs: number
  readonly receivedMs: number
  readonly level: string
  readonly message: string
  readonly release: string
  readonly environment: string
  /** Empty: none. */
  readonly traceId: string
  /** Of an event; 0 for a line. */
  readonly issueId: number
  readonly culprit: string
}

export type TailInput = {
  readonly dataset: TailDataset
  /** Of events: conditions and words of the title. Of lines: as on the screen of logs. */
  readonly query?: string | undefined
  /** Any of these; none: all that the grant reads. */
  readonly projectIds?: readonly number[] | undefined
  /** Where reading goes on. Undefined: it begins now, behind the last `before` rows. */
  readonly cursor?: TailCursor | undefined
  readonly before?: number | undefined
}

export type Tail = {
  /** In the order of the log within a partition. */
  readonly rows: readonly TailRow[]
  readonly cursor: TailCursor
  /** More is there already. */
  readonly hasMore: boolean
}

/** Of one answer, from each partition. */
const MAX_ROWS = 200
export const MAX_TAIL_BEFORE = 100
const DAY_MS = 86_400_000
/** A cursor that nobody came back with for so long leaves out partitions that it does not name. */
const MAX_AGE_MS = 7 * DAY_MS
/** What happened longer than that before reading began is not shown: looking for it would be reading everything. */
const MAX_LATE_MS = DAY_MS

type Table = { readonly from: string; readonly row: string; readonly columns: string }
const TABLES: Readonly<Record<TailDataset, Table>> = {
  errors: {
    from: 'events',
    row: '0',
    columns: `toString(event_id) AS id, toUnixTimestamp64Milli(timestamp) AS timestampMs, level, title AS message,
      trace_id AS traceId, toUInt64(issue_id) AS issueId, culprit`,
  },
  ourlogs: {
    from: 'logs',
    row: 'row_index',
    columns: `concat(toString(log_partition), '-', toString(log_position), '-', toString(item_index), '-', toString(row_index)) AS id,
      toUnixTimestamp64Micro(timestamp) / 1000 AS timestampMs, severity AS level, body AS message,
      trace_id AS traceId, 0 AS issueId, '' AS culprit`,
  },
}

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>
type ReadGrant = Grant<'event:read', 'org' | 'project'>

/** Reads the last day of the projects by the key of the lines' table, and by the index on time of that of events. Throws `SearchError`, `ExploreError`. */
export async function tailRows(deps: Deps, grant: ReadGrant, input: TailInput): Promise<Tail> {
  const nowMs = deps.clock.nowMs()
  const fromMs = Math.max(input.cursor?.fromMs ?? nowMs, nowMs - MAX_AGE_MS)
  const begun: TailCursor = { fromMs, places: [] }
  const visible = await projectIdsOf(deps, grant)
  const asked = input.projectIds ?? []
  const projects = asked.length === 0 ? visible : visible.filter((id) => asked.includes(id))
  if (projects.length === 0) return { rows: [], cursor: input.cursor ?? begun, hasMore: false }
  const place = { deps, table: TABLES[input.dataset], projects, fromMs }
  const search = await searchOf(deps, grant, input)
  if (input.cursor !== undefined) return after(place, search, { ...input.cursor, fromMs })
  const cursor = await newest(place)
  const rows = await latest(place, search, cursor, Math.min(input.before ?? 0, MAX_TAIL_BEFORE))
  return { rows, cursor, hasMore: false }
}

type Place = {
  readonly deps: Deps
  readonly table: Table
  readonly projects: readonly number[]
  readonly fromMs: number
}
type Search = { readonly sql: string; readonly params: Readonly<Record<string, unknown>> }

async function searchOf(deps: Deps, grant: ReadGrant, { dataset, query = '' }: TailInput): Promise<Search> {
  if (dataset === 'errors') return eventSearch({ query })
  const { bind, params } = createBind('l')
  return { sql: await spanConditions(deps, grant, query, bind, LOG_SEARCH), params }
}

/** Of the projects and the time: what is counted as having been there, and what is looked at, is the same. */
function rangeOf({ projects, fromMs }: Place, bind: Bind): string {
  const sinceMs = Math.max(0, fromMs - MAX_LATE_MS)
  return [
    `project_id IN ${bind(projects, 'Array(UInt32)')}`,
    sinceWeek(`toMonday(${bind(dayText(sinceMs), 'Date')})`),
    `timestamp >= ${bind(sinceMs, 'DateTime64(3)')}`,
  ].join(' AND ')
}

/** Whether a row lies behind the cursor. */
function behind({ table, fromMs }: Place, { places }: TailCursor, bind: Bind): string {
  const known = places.map(
    ({ partition, position, item, row }) =>
      `(log_partition = ${bind(partition, 'UInt32')} AND (log_position, item_index, ${table.row}) > (${bind(position, 'UInt64')}, ${bind(item, 'UInt32')}, ${bind(row, 'UInt32')}))`,
  )
  const others = `(log_partition NOT IN ${bind(
    places.map(({ partition }) => partition),
    'Array(UInt32)',
  )} AND received >= ${bind(fromMs, 'DateTime64(3)')})`
  return `(${[...known, others].join(' OR ')})`
}

const placeColumns = ({ row }: Table): string =>
  `log_partition AS partition, log_position AS position, item_index AS item, ${row} AS row`

type Read = TailRow & TailPlace

const select = ({ columns, from, ...table }: Table): string =>
  `SELECT ${columns}, project_id AS projectId, toUnixTimestamp64Milli(received) AS receivedMs, release, environment,
     ${placeColumns({ columns, from, ...table })} FROM ${from}`

async function after(place: Place, search: Search, cursor: TailCursor): Promise<Tail> {
  const { bind, params } = createBind('t')
  const { deps, table } = place
  const read = await boundedQuery<Read>(
    deps,
    `${select(table)} WHERE ${rangeOf(place, bind)} AND ${behind(place, cursor, bind)} AND (${search.sql})
     ORDER BY partition, position, item, row LIMIT ${MAX_ROWS + 1} BY partition`,
    { ...search.params, ...params },
    FEWER_LINES,
  )
  const counts = new Map<number, number>()
  const rows = read.filter(({ partition }) => {
    const count = (counts.get(partition) ?? 0) + 1
    counts.set(partition, count)
    return count <= MAX_ROWS
  })
  // What does not match is looked at again with the next: to step over it, it would have to be read.
  return { rows: once(rows), cursor: advanced(cursor, rows), hasMore: rows.length < read.length }
}

/** While a row is replaced both of it can be there. */
const once = (rows: readonly Read[]): readonly TailRow[] =>
  rows
    .filter((row, index) => {
      const before = rows[index - 1]
      return before === undefined || comparePlaces(before, row) !== 0
    })
    .map(({ partition: _p, position: _o, item: _i, row: _r, ...row }) => row)

/** The last row of each partition. */
async function newest(place: Place): Promise<TailCursor> {
  const { bind, params } = createBind('t')
  const { row, from } = place.table
  const places = await boundedQuery<TailPlace>(
    place.deps,
    `SELECT partition, last.1 AS position, last.2 AS item, last.3 AS row FROM (
       SELECT log_partition AS partition, max((log_position, item_index, ${row})) AS last
       FROM ${from} WHERE ${rangeOf(place, bind)} GROUP BY partition)
     ORDER BY partition`,
    params,
    FEWER_LINES,
  )
  return { fromMs: place.fromMs, places: places.slice(0, MAX_PLACES) }
}

/** The last rows that are not behind the cursor, the oldest first. */
async function latest(
  place: Place,
  search: Search,
  cursor: TailCursor,
  count: number,
): Promise<readonly TailRow[]> {
  if (count === 0) return []
  const { bind, params } = createBind('t')
  const rows = await boundedQuery<Read>(
    place.deps,
    `${select(place.table)} WHERE ${rangeOf(place, bind)} AND NOT ${behind(place, cursor, bind)} AND (${search.sql})
     ORDER BY received DESC, partition, position DESC, item DESC, row DESC LIMIT ${bind(count, 'UInt32')}`,
    { ...search.params, ...params },
    FEWER_LINES,
  )
  return once(rows.toReversed())
}
