/** What a vital's values come from: elements that were painted, pressed or moved, and the files behind them. */
import type { QueryDeps } from '../query-deps.ts'
import type { AnyScope } from '../scope-projects.ts'
import { visitSample } from './visit-sample.ts'
import {
  goodVisits,
  VISITS,
  VITAL_P75,
  VITAL_ROWS,
  vitalConditions,
  type VitalInput,
} from './vital-conditions.ts'

type CauseFigures = {
  readonly p75: number
  readonly samples: number
  /** Visits, counted up from what was sampled; `bad` of them were not good. */
  readonly count: number
  readonly bad: number
}
export type VitalElement = CauseFigures & { readonly element: string }
/** The script that ran longest (INP) or the picture that was painted (LCP); of scripts also what ran in it. */
export type VitalSource = CauseFigures & {
  readonly source: string
  /** Empty where nobody said: only scripts have them. */
  readonly functionName: string
  readonly invoker: string
}
export type VitalCauses = {
  readonly elements: readonly VitalElement[]
  readonly sources: readonly VitalSource[]
}

const ROWS = 10
/** Read of very many; what is told is counted up from them. */
const MAX_VISITS = 50_000

/**
 * Those first that cost the most visits their good rating: the slowest of all is often one visit on one old phone. Two
 * passes over the vital's rows of the window, ten rows each.
 */
export async function vitalCauses(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  scope: AnyScope,
  input: VitalInput,
): Promise<VitalCauses> {
  const where = await vitalConditions(deps, scope, input)
  if (where === undefined) return { elements: [], sources: [] }
  const { sql: sampled, share } = visitSample(input.visits, MAX_VISITS)
  const ask = <Row extends CauseFigures>(
    columns: string,
    keys: string,
    told: string,
  ): Promise<readonly Row[]> =>
    deps.telemetry.query<Row>(
      `SELECT ${columns}, ${VITAL_P75} AS p75, count() AS samples, ${VISITS} AS count,
         count - ${goodVisits(input.name)} AS bad
       FROM ${VITAL_ROWS} WHERE ${where.sql} ${sampled} AND ${told} != ''
       GROUP BY ${keys} ORDER BY bad DESC, p75 DESC, ${keys} LIMIT {rows:UInt32}`,
      { ...where.params, rows: ROWS },
    )
  const [elements, sources] = await Promise.all([
    ask<VitalElement>('element', 'element', 'element'),
    ask<VitalSource>(
      "source, strings['code.function'] AS functionName, strings['browser.script.invoker'] AS invoker",
      'source, functionName, invoker',
      'source',
    ),
  ])
  return {
    elements: elements.map((row) => whole(row, share)),
    sources: sources.map((row) => whole(row, share)),
  }
}

const whole = <Row extends CauseFigures>(row: Row, share: number): Row => ({
  ...row,
  count: Math.round(row.count / share),
  bad: Math.round(row.bad / share),
})
