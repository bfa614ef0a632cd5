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

/**
 * A part of a vital's visits that stands for all of them and is cheap to read. Rows lie by the id of their page, which
 * is random, so ranges of ids are a random sample and one of the ordering key as well.
 */
type VisitSample = {
  /** To be added to a condition; empty when all are read. */
  readonly sql: string
  /** Of all visits, 0 < share ≤ 1: each that is read stands for `1 / share`. */
  readonly share: number
}

/** Digits by which ids are chosen: shares are multiples of a 4096th. */
const DIGITS = 3
const STEPS = 16 ** DIGITS
/** Up to this part of the visits two ranges do: beyond it the one from 0 would meet the one from 8. */
const MOST_STEPS = Math.floor((2 / 3) * STEPS)

/**
 * About `wanted` of `visits`, the same ones each time; all when `visits` is not known, and when it would be most of them. Ids
 * that SDKs cut out of a UUID begin with 8, 9, a or b only, the others with any digit. So a range from 8 that has a part of the
 * one kind has a quarter of that part of the other, and a range from 0 has the rest. Two ranges, because each is whole
 * granules of each week: sixteen, one behind each first digit, read a week of some hundred thousand visits whole.
 */
export function visitSample(visits: number | undefined, wanted: number): VisitSample {
  const steps = visits === undefined ? STEPS : Math.max(1, Math.ceil((STEPS * wanted) / Math.max(1, visits)))
  if (steps > MOST_STEPS) return { sql: '', share: 1 }
  const ranges = [rangeFrom('8', 4 * steps), rangeFrom('0', 12 * steps)]
  return { sql: `AND (${ranges.join(' OR ')})`, share: steps / STEPS }
}

/** Ids from the ones that begin with a digit on: `steps` of the 16 × 4096 that four digits tell apart. */
function rangeFrom(first: string, steps: number): string {
  const end = (Number.parseInt(first, 16) * STEPS + steps).toString(16).padStart(DIGITS + 1, '0')
  return `page_id >= '${first}' AND page_id < '${end}'`
}

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

/** A vital by its 75th percentile, by which Google rates, and the shares of visits by their own rating. */
export type VitalSummary = {
  /** Milliseconds; CLS has no unit. */
  readonly p75: number
  /** Visits that were measured: with few, the percentile is an accident. */
  readonly samples: number
  /** Numbers of visits, counted up from what was sampled. */
  readonly count: number
  readonly good: number
  readonly needsImprovement: number
  readonly poor: number
}

export type SummaryRow = {
  readonly p75: number
  readonly samples: number
  readonly count: number
  readonly good: number
  readonly poor: number
}

export function summaryOf({ p75, samples, count, good, poor }: SummaryRow): VitalSummary {
  const whole = { count: Math.round(count), good: Math.round(good), poor: Math.round(poor) }
  const needsImprovement = Math.max(0, whole.count - whole.good - whole.poor)
  return { p75, samples, ...whole, needsImprovement }
}
