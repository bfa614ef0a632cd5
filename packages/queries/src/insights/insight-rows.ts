/** Rows of an insight page: statements, hosts, files, keys or queues with what is measured of them, a page at a time. */
import type { Grant } from '@sonde/access'
import {
  type Conditions,
  performanceConditions,
  type PerformanceFilter,
  WEIGHT,
} from '../performance/performance-filter.ts'
import { spanSums, type SpanSumsInput } from '../performance/span-sums.ts'
import { HAS_FAILED, STANDS_FOR } from '../performance/transaction-windows.ts'
import type { QueryDeps } from '../query-deps.ts'
import {
  ASSET_OWNERS,
  ASSET_TYPES,
  type AssetOwner,
  type AssetType,
  INSIGHT_KINDS,
  type InsightKind,
  type InsightKindId,
  type InsightMeasure,
  type InsightSplit,
} from './insight-kinds.ts'
import { KIND_SQL, MEASURED_BY, measuresSql, SPLIT_SQL, sumsOf } from './insight-measures.ts'

export type InsightFilter = PerformanceFilter & {
  readonly kind: InsightKindId
  /** Text within the name of the transaction, in any case. */
  readonly route?: string | undefined
  /** Only of this database, cache or messaging system. */
  readonly peer?: string | undefined
}
export type InsightRowsInput = InsightFilter & {
  /** Text within the name, in any case. */
  readonly query?: string | undefined
  /** Only this row. */
  readonly name?: string | undefined
  readonly type?: AssetType | undefined
  readonly owner?: AssetOwner | undefined
  /** One of the kind's measures; the kind's own unless told. */
  readonly sort?: InsightMeasure | 'name' | undefined
  /** Descending unless told; names ascending. */
  readonly order?: 'asc' | 'desc' | undefined
  /** 50 unless told, at most `MAX_ROWS`. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export type InsightRow = {
  readonly name: string
  /** Spans, counted up from what was sampled; `samples` were stored. */
  readonly count: number
  readonly samples: number
  /** Milliseconds, all together. */
  readonly totalMs: number
  /** Empty: nobody said. */
  readonly peer: string
  /** Transactions that do it. */
  readonly routes: number
  /** Of assets. */
  readonly type?: AssetType
  readonly owner?: AssetOwner
} & { readonly [Measure in InsightMeasure]?: number }
export type InsightPage = {
  readonly rows: readonly InsightRow[]
  /** Rows that match, on all pages. */
  readonly total: number
  /** Page loads that match: what `bytesPerLoad` is of. Only of assets. */
  readonly loads: number
}

const MAX_ROWS = 200
const MAX_OFFSET = 100_000

/** Undefined when the grant has no project. One range of the ordering key of `spans` for each op of the kind. */
export async function insightConditions(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { kind, route = '', peer, ...filter }: InsightFilter,
): Promise<Conditions | undefined> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return undefined
  const parts = [where.sql, KIND_SQL[kind].where]
  if (route !== '') parts.push('positionCaseInsensitiveUTF8(segment_name, {route:String}) > 0')
  if (peer !== undefined) parts.push('peer = {peer:String}')
  return { sql: parts.join(' AND '), params: { ...where.params, route, peer: peer ?? '' } }
}

type InsightSums = Pick<SpanSumsInput, 'by' | 'sums' | 'splitMs' | 'steps'> & {
  /** Only these; undefined: all. */
  readonly names?: readonly string[] | undefined
}

/** Sums of the spans of a kind, to be selected from in brackets. `where`: of the filter, as `performanceConditions` made it. */
export function insightSums(
  deps: Pick<QueryDeps, 'telemetry'>,
  filter: InsightFilter,
  where: Conditions,
  { names, ...input }: InsightSums,
): Promise<Conditions> {
  const { kind, route = '', peer } = filter
  const { where: ofKind, key } = KIND_SQL[kind]
  const parts = [ofKind]
  if (route !== '') parts.push('positionCaseInsensitiveUTF8(segment_name, {route:String}) > 0')
  if (peer !== undefined) parts.push('peer = {peer:String}')
  if (names !== undefined) parts.push(`${key} IN {names:Array(String)}`)
  return spanSums(deps, {
    ...input,
    filter,
    where: { sql: where.sql, params: { ...where.params, route, peer: peer ?? '', names: names ?? [] } },
    which: () => parts.join(' AND '),
    isNarrowed: route !== '',
  })
}

/** One page of them. Names are filtered once they are groups: there are few of them, and many rows. */
export async function insightRows(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: InsightRowsInput,
): Promise<InsightPage> {
  const where = await performanceConditions(deps, grant, input)
  if (where === undefined) return { rows: [], total: 0, loads: 0 }
  const { measures, sort: usual, hasFiles }: InsightKind = INSIGHT_KINDS[input.kind]
  const { query = '', name, type, owner } = input
  const sort = [...measures, 'name' as const].find((each) => each === input.sort) ?? usual
  const order = (input.order ?? (sort === 'name' ? 'asc' : 'desc')) === 'asc' ? 'ASC' : 'DESC'
  const kind = KIND_SQL[input.kind]
  const having = [
    query !== '' && 'positionCaseInsensitiveUTF8(name, {query:String}) > 0',
    type !== undefined && 'type = {type:String}',
    owner !== undefined && 'owner = {owner:String}',
  ].filter((condition) => condition !== false)
  const [loads, sums] = await Promise.all([
    hasFiles ? pageLoads(deps, grant, input) : 0,
    insightSums(deps, input, where, {
      by: { name: () => kind.key, ...MEASURED_BY, itsPeer: () => 'peer' },
      sums: [...sumsOf(measures), 'below'],
      names: name === undefined ? undefined : [name],
    }),
  ])
  const rows = await deps.telemetry.query<Row>(
    `SELECT name,
       ${measuresSql(kind, measures)},
       any(itsPeer) AS anyPeer, uniqCombined64Merge(12)(below) AS routes,
       ${hasFiles ? `${TYPE} AS type, ${OWNER} AS owner,` : ''}
       count() OVER () AS total
     FROM (${sums.sql})
     GROUP BY name
     ${having.length === 0 ? '' : `HAVING ${having.join(' AND ')}`}
     ORDER BY ${sort} ${order}, name LIMIT {rows:UInt32} OFFSET {offset:UInt32}`,
    {
      ...sums.params,
      query,
      type: type ?? '',
      owner: owner ?? '',
      loads,
      minutes: minutesOf(input),
      rows: Math.min(input.limit ?? 50, MAX_ROWS),
      offset: Math.min(Math.max(0, input.offset ?? 0), MAX_OFFSET),
    },
  )
  return {
    rows: rows.map(({ total: _total, anyPeer, ...row }) => ({ ...row, peer: anyPeer })),
    total: rows[0]?.total ?? 0,
    loads,
  }
}

/** `peer` would be the column's name too. */
type Row = Omit<InsightRow, 'peer'> & { readonly total: number; readonly anyPeer: string }

const minutesOf = ({ fromMs, toMs }: PerformanceFilter): number => Math.max(1 / 60, (toMs - fromMs) / 60_000)

/** By its ending first: what a style sheet asks for has the op `resource.css`, fonts and pictures included. */
const TYPE = typeSql('any(op)', 'name')
function typeSql(op: string, name: string): string {
  const ends = (...endings: readonly string[]) => `match(lower(${name}), '\\.(?:${endings.join('|')})$')`
  const types: readonly (readonly [AssetType, string])[] = [
    ['font', ends('woff2?', 'ttf', 'otf', 'eot')],
    ['img', `${ends('png', 'jpe?g', 'gif', 'svg', 'webp', 'avif', 'ico')} OR ${op} = 'resource.img'`],
    ['css', ends('css')],
    ['script', `${ends('js', 'mjs', 'cjs')} OR ${op} = 'resource.script'`],
  ]
  return `multiIf(${types.map(([type, condition]) => `${condition}, '${type}'`).join(', ')}, '${ASSET_TYPES[4]}')`
}
/** SDKs cut the page's own origin off; what is written out in full is somebody else's, or a host of one's own for files. */
const OWNER = `if(position(name, '//') = 0, '${ASSET_OWNERS[0]}', '${ASSET_OWNERS[1]}')`

async function pageLoads(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { route = '', ...filter }: InsightFilter,
): Promise<number> {
  const where = await performanceConditions(deps, grant, filter)
  if (where === undefined) return 0
  const ofRoute = (name: string) =>
    route === '' ? '' : `AND positionCaseInsensitiveUTF8(${name}, {route:String}) > 0`
  const sums = await spanSums(deps, {
    filter,
    where,
    which: (root) => `is_segment = 1 AND op = 'pageload' ${ofRoute(root)}`,
    by: {},
    sums: ['counted'],
  })
  const [found] = await deps.telemetry.query<{ readonly loads: number }>(
    `SELECT sum(counted) AS loads FROM (${sums.sql})`,
    { ...sums.params, route },
  )
  return found?.loads ?? 0
}

export type InsightSplitRow = Pick<InsightRow, 'name' | 'count' | 'samples' | 'totalMs'> & {
  /** Milliseconds. */
  readonly p75: number
  readonly failureRate: number
  /** Share of the time of the group. */
  readonly timeShare: number
  readonly perMinute: number
  /** Mean, of the transactions that do it at all. */
  readonly perTransaction: number
}

const SPLIT_ROWS = 20

/** One group by route, endpoint, operation, status code: of each those with the most time first, at most 20. One pass. */
export async function insightSplits(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  {
    splits,
    name,
    ...filter
  }: InsightFilter & { readonly name: string; readonly splits: readonly InsightSplit[] },
): Promise<readonly (readonly InsightSplitRow[])[]> {
  const where = await insightConditions(deps, grant, filter)
  if (where === undefined) return splits.map(() => [])
  const kind = KIND_SQL[filter.kind]
  const columns = splits.map((split) => SPLIT_SQL[split])
  // `grouping` is 0 of the column that a row was grouped by.
  const ofColumn = (valueOf: (column: string, at: number) => string, rest: string): string =>
    `multiIf(${columns.map((column, at) => `grouping(${column}) = 0, ${valueOf(column, at)}`).join(', ')}, ${rest})`
  const rows = await deps.telemetry.query<InsightSplitRow & { readonly split: number }>(
    `SELECT ${ofColumn((_, at) => String(at), '255')} AS split, ${ofColumn((column) => `toString(${column})`, "''")} AS name,
       sum${STANDS_FOR} AS count, count() AS samples, sum(duration_ms / sample_rate) AS totalMs, count / {minutes:Float64} AS perMinute,
       quantileBFloat16Weighted(0.75)(duration_ms, ${WEIGHT}) AS p75, sumIf(1 / sample_rate, ${HAS_FAILED}) / count AS failureRate,
       totalMs / greatest(1e-9, sum(totalMs) OVER (PARTITION BY split)) AS timeShare,
       samples / greatest(1, uniqCombined64(14)(if(segment_id = '', toString(span_id), segment_id))) AS perTransaction
     FROM spans WHERE ${where.sql} AND ${kind.key} = {name:String}
     GROUP BY GROUPING SETS (${columns.map((column) => `(${column})`).join(', ')})
     ORDER BY totalMs DESC, name LIMIT ${SPLIT_ROWS} BY split`,
    { ...where.params, name, minutes: minutesOf(filter) },
  )
  return splits.map((_, at) => rows.filter(({ split }) => split === at))
}
