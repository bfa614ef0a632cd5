/** For whom a vital is slow: the same figure by browser, device, country, connection and release. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { visitSample } from './visit-sample.ts'
import {
  goodVisits,
  VISITS,
  VITAL_P75,
  VITAL_ROWS,
  vitalConditions,
  type VitalInput,
} from './vital-conditions.ts'

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
          `SELECT ${column('grouping')} AS grouped, ${column('value')} AS told, ${VITAL_P75} AS p75,
             count() AS samples, ${VISITS} AS count, ${goodVisits(input.name)} AS good
           FROM ${VITAL_ROWS} WHERE ${where.sql} ${sampled}
           GROUP BY GROUPING SETS (${BREAKDOWN_COLUMNS.map((name) => `(${name})`).join(', ')})
           ORDER BY count DESC, told LIMIT {rows:UInt32} BY grouped`,
          { ...where.params, rows: ROWS },
        )
  const ofColumn = (name: BreakdownColumn): readonly BreakdownRow[] =>
    rows
      .filter(({ grouped }) => grouped === name)
      .map(({ told, p75, samples, count, good }) => ({
        value: told,
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

type Row = Omit<BreakdownRow, 'value'> & { readonly grouped: BreakdownColumn; readonly told: string }
