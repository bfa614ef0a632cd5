/** What stands in rows of `vitals` about why a value is what it is, summed up for the sentence about a route. */
import { VITAL_THRESHOLDS, type VitalName } from '@sonde/protocol/web-vitals'
import type { QueryDeps } from '../query-deps.ts'
import { PLACE_COLUMNS, type PlaceRow } from '../scripts/script-position.ts'
import type { Conditions } from './performance-filter.ts'
import { VISITS, VITAL_P75, VITAL_ROWS } from './vital-conditions.ts'

/** The vitals about which a sentence can be said. */
export type ExplainedVital = Extract<VitalName, 'lcp' | 'inp' | 'cls'>

/** One cause in one release. Sums are of milliseconds times page views; of CLS of its values. */
export type CauseRow = PlaceRow & {
  readonly functionName: string
  readonly element: string
  readonly component: string
  /** Name of the component's file, without folders. */
  readonly file: string
  /** In the window: the values, and of them what the script took, or the largest shift; of LCP the parts of the value. */
  readonly whole: number
  readonly own: number
  readonly firstByte: number
  readonly load: number
  readonly render: number
  /** Of `render`: until the last style sheet came without which nothing is rendered. */
  readonly style: number
  /** The path of that sheet, and of the one that names the picture or the font. Empty: not told. */
  readonly sheet: string
  readonly namedIn: string
  /** Of CLS the path of the font or style sheet that had just come. */
  readonly late: string
  /** The same as `own`, `load` and `style` over all that is compared, for the comparison of releases. */
  readonly everOwn: number
  readonly everLoad: number
  readonly everStyle: number
  readonly everWhole: number
}

export type ReleaseRow = {
  readonly release: string
  readonly firstMs: number
  readonly visits: number
  readonly samples: number
}

export type CauseSums = {
  readonly p75: number
  readonly samples: number
  readonly visits: number
  /** Measured page views that were not good. */
  readonly bad: number
  readonly whole: number
}

/** `where`: all that is compared; `from` and `to`: what the sentence is about. */
export type CauseInput = {
  readonly name: ExplainedVital
  readonly where: Conditions
  readonly fromMs: number
  readonly toMs: number
}
type Deps = Pick<QueryDeps, 'telemetry'>

/** Releases beyond these have a page view here and there. */
const MAX_ROWS = 300
const MAX_RELEASES = 100

const IN_WINDOW = 'timestamp >= {windowFrom:DateTime64(3)} AND timestamp < {windowTo:DateTime64(3)}'
const about = (name: VitalName, of: string): string => `'browser.web_vital.${name}.${of}'`

/** Of a row: how much of its value its own cause takes. */
const OWN: Readonly<Record<ExplainedVital, string>> = {
  inp: `if(mapContains(numbers, 'browser.script.duration'), least(value, numbers['browser.script.duration']), value)`,
  cls: `if(mapContains(numbers, ${about('cls', 'largest_shift_value')}),
    least(value, numbers[${about('cls', 'largest_shift_value')}]), value)`,
  lcp: 'value',
}
const lcpPart = (...parts: readonly string[]): string =>
  parts.map((part) => `numbers[${about('lcp', part)}]`).join(' + ')

/** It is a part of another part, whoever sends it. */
const STYLE = `least(${lcpPart('stylesheet_delay')}, ${lcpPart('element_render_delay')})`

/** Those that cost the most in the window first. One pass over the rows of one vital and route. */
export function causeRows({ telemetry }: Deps, input: CauseInput): Promise<readonly CauseRow[]> {
  const { name } = input
  const weighed = (sql: string): string => `sumIf((${sql}) / sample_rate, ${IN_WINDOW})`
  const isLcp = name === 'lcp'
  return telemetry.query<CauseRow>(
    `SELECT ${PLACE_COLUMNS}, strings['code.function'] AS functionName, element,
       strings[${about(name, 'component')}] AS component, strings[${about(name, 'source_file')}] AS file,
       ${weighed('value')} AS whole, ${weighed(OWN[name])} AS own,
       ${isLcp ? weighed(lcpPart('time_to_first_byte')) : '0.'} AS firstByte,
       ${isLcp ? weighed(lcpPart('resource_load_delay', 'resource_load_duration')) : '0.'} AS load,
       ${isLcp ? weighed(lcpPart('element_render_delay')) : '0.'} AS render,
       ${isLcp ? weighed(STYLE) : '0.'} AS style, strings[${about(name, 'stylesheet')}] AS sheet,
       strings[${about(name, 'url_stylesheet')}] AS namedIn, strings[${about(name, 'late_resource')}] AS late,
       sum((${OWN[name]}) / sample_rate) AS everOwn,
       ${isLcp ? `sum((${lcpPart('resource_load_delay', 'resource_load_duration')}) / sample_rate)` : '0.'} AS everLoad,
       ${isLcp ? `sum((${STYLE}) / sample_rate)` : '0.'} AS everStyle,
       sum(value / sample_rate) AS everWhole
     FROM ${VITAL_ROWS} WHERE ${input.where.sql}
     GROUP BY projectId, release, source, character, debugId, dist, functionName, element, component, file,
       sheet, namedIn, late
     ORDER BY whole DESC, everWhole DESC, release, element LIMIT {rows:UInt32}`,
    { ...paramsOf(input), rows: MAX_ROWS },
  )
}

/** In the order in which they were first seen. */
export function releaseRows({ telemetry }: Deps, input: CauseInput): Promise<readonly ReleaseRow[]> {
  return telemetry.query<ReleaseRow>(
    `SELECT release, toUnixTimestamp64Milli(min(timestamp)) AS firstMs, ${VISITS} AS visits, count() AS samples
     FROM ${VITAL_ROWS} WHERE ${input.where.sql}
     GROUP BY release ORDER BY firstMs, release LIMIT {rows:UInt32}`,
    { ...paramsOf(input), rows: MAX_RELEASES },
  )
}

/** Undefined: nothing was measured in the window. */
export async function causeSums({ telemetry }: Deps, input: CauseInput): Promise<CauseSums | undefined> {
  const [row] = await telemetry.query<CauseSums>(
    `SELECT ${VITAL_P75} AS p75, count() AS samples, ${VISITS} AS visits,
       countIf(value > ${VITAL_THRESHOLDS[input.name][0]}) AS bad, sum(value / sample_rate) AS whole
     FROM ${VITAL_ROWS} WHERE ${input.where.sql} AND ${IN_WINDOW}`,
    paramsOf(input),
  )
  return row === undefined || row.samples === 0 ? undefined : row
}

const paramsOf = ({ where, fromMs, toMs }: CauseInput) => ({
  ...where.params,
  windowFrom: fromMs,
  windowTo: toMs,
})
