/** For whom a vital is slow: the same figure by browser, device, country, connection and release. */
import type { Grant } from '@sonde/access'
import type { VitalName } from '@sonde/protocol/web-vitals'
import type { QueryDeps } from '../query-deps.ts'
import { WEIGHT } from './performance-filter.ts'
import {
  type CauseFigures,
  goodVisits,
  VISITS,
  visitSample,
  VITAL_P75,
  VITAL_ROWS,
  vitalConditions,
  type VitalInput,
} from './vital-conditions.ts'
import { type VitalSource, vitalSources } from './vital-sources.ts'

/** What a vital's values come from: elements that were painted, pressed or moved, and the files behind them. */
export type VitalElement = CauseFigures & { readonly element: string }
export type VitalCauses = {
  readonly elements: readonly VitalElement[]
  readonly sources: readonly VitalSource[]
}

const CAUSE_ROWS = 10
/** Read of very many; what is told is counted up from them. */
const MAX_CAUSE_VISITS = 50_000

/**
 * Those first that cost the most visits their good rating: the slowest of all is often one visit on one old phone. Three
 * passes over the vital's rows of the window, ten rows each.
 */
export async function vitalCauses(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalInput,
): Promise<VitalCauses> {
  const where = await vitalConditions(deps, grant, input)
  if (where === undefined) return { elements: [], sources: [] }
  const { sql: sampled, share } = visitSample(input.visits, MAX_CAUSE_VISITS)
  const read = { sql: `${where.sql} ${sampled}`, params: where.params }
  const figures = `${VITAL_P75} AS p75, count() AS samples, ${VISITS} AS count,
    count - ${goodVisits(input.name)} AS bad`
  const [elements, sources] = await Promise.all([
    deps.telemetry.query<VitalElement>(
      `SELECT element, ${figures} FROM ${VITAL_ROWS} WHERE ${read.sql} AND element != ''
       GROUP BY element ORDER BY bad DESC, p75 DESC, element LIMIT {rows:UInt32}`,
      { ...read.params, rows: CAUSE_ROWS },
    ),
    vitalSources(deps, { where: read, figures, rows: CAUSE_ROWS, isScript: input.name === 'inp' }),
  ])
  return {
    elements: elements.map((row) => whole(row, share)),
    sources: sources.map((row) => whole(row, share)),
  }
}

const whole = <Figures extends CauseFigures>(row: Figures, share: number): Figures => ({
  ...row,
  count: Math.round(row.count / share),
  bad: Math.round(row.bad / share),
})

// Where the time of one vital goes: the parts that its reporter measured, of visits as slow as the 75th percentile.

/**
 * In the order in which they follow each other; together they are the value. The other vitals have none.
 * https://web.dev/articles/optimize-lcp#lcp-breakdown, https://web.dev/articles/optimize-inp
 */
const VITAL_PARTS = {
  lcp: ['time_to_first_byte', 'resource_load_delay', 'resource_load_duration', 'element_render_delay'],
  inp: ['input_delay', 'processing_duration', 'presentation_delay'],
} as const satisfies Partial<Record<VitalName, readonly string[]>>
export type VitalPart = (typeof VITAL_PARTS)[keyof typeof VITAL_PARTS][number]

export type VitalParts = {
  /** Visits that were averaged, and those that told their parts at all. */
  readonly samples: number
  readonly reportedBy: number
  /** Milliseconds, on average. */
  readonly parts: readonly { readonly part: VitalPart; readonly ms: number }[]
}

/** An average of a fifth of them is exact to less than a hundredth. */
const MAX_PART_VISITS = 20_000

/**
 * The average over the visits between the 65th and the 85th percentile: percentiles of each part by itself would add up
 * to more than any visit had. Undefined when nobody told parts: other SDKs than Sonde's do not.
 */
export async function vitalParts(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalInput,
): Promise<VitalParts | undefined> {
  const { name } = input
  if (name !== 'lcp' && name !== 'inp') return undefined
  const where = await vitalConditions(deps, grant, input)
  if (where === undefined) return undefined
  const names = VITAL_PARTS[name]
  const key = (part: VitalPart): string => `numbers['browser.web_vital.${name}.${part}']`
  const { sql: sampled } = visitSample(input.visits, MAX_PART_VISITS)
  const reported = `${where.sql} ${sampled} AND mapContains(numbers, 'browser.web_vital.${name}.${names[0]}')`
  const [row] = await deps.telemetry.query<PartsRow>(
    `WITH (SELECT (quantilesExactWeighted(0.65, 0.85)(value, ${WEIGHT}), count()) FROM ${VITAL_ROWS} WHERE ${reported})
       AS whole
     SELECT count() AS samples, whole.2 AS reportedBy,
       [${names.map((part) => `sum(${key(part)} / sample_rate)`).join(', ')}] AS sums,
       sum(1 / sample_rate) AS visits
     FROM ${VITAL_ROWS} WHERE ${reported} AND value >= whole.1[1] AND value <= whole.1[2]`,
    where.params,
  )
  if (!row || row.samples === 0) return undefined
  const parts = names.map((part, index) => ({ part, ms: (row.sums[index] ?? 0) / row.visits }))
  return { samples: row.samples, reportedBy: row.reportedBy, parts }
}

type PartsRow = {
  readonly samples: number
  readonly reportedBy: number
  readonly sums: readonly number[]
  readonly visits: number
}

const BREAKDOWN_COLUMNS = ['device', 'browser', 'connection', 'country', 'release'] as const
export type BreakdownColumn = (typeof BREAKDOWN_COLUMNS)[number]

export type BreakdownRow = {
  /** Empty: nobody said. */
  readonly value: string
  readonly p75: number
  readonly samples: number
  readonly count: number
  readonly good: number
}
export type VitalBreakdown = { readonly [Column in BreakdownColumn]: readonly BreakdownRow[] }

const ROWS = 8
/** Read of very many; what is told is counted up from them. */
const MAX_VISITS = 100_000

/** Of each column the values with the most visits, at most eight. One pass over the vital's rows of the window. */
export async function vitalBreakdown(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalInput,
): Promise<VitalBreakdown> {
  const where = await vitalConditions(deps, grant, input)
  const { sql: sampled, share } = visitSample(input.visits, MAX_VISITS)
  const rows =
    where === undefined
      ? []
      : await deps.telemetry.query<Row>(
          `SELECT ${column('grouping')} AS grouped, ${column('value')} AS reported, ${VITAL_P75} AS p75,
             count() AS samples, ${VISITS} AS count, ${goodVisits(input.name)} AS good
           FROM ${VITAL_ROWS} WHERE ${where.sql} ${sampled}
           GROUP BY GROUPING SETS (${BREAKDOWN_COLUMNS.map((name) => `(${name})`).join(', ')})
           ORDER BY count DESC, reported LIMIT {rows:UInt32} BY grouped`,
          { ...where.params, rows: ROWS },
        )
  const ofColumn = (name: BreakdownColumn): readonly BreakdownRow[] =>
    rows
      .filter(({ grouped }) => grouped === name)
      .map(({ reported, p75, samples, count, good }) => ({
        value: reported,
        p75,
        samples,
        count: Math.round(count / share),
        good: Math.round(good / share),
      }))
  return Object.fromEntries(BREAKDOWN_COLUMNS.map((name) => [name, ofColumn(name)])) as VitalBreakdown
}

/** By which column a row was grouped (`grouping` is 0 for it), as its name or as its value. */
function column(as: 'grouping' | 'value'): string {
  const cases = BREAKDOWN_COLUMNS.map(
    (name) => `grouping(${name}) = 0, ${as === 'grouping' ? `'${name}'` : `toString(${name})`}`,
  )
  return `multiIf(${cases.join(', ')}, '')`
}

type Row = Omit<BreakdownRow, 'value'> & { readonly grouped: BreakdownColumn; readonly reported: string }
