/** What a vital's values come from: elements that were painted, pressed or moved, and the files behind them. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { visitSample } from './visit-sample.ts'
import {
  type CauseFigures,
  goodVisits,
  VISITS,
  VITAL_P75,
  VITAL_ROWS,
  vitalConditions,
  type VitalInput,
} from './vital-conditions.ts'
import { vitalSources, type VitalSource } from './vital-sources.ts'

export type VitalElement = CauseFigures & { readonly element: string }
export type VitalCauses = {
  readonly elements: readonly VitalElement[]
  readonly sources: readonly VitalSource[]
}

const ROWS = 10
/** Read of very many; what is told is counted up from them. */
const MAX_VISITS = 50_000

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
  const { sql: sampled, share } = visitSample(input.visits, MAX_VISITS)
  const read = { sql: `${where.sql} ${sampled}`, params: where.params }
  const figures = `${VITAL_P75} AS p75, count() AS samples, ${VISITS} AS count,
    count - ${goodVisits(input.name)} AS bad`
  const [elements, sources] = await Promise.all([
    deps.telemetry.query<VitalElement>(
      `SELECT element, ${figures} FROM ${VITAL_ROWS} WHERE ${read.sql} AND element != ''
       GROUP BY element ORDER BY bad DESC, p75 DESC, element LIMIT {rows:UInt32}`,
      { ...read.params, rows: ROWS },
    ),
    vitalSources(deps, { where: read, figures, rows: ROWS, isScript: input.name === 'inp' }),
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
