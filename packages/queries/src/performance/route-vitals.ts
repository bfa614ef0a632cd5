/** Web vitals per route: the 75th percentile that Google rates by, and how many visits were good. */
import type { Grant } from '@sonde/access'
import { VITAL_NAMES, type VitalName } from '@sonde/protocol/web-vitals'
import { VITAL_SUMS } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'
import { beforeWeek, sinceWeek } from '../weeks.ts'
import { type Conditions, dayText, FILTER_COLUMNS, type PerformanceFilter } from './performance-filter.ts'
import {
  summaryOf,
  type SummaryRow,
  VISITS,
  VITAL_ROWS,
  vitalConditions,
  type VitalInput,
  type VitalSummary,
} from './vital-conditions.ts'

/**
 * Sums of vitals over a window: weeks that are over from what was summed up ahead (projection `by_week` of `vitals`),
 * the rest from the rows themselves.
 */
type VitalSumsInput = PerformanceFilter & Partial<Pick<VitalInput, 'name' | 'route'>>
/** `firstMs`: Unix milliseconds of the earliest visit. */
type VitalSumsRow = SummaryRow & { readonly firstMs: number }
type Key = 'name' | 'route'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
/** 1970 began on a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** One row for each combination of the keys; those of most visits first, at most `rows`. */
async function vitalSums<Keys extends Key>(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalSumsInput,
  { keys, rows }: { readonly keys: readonly Keys[]; readonly rows: number },
): Promise<readonly (VitalSumsRow & { readonly [Name in Keys]: string })[]> {
  const source = await sumsSource(deps, grant, input, keys, SUM_NAMES)
  if (source === undefined) return []
  const by = keys.join(', ')
  return deps.telemetry.query(
    `SELECT ${by}, quantileBFloat16WeightedMerge(0.75)(levels) AS p75, sum(sampled) AS samples, sum(visits) AS count,
       toUnixTimestamp64Milli(min(first)) AS firstMs, sum(goodVisits) AS good, sum(poorVisits) AS poor
     FROM (${source.sql})
     GROUP BY ${by} ORDER BY count DESC, ${by} LIMIT {rows:UInt32}`,
    { ...source.params, rows },
  )
}

/** How many visits told the vital that most told. */
export async function mostVisits(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalSumsInput,
): Promise<number> {
  const source = await sumsSource(deps, grant, input, ['name'], ['sampled'])
  if (source === undefined) return 0
  const [row] = await deps.telemetry.query<{ readonly most: number }>(
    `SELECT max(n) AS most FROM (SELECT sum(sampled) AS n FROM (${source.sql}) GROUP BY name)`,
    source.params,
  )
  return row?.most ?? 0
}

/** To be selected from, in brackets; more than one row for a combination of the keys. Undefined: there is nothing to read. */
async function sumsSource(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalSumsInput,
  keys: readonly Key[],
  sums: readonly (keyof typeof VITAL_SUMS)[],
): Promise<Conditions | undefined> {
  const where = await vitalConditions(deps, grant, input)
  if (where === undefined) return undefined
  const weeks = await wholeWeeks(deps, input)
  const by = keys.join(', ')
  const selected = sums.map((name) => `${VITAL_SUMS[name]} AS ${name}`).join(', ')
  const each = (from: string, condition: string): string =>
    `SELECT ${by}, ${selected} FROM ${from} WHERE ${condition} GROUP BY ${by}`
  const parts =
    weeks === undefined
      ? [each(VITAL_ROWS, where.sql)]
      : [
          each('vitals', summedCondition(input)),
          each(VITAL_ROWS, `${where.sql} AND ${sinceWeek('{openFrom:Date}')}`),
          // Of the weeks that are over: what lies before the first whole one, and behind the last. Each is one part,
          // in which nothing is there twice; and with FINAL the index on times would leave nothing out.
          each(
            'vitals',
            `${where.sql} AND ${beforeWeek('{openFrom:Date}')}
             AND (timestamp < {weeksFrom:DateTime64(3)} OR timestamp >= {weeksTo:DateTime64(3)})`,
          ),
        ]
  return { sql: parts.join(' UNION ALL '), params: { ...where.params, ...weeks } }
}

/** What the projection holds. */
const SUM_NAMES = Object.keys(VITAL_SUMS) as readonly (keyof typeof VITAL_SUMS)[]

/** What `by_week` can be narrowed to; the parameters are those of the other parts. */
function summedCondition({ environment = [], name, route }: VitalSumsInput): string {
  return [
    'project_id IN {projects:Array(UInt32)}',
    'toMonday(received) < {openFrom:Date}',
    'toMonday(timestamp) >= {weeksFromDay:Date}',
    'toMonday(timestamp) < {weeksToDay:Date}',
    ...(environment.length === 0 ? [] : ['environment IN {environment:Array(String)}']),
    ...(name === undefined ? [] : ['name = {name:String}']),
    ...(route === undefined ? [] : ['route = {route:String}']),
  ].join(' AND ')
}

type WholeWeeks = {
  /** Monday of the first week of receipt that is not over, or not yet one part. */
  readonly openFrom: string
  /** The whole weeks of the window, `weeksTo` exclusive; as instants and as days. */
  readonly weeksFrom: number
  readonly weeksTo: number
  readonly weeksFromDay: string
  readonly weeksToDay: string
}

/** Undefined when nothing of the window can be taken from what was summed up. */
async function wholeWeeks(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  input: VitalSumsInput,
): Promise<WholeWeeks | undefined> {
  const weeksFrom = FIRST_MONDAY_MS + Math.ceil((input.fromMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS
  const weeksTo = FIRST_MONDAY_MS + Math.floor((input.toMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS
  const isNarrowed = FILTER_COLUMNS.some((column) => column !== 'environment' && input[column]?.length)
  if (weeksFrom >= weeksTo || isNarrowed) return undefined
  // In a week of several parts a value and what replaced it may lie side by side, each summed up.
  const stored = await telemetry.parts('vitals')
  const last = stored.at(-1)
  if (last === undefined) return undefined
  const open = stored.find(({ parts, level }) => parts > 1 || level === 0)
  const openFrom = open?.week ?? dayText(Date.parse(last.week) + WEEK_MS)
  if (Date.parse(openFrom) <= weeksFrom) return undefined
  return { openFrom, weeksFrom, weeksTo, weeksFromDay: dayText(weeksFrom), weeksToDay: dayText(weeksTo) }
}

// How the values of one vital are spread: visits by bins of equal width, which end on its thresholds.

/** The finest width whose multiples both thresholds are, and how many bins lead to twice the poor one. */
export const VITAL_BINS: Readonly<Record<VitalName, { readonly width: number; readonly count: number }>> = {
  lcp: { width: 50, count: 160 },
  inp: { width: 10, count: 100 },
  cls: { width: 0.005, count: 100 },
  fcp: { width: 50, count: 120 },
  ttfb: { width: 20, count: 180 },
}

export type VitalHistogram = {
  readonly width: number
  /**
   * Visits of each bin, counted up from what was sampled: bin n has the values above n widths up to and including
   * n + 1, so that a value on a threshold lies on its better side. The first has 0 too.
   */
  readonly bins: readonly number[]
  /** Visits above the last bin. */
  readonly beyond: number
}

/** One pass over the vital's rows of the window; at most 181 rows. */
export async function vitalHistogram(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalInput,
): Promise<VitalHistogram> {
  const { width, count } = VITAL_BINS[input.name]
  const where = await vitalConditions(deps, grant, input)
  const rows =
    where === undefined
      ? []
      : await deps.telemetry.query<{ readonly bin: number; readonly visits: number }>(
          // Rounded first: 0.07 / 0.005 is a little more than 14 for a processor.
          `SELECT toUInt32(least({count:UInt32}, greatest(0, ceil(round(value / {width:Float64}, 6)) - 1))) AS bin,
             ${VISITS} AS visits
           FROM ${VITAL_ROWS} WHERE ${where.sql} GROUP BY bin`,
          { ...where.params, width, count },
        )
  const bins = Array.from({ length: count }, () => 0)
  let beyond = 0
  for (const { bin, visits } of rows) {
    if (bin < count) bins[bin] = Math.round(visits)
    else beyond = Math.round(visits)
  }
  return { width, bins, beyond }
}

export { VITAL_NAMES, type VitalName, type VitalSummary }

/** `count` and `samples` of the vital that most visits told. */
export type RouteVitals = { readonly route: string; readonly count: number; readonly samples: number } & {
  readonly [Name in VitalName]?: VitalSummary
}

export type RouteVitalsInput = PerformanceFilter & { readonly limit?: number }

const MAX_ROUTES = 1000

/**
 * Routes with the most visits first. Percentiles are within 0.4 % of the exact ones (16-bit floats), in one pass. Of
 * several values that one page told, the last final one counts.
 */
export async function routeVitals(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: RouteVitalsInput,
): Promise<RouteVitals[]> {
  const rows = await vitalSums(deps, grant, input, {
    keys: ['route', 'name'],
    rows: MAX_ROUTES * VITAL_NAMES.length,
  })
  const routes = [...Map.groupBy(rows, ({ route }) => route)].map(([route, own]) => routeOf(route, own))
  return routes.sort((a, b) => b.count - a.count).slice(0, Math.min(input.limit ?? 100, MAX_ROUTES))
}

type Row = SummaryRow & { readonly route: string; readonly name: string }

function routeOf(route: string, rows: readonly Row[]): RouteVitals {
  const vitals = Object.fromEntries(rows.map((row) => [row.name, summaryOf(row)]))
  const { count, samples } = rows.reduce((most, row) => (row.count > most.count ? row : most), NONE)
  return { route, count: Math.round(count), samples, ...vitals }
}

const NONE = { count: 0, samples: 0 }

/** Each web vital of a project or of one route, in one row. */
export type VitalOverviewInput = PerformanceFilter & { readonly route?: string | undefined }
/** `firstMs`: Unix milliseconds of the earliest visit in the window. */
export type VitalOverviewRow = VitalSummary & { readonly name: VitalName; readonly firstMs: number }

/** Those that anyone told, in the order of the list. One pass over the window, over the sums of the weeks that are over. */
export async function vitalOverview(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalOverviewInput,
): Promise<readonly VitalOverviewRow[]> {
  const rows = await vitalSums(deps, grant, input, { keys: ['name'], rows: VITAL_NAMES.length })
  return VITAL_NAMES.flatMap((name) => {
    const row = rows.find((each) => each.name === name)
    return row ? [{ name, firstMs: row.firstMs, ...summaryOf(row) }] : []
  })
}
