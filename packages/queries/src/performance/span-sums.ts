/**
 * Sums of spans over a window, for a query to add up: whole weeks from what was summed up ahead (projection `by_week` of
 * `spans`), the rest from the rows. Which of both a week comes from changes no figure.
 */
import { ROOT_NAME, SPAN_SUMS } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { type Conditions, dayText, FILTER_COLUMNS, type PerformanceFilter } from './performance-filter.ts'

export type SpanSum = keyof typeof SPAN_SUMS
/** SQL over the columns that are summed up by, of which one is the name of a root: another text in either source. */
type OfSource = (root: string) => string

export type SpanSumsInput = {
  readonly filter: PerformanceFilter
  /** What `performanceConditions` made of the window. */
  readonly where: Conditions
  /** Which of its spans, by `project_id`, `is_segment`, `op`, the root's name, `normalized_name`, `peer` and `result` alone. */
  readonly which: OfSource
  /** By what they are told apart: the same columns, under their names here. */
  readonly by: Readonly<Record<string, OfSource>>
  readonly sums: readonly SpanSum[]
  /** The window is told apart too, as `isNow`: since then or before, Unix milliseconds. */
  readonly splitMs?: number
  /** And by steps of the window, as `bucket`. Of whole weeks, or all is read from the rows. */
  readonly steps?: { readonly firstMs: number; readonly stepMs: number }
  /** `which` asks for something else: all is read from the rows. */
  readonly isNarrowed?: boolean
}

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS
/** As the engine has it, for which the first days of 1970 are a week too. */
const mondayOf = (ms: number): number =>
  Math.max(0, FIRST_MONDAY_MS + Math.floor((ms - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS)
const THE_WEEK = 'toMonday(timestamp)'
const WEEK_AS_MS = `toInt64(toUInt16(${THE_WEEK})) * ${DAY_MS}`

/** To be selected from, in brackets: a row for each combination, more than one where a week was cut. */
export async function spanSums(
  deps: Pick<QueryDeps, 'telemetry'>,
  input: SpanSumsInput,
): Promise<Conditions> {
  const { where, which, by, sums, splitMs, steps } = input
  const weeks = await wholeWeeks(deps, input)
  const names = [
    ...Object.keys(by),
    ...(splitMs === undefined ? [] : ['isNow']),
    ...(steps ? ['bucket'] : []),
  ]
  const each = (root: string, condition: string, isNow: string, bucket: string): string =>
    `SELECT ${[
      ...Object.entries(by).map(([name, of]) => `${of(root)} AS ${name}`),
      ...(splitMs === undefined ? [] : [`${isNow} AS isNow`]),
      ...(steps ? [`${bucket} AS bucket`] : []),
      ...sums.map((sum) => `${SPAN_SUMS[sum]} AS ${sum}`),
    ].join(', ')}
     FROM spans WHERE ${condition} AND (${which(root)}) ${names.length === 0 ? '' : `GROUP BY ${names.join(', ')}`}`
  const isLater = 'timestamp >= {split:DateTime64(3)}'
  const step = 'intDiv(toUnixTimestamp64Milli(timestamp) - {first:Int64}, {step:Int64})'
  const rows = (condition: string): string => each('segment_name', `${where.sql}${condition}`, isLater, step)
  const params = {
    ...where.params,
    split: splitMs ?? 0,
    first: steps?.firstMs ?? 0,
    step: steps?.stepMs ?? 1,
  }
  if (weeks === undefined) return { sql: rows(''), params }
  const { environment = [] } = input.filter
  const summed = each(
    ROOT_NAME,
    `project_id IN {projects:Array(UInt32)} AND ${THE_WEEK} >= {weeksFrom:Date} AND ${THE_WEEK} < {weeksTo:Date}
     ${weeks.cutMs === undefined ? '' : `AND ${THE_WEEK} != {cutWeek:Date}`}${environment.length === 0 ? '' : ' AND environment IN {environment:Array(String)}'}`,
    `${THE_WEEK} >= {nowFrom:Date}`,
    `intDiv(${WEEK_AS_MS} - {first:Int64}, {step:Int64})`,
  )
  const rest = weeks.edges.map(
    (_, at) => `(timestamp >= {edgeFrom${at}:DateTime64(3)} AND timestamp < {edgeTo${at}:DateTime64(3)})`,
  )
  const edges = weeks.edges.flatMap(([from, to], at) => [
    [`edgeFrom${at}`, from],
    [`edgeTo${at}`, to],
  ])
  return {
    sql: rest.length === 0 ? summed : `${summed} UNION ALL ${rows(` AND (${rest.join(' OR ')})`)}`,
    params: {
      ...params,
      ...Object.fromEntries(edges),
      weeksFrom: dayText(weeks.fromMs),
      weeksTo: dayText(weeks.toMs),
      cutWeek: dayText(weeks.cutMs ?? 0),
      nowFrom: dayText(weeks.nowFromMs),
    },
  }
}

type Weeks = {
  /** Mondays; `toMs` is exclusive. */
  readonly fromMs: number
  readonly toMs: number
  /** A week of which a part is now and a part is before. */
  readonly cutMs: number | undefined
  /** The first week that is now. */
  readonly nowFromMs: number
  /** What the rows are read of. */
  readonly edges: readonly (readonly [fromMs: number, toMs: number])[]
}

/** Undefined when nothing of the window can be taken from what was summed up. */
async function wholeWeeks(
  deps: Pick<QueryDeps, 'telemetry'>,
  { filter, where, splitMs, steps, isNarrowed = false }: SpanSumsInput,
): Promise<Weeks | undefined> {
  const { toMs } = filter
  const fromMs = splitMs === undefined ? filter.fromMs : Math.max(0, 2 * splitMs - toMs)
  const isCutFiner =
    steps !== undefined && (steps.stepMs % WEEK_MS !== 0 || mondayOf(steps.firstMs) !== steps.firstMs)
  const isElse = FILTER_COLUMNS.some((column) => column !== 'environment' && filter[column]?.length)
  if (isNarrowed || isCutFiner || isElse || toMs - fromMs < WEEK_MS) return undefined
  // A week at an end of the window is whole all the same when nothing of it lies outside.
  const cut = [...new Set([fromMs, toMs, ...(splitMs === undefined ? [] : [splitMs])])]
    .map((ms) => ({ ms, week: mondayOf(ms) }))
    .filter(({ ms, week }) => ms !== week)
  const ends = await endsOf(
    deps,
    where,
    cut.map(({ week }) => week),
  )
  const isWhole = (ms: number, side: 'since' | 'until'): boolean => {
    const end = ends.get(mondayOf(ms))
    return (
      mondayOf(ms) === ms || end === undefined || (side === 'since' ? end.firstMs >= ms : end.lastMs < ms)
    )
  }
  const firstWeek = isWhole(fromMs, 'since') ? mondayOf(fromMs) : mondayOf(fromMs) + WEEK_MS
  const lastWeek =
    mondayOf(toMs) !== toMs && isWhole(toMs, 'until') ? mondayOf(toMs) + WEEK_MS : mondayOf(toMs)
  if (firstWeek >= lastWeek) return undefined
  const splitWeek = mondayOf(splitMs ?? 0)
  const isSplitNow = splitMs === undefined || isWhole(splitMs, 'since')
  const isCut = !isSplitNow && !isWhole(splitMs, 'until')
  const cutMs = isCut && splitWeek >= firstWeek && splitWeek < lastWeek ? splitWeek : undefined
  const edges: (readonly [number, number])[] = []
  if (fromMs < firstWeek) edges.push([fromMs, firstWeek])
  if (cutMs !== undefined) edges.push([cutMs, cutMs + WEEK_MS])
  if (lastWeek < toMs) edges.push([lastWeek, toMs])
  return {
    fromMs: firstWeek,
    toMs: lastWeek,
    cutMs,
    nowFromMs: isSplitNow ? splitWeek : splitWeek + WEEK_MS,
    edges,
  }
}

/** When the first and the last span of some weeks were, of everything in the projects. */
async function endsOf(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  { params }: Conditions,
  weeks: readonly number[],
): Promise<ReadonlyMap<number, { readonly firstMs: number; readonly lastMs: number }>> {
  if (weeks.length === 0) return new Map()
  const rows = await telemetry.query<{ weekMs: number; firstMs: number; lastMs: number }>(
    `SELECT ${WEEK_AS_MS} AS weekMs,
       toUnixTimestamp64Milli(${SPAN_SUMS.first}) AS firstMs, toUnixTimestamp64Milli(${SPAN_SUMS.last}) AS lastMs
     FROM spans WHERE project_id IN {projects:Array(UInt32)} AND ${THE_WEEK} IN {weeks:Array(Date)} GROUP BY ${THE_WEEK}`,
    { projects: params['projects'], weeks: weeks.map(dayText) },
  )
  return new Map(rows.map(({ weekMs, ...ends }) => [weekMs, ends]))
}
