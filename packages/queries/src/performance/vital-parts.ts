/** Where the time of one vital goes: the parts that its reporter measured, of visits as slow as the 75th percentile. */
import type { Grant } from '@sonde/access'
import type { VitalName } from '@sonde/protocol/web-vitals'
import type { QueryDeps } from '../query-deps.ts'
import { WEIGHT } from './performance-filter.ts'
import { visitSample } from './visit-sample.ts'
import { VITAL_ROWS, vitalConditions, type VitalInput } from './vital-conditions.ts'

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
  readonly toldBy: number
  /** Milliseconds, on average. */
  readonly parts: readonly { readonly part: VitalPart; readonly ms: number }[]
}

/** An average of a fifth of them is exact to less than a hundredth. */
const MAX_VISITS = 20_000

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
  const { sql: sampled } = visitSample(input.visits, MAX_VISITS)
  const told = `${where.sql} ${sampled} AND mapContains(numbers, 'browser.web_vital.${name}.${names[0]}')`
  const [row] = await deps.telemetry.query<Row>(
    `WITH (SELECT (quantilesExactWeighted(0.65, 0.85)(value, ${WEIGHT}), count()) FROM ${VITAL_ROWS} WHERE ${told})
       AS whole
     SELECT count() AS samples, whole.2 AS toldBy,
       [${names.map((part) => `sum(${key(part)} / sample_rate)`).join(', ')}] AS sums,
       sum(1 / sample_rate) AS visits
     FROM ${VITAL_ROWS} WHERE ${told} AND value >= whole.1[1] AND value <= whole.1[2]`,
    where.params,
  )
  if (!row || row.samples === 0) return undefined
  const parts = names.map((part, index) => ({ part, ms: (row.sums[index] ?? 0) / row.visits }))
  return { samples: row.samples, toldBy: row.toldBy, parts }
}

type Row = {
  readonly samples: number
  readonly toldBy: number
  readonly sums: readonly number[]
  readonly visits: number
}
