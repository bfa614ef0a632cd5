/** Single visits of one vital, to be opened as traces: the slowest, and such as stand for the others. */
import type { Grant } from '@sonde/access'
import type { SourcePosition } from '@sonde/protocol/code-position'
import type { QueryDeps } from '../query-deps.ts'
import { resolveScripts } from '../scripts/resolve-scripts.ts'
import {
  PLACE_COLUMNS,
  placeOf,
  type PlaceRow,
  positionOf,
  type SourcePlace,
  type Unreadable,
  unreadableOf,
} from '../scripts/script-position.ts'
import { WEIGHT } from './performance-filter.ts'
import { visitSample, VITAL_ROWS, vitalConditions, type VitalInput } from './vital-conditions.ts'

const SAMPLE_SETS = ['typical', 'slowest'] as const
export type SampleSet = (typeof SAMPLE_SETS)[number]

export type VitalSample = {
  /** Of `typical`: the visit at this percentile, 0 to 100; of `slowest` undefined. */
  readonly percentile: number | undefined
  readonly value: number
  readonly route: string
  readonly atMs: number
  readonly traceId: string
  readonly spanId: string
  readonly element: string
  readonly source: string
  /** As the browser told it. */
  readonly functionName: string
  /** Where the script that ran longest was written. */
  readonly place: SourcePlace | undefined
  /** Why that is not known; undefined where it is, and where no place in a script was told. */
  readonly unreadable: Unreadable | undefined
  readonly release: string
  readonly browser: string
  readonly device: string
  readonly country: string
  readonly connection: string
  /** What its reporter measured of it, by the names of the attributes. */
  readonly numbers: Readonly<Record<string, number>>
}
export type VitalSamplesInput = VitalInput & { readonly set: SampleSet }

const SLOWEST = 12
/** Enough to choose visits from that stand for the others. */
const MAX_VISITS = 20_000
/** Densest around the 75th, by which a route is rated; nobody learns from the fastest half. */
const PERCENTILES = [50, 60, 65, 70, 73, 75, 77, 80, 85, 90, 95, 99] as const

/** At most twelve, by value. Two or three passes over narrow columns, then the twelve rows by their key. */
export async function vitalSamples(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: VitalSamplesInput,
): Promise<readonly VitalSample[]> {
  const where = await vitalConditions(deps, grant, input)
  if (where === undefined) return []
  const { telemetry } = deps
  const chosen: ReadonlyMap<string, number | undefined> = await (input.set === 'slowest'
    ? slowestPages()
    : typicalPages())
  if (chosen.size === 0) return []
  const rows = await telemetry.query<Row>(
    `SELECT page_id AS pageId, value, route, toUnixTimestamp64Milli(timestamp) AS atMs,
       toString(trace_id) AS traceId, toString(span_id) AS spanId, element, browser, device, country, connection,
       numbers, strings['code.function'] AS functionName, ${PLACE_COLUMNS}
     FROM ${VITAL_ROWS} WHERE ${where.sql} AND page_id IN {pages:Array(String)}
     ORDER BY value DESC, page_id LIMIT {rows:UInt32}`,
    { ...where.params, pages: [...chosen.keys()], rows: SLOWEST },
  )
  const answers = await resolveScripts(deps, rows.map(positionOf))
  return rows.map((row, at) => sampleOf(row, chosen.get(row.pageId), answers[at]))

  async function slowestPages(): Promise<Map<string, undefined>> {
    const found = await telemetry.query<{ readonly pageId: string }>(
      `SELECT page_id AS pageId FROM ${VITAL_ROWS} WHERE ${where?.sql}
       ORDER BY value DESC, page_id LIMIT {rows:UInt32}`,
      { ...where?.params, rows: SLOWEST },
    )
    return new Map(found.map(({ pageId }) => [pageId, undefined]))
  }

  /** A page that lies at several percentiles, because there are few, is told once: at the one nearest to the 75th. */
  async function typicalPages(): Promise<Map<string, number>> {
    const levels = PERCENTILES.map((percentile) => percentile / 100).join(', ')
    const nearest = PERCENTILES.map(
      (_, index) => `argMin(page_id, (abs(value - marks[${index + 1}]), page_id))`,
    )
    const { sql: sampled } = visitSample(input.visits, MAX_VISITS)
    const [found] = await telemetry.query<{ readonly pages: readonly string[] }>(
      `WITH (SELECT quantilesExactWeighted(${levels})(value, ${WEIGHT}) FROM ${VITAL_ROWS} WHERE ${where?.sql} ${sampled}) AS marks
       SELECT [${nearest.join(', ')}] AS pages FROM ${VITAL_ROWS} WHERE ${where?.sql} ${sampled} HAVING count() > 0`,
      { ...where?.params },
    )
    const at = PERCENTILES.map((percentile, index) => [found?.pages[index] ?? '', percentile] as const)
    return new Map(
      at.filter(([page]) => page !== '').toSorted((a, b) => Math.abs(b[1] - 75) - Math.abs(a[1] - 75)),
    )
  }
}

type Row = Omit<VitalSample, 'percentile' | 'place' | 'unreadable'> & PlaceRow & { readonly pageId: string }

function sampleOf(row: Row, percentile: number | undefined, answer: SourcePosition | undefined): VitalSample {
  const {
    pageId: _page,
    projectId: _project,
    character: _character,
    debugId: _id,
    dist: _dist,
    ...reported
  } = row
  return { ...reported, percentile, place: placeOf(answer), unreadable: unreadableOf(answer, row.release) }
}
