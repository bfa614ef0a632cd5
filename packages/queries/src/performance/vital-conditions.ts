/** What the questions about one web vital have in common: which rows, and how they are summed up. */
import type { Grant } from '@sonde/access'
import { VITAL_THRESHOLDS, type VitalName } from '@sonde/protocol/web-vitals'
import type { QueryDeps } from '../query-deps.ts'
import {
  type Conditions,
  performanceConditions,
  type PerformanceFilter,
  WEIGHT,
} from './performance-filter.ts'

export type VitalInput = PerformanceFilter & {
  readonly name: VitalName
  /** Template of one route; undefined: all of them. */
  readonly route?: string | undefined
  /** How many there are, where that is known (`vitalOverview`): of very many, what is no figure by itself reads a part. */
  readonly visits?: number | undefined
}

/** How much an element or a script weighs. */
export type CauseFigures = {
  readonly p75: number
  readonly samples: number
  /** Visits, counted up from what was sampled; `bad` of them were not good. */
  readonly count: number
  readonly bad: number
}

/** Of several values that one page told, the last final one. */
export const VITAL_ROWS = 'vitals FINAL'

/** Within 0.4 % of the exact one (16-bit floats), in one pass. */
export const VITAL_P75 = `quantileBFloat16Weighted(0.75)(value, ${WEIGHT})`
/** How many visits the rows stand for; `samples` is how many rows there are. */
export const VISITS = 'sum(1 / sample_rate)'

/** Undefined when there is nothing to read. With a name it is one range of the ordering key of `vitals`. */
export async function vitalConditions(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: PerformanceFilter & Partial<Pick<VitalInput, 'name' | 'route'>>,
): Promise<Conditions | undefined> {
  const where = await performanceConditions(deps, grant, input)
  if (where === undefined) return undefined
  const { name, route } = input
  return {
    sql: [
      where.sql,
      ...(name === undefined ? [] : ['name = {name:String}']),
      ...(route === undefined ? [] : ['route = {route:String}']),
    ].join(' AND '),
    params: { ...where.params, ...(name !== undefined && { name }), ...(route !== undefined && { route }) },
  }
}

/** Visits of one vital that were good; as a literal: it is ours. */
export const goodVisits = (name: VitalName): string =>
  `sumIf(1 / sample_rate, value <= ${VITAL_THRESHOLDS[name][0]})`
