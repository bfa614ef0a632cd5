/** Spans, or lines of logs, by any attribute: groups with what is computed of them, the same over time, and single spans. */
import type { Grant } from '@sonde/access'
import { inProjects, type QueryParams } from '@sonde/stores'
import {
  type Conditions,
  performanceConditions,
  type PerformanceFilter,
} from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import {
  type Bind,
  boundedQuery,
  createBind,
  ExploreError,
  FEWER_SPANS,
  type Narrowing,
} from './bounded-query.ts'
import { type SearchSubject, spanConditions, SPANS } from './span-conditions.ts'
import { attributeText, type FieldKind, readName, spanFieldOf } from './span-fields.ts'
import { isMeasure, type Measure, type MeasuredRows, readMeasure, type ValueKind } from './span-measures.ts'
import { exploredSums, isSummedColumn, watchedSubject } from './summed-spans.ts'

const MAX_COLUMNS = 20
const MAX_ROWS = 1000

export type ExploreInput = PerformanceFilter & {
  /** As typed: `op:db duration:>500ms "select"`. */
  readonly query?: string | undefined
  /** Fields and measures in the order in which they are wanted. A measure makes groups of the others. */
  readonly fields: readonly string[]
  /** One of the fields; `-` before it: the largest first. */
  readonly sort?: string | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export type ExploreColumn = { readonly field: string; readonly kind: ValueKind; readonly unit: string | null }
export type ExploreValue = string | number | boolean | null
export type ExploreTable = {
  readonly columns: readonly ExploreColumn[]
  /** In the order of `columns`; times are Unix milliseconds. */
  readonly rows: readonly (readonly ExploreValue[])[]
  /** There are more behind these. */
  readonly hasMore: boolean
}

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>

const KINDS: Readonly<Record<FieldKind, ValueKind>> = {
  text: 'string',
  number: 'number',
  duration: 'duration',
  flag: 'boolean',
  time: 'date',
  list: 'string',
}

/** What is explored. */
export type ExploreSubject = SearchSubject & {
  readonly table: 'events' | 'spans' | 'logs' | 'metrics' | 'profile_functions'
  /** Tells rows of one time apart. */
  readonly ties: readonly string[]
  /** A measure as `readMeasure` takes it. Throws `ExploreError` for one that its rows have no number for. */
  readonly measureOf: (text: string) => string
  /** What measures are of; absent: what spans have. */
  readonly measured?: MeasuredRows
  readonly narrowing: Narrowing
}

export const SPAN_ROWS: ExploreSubject = {
  ...SPANS,
  table: 'spans',
  ties: ['span_id'],
  measureOf: (text) => text,
  narrowing: FEWER_SPANS,
}

type Selected = ExploreColumn &
  Pick<Measure, 'ofSums'> & { readonly sql: string; readonly isMeasure: boolean }

/** Throws `SearchError` and `ExploreError`. Without a measure: spans, the newest first. */
export async function exploreSpans(
  deps: Deps,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: ExploreInput,
  subject: ExploreSubject = SPAN_ROWS,
): Promise<ExploreTable> {
  const { bind, params } = createBind('e')
  const where = await performanceConditions(deps, grant, input)
  const names = await projectNames(deps, grant, input.fields, bind)
  const selected = selectedOf(input, bind, names, subject)
  const columns = selected.map(({ field, kind, unit }) => ({ field, kind, unit }))
  const watched = watchedSubject(subject)
  const search = await spanConditions(deps, grant, input.query ?? '', bind, watched.subject)
  const order = orderOf(selected, input.sort, subject.ties)
  if (where === undefined) return { columns, rows: [], hasMore: false }
  const limit = Math.min(MAX_ROWS, Math.max(1, input.limit ?? 100))
  const groups = selected.flatMap((each, index) => (each.isMeasure ? [] : [`c${index}`]))
  const isGrouped = groups.length < selected.length
  const isSummed =
    isGrouped &&
    watched.isSummed() &&
    selected.every(({ isMeasure: is, ofSums, sql }) => (is ? ofSums !== undefined : isSummedColumn(sql)))
  const by = Object.fromEntries(
    selected.flatMap(({ isMeasure: is, sql }, index) => (is ? [] : [[`c${index}`, sql] as const])),
  )
  const sums = selected.flatMap(({ ofSums }) => ofSums?.sums ?? [])
  const source = isSummed
    ? await exploredSums(deps, { filter: input, where: withParams(where, params), search, by, sums })
    : undefined
  const columnSql = ({ isMeasure: is, ofSums, sql }: Selected, index: number): string =>
    source ? (is ? `${ofSums?.sql} AS c${index}` : `c${index}`) : `${sql} AS c${index}`
  const rows = await boundedQuery<Record<string, ExploreValue>>(
    deps,
    `SELECT ${selected.map(columnSql).join(', ')}
     FROM ${source ? `(${source.sql})` : `${subject.table} WHERE ${where.sql} AND ${search}`}
     ${isGrouped && groups.length > 0 ? `GROUP BY ${groups.join(', ')}` : ''}
     ORDER BY ${order} LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...(source ?? where).params, ...params, limit: limit + 1, offset: input.offset ?? 0 },
    subject.narrowing,
  )
  return {
    columns,
    rows: rows
      .slice(0, limit)
      .map((row) => selected.map((column, index) => valueOf(column, row[`c${index}`]))),
    hasMore: rows.length > limit,
  }
}

function selectedOf(
  { fields, fromMs, toMs }: ExploreInput,
  bind: Bind,
  names: string,
  { fieldOf, measureOf, measured }: ExploreSubject,
): readonly Selected[] {
  const wanted = [...new Set(fields)]
  if (wanted.length === 0) throw new ExploreError('no field was asked for', 'For example count() or span.op.')
  if (wanted.length > MAX_COLUMNS) throw new ExploreError(`at most ${MAX_COLUMNS} fields can be asked for`)
  const minutes = Math.max(1 / 60, (toMs - fromMs) / 60_000)
  return wanted.map((field) => {
    if (isMeasure(field)) {
      const measure = readMeasure(measureOf(field), minutes, bind, measured)
      return { ...columnOf(measure), field, isMeasure: true }
    }
    return { ...fieldColumn(field, bind, names, fieldOf), isMeasure: false }
  })
}

const withParams = (where: Conditions, params: QueryParams): Conditions => ({
  ...where,
  params: { ...where.params, ...params },
})

const columnOf = ({ text, kind, unit, sql, ofSums }: Measure) => ({ field: text, kind, unit, sql, ofSums })

const PROJECT = /^project(?:\.name)?$/

/** The short name of a span's project, for `project` among the fields; the names lie in the records. */
export async function projectNames(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  fields: readonly string[],
  bind: Bind,
): Promise<string> {
  if (!fields.some((field) => PROJECT.test(field))) return "''"
  const rows = await records.selectFrom('project').select(['id', 'slug']).where(inProjects(grant)).execute()
  const ids = bind(
    rows.map(({ id }) => id),
    'Array(UInt32)',
  )
  return `transform(project_id, ${ids}, ${bind(
    rows.map(({ slug }) => slug),
    'Array(String)',
  )}, '')`
}

export function fieldColumn(
  written: string,
  bind: Bind,
  names: string,
  fieldOf: SearchSubject['fieldOf'] = spanFieldOf,
): ExploreColumn & { readonly sql: string } {
  const { name, isTag } = readName(written)
  if (name.trim() === '' || name.length > 200) throw new ExploreError(`"${written}" is no name of a field`)
  if (!isTag && PROJECT.test(name)) return { field: written, kind: 'string', unit: null, sql: names }
  const field = fieldOf(name, isTag)
  const unit = field?.kind === 'duration' ? 'millisecond' : null
  if (!field) return { field: written, kind: 'string', unit, sql: attributeText(name, bind) }
  const sql = field.kind === 'time' ? `toUnixTimestamp64Milli(${field.sql})` : field.sql
  return { field: written, kind: KINDS[field.kind], unit, sql }
}

/** Ties in the order of the other columns, so that pages do not overlap. */
function orderOf(selected: readonly Selected[], sort: string | undefined, ties: readonly string[]): string {
  const newest = ['timestamp DESC', ...ties]
  const isGrouped = selected.some(({ isMeasure: is }) => is)
  const rest = selected.map((_, index) => `c${index}`)
  if (sort === undefined || sort === '') {
    if (!isGrouped) return newest.join(', ')
    const first = selected.findIndex(({ isMeasure: is }) => is)
    return [`c${first} DESC`, ...rest].join(', ')
  }
  const isDescending = sort.startsWith('-')
  const wanted = isDescending ? sort.slice(1) : sort
  const index = selected.findIndex(({ field }) => field === wanted)
  if (index === -1)
    throw new ExploreError(`cannot sort by "${wanted}"`, 'Sort by one of the fields that are asked for.')
  return [`c${index} ${isDescending ? 'DESC' : 'ASC'}`, ...(isGrouped ? rest : newest)].join(', ')
}

function valueOf({ kind }: Selected, value: ExploreValue | undefined): ExploreValue {
  if (value === undefined || value === null) return null
  if (kind === 'integer') return Math.round(Number(value))
  if (kind === 'boolean') return value === 1
  return value
}
