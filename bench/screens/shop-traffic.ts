/**
 * What an application with many errors reports over a month: a few issues have most of the events, most have a few;
 * releases follow each other; most people use one browser. Seeded: each load is the same.
 */
import { hex, pick, type Random } from '../payloads/shop-app.ts'

export type PlannedIssue = {
  readonly template: number
  readonly value: string
  readonly culprit: string
  readonly level: string
  readonly status: 'unresolved' | 'resolved' | 'ignored'
  readonly hash: string
}

const SUBJECTS = [
  'cart',
  'invoice',
  'coupon',
  'session',
  'profile',
  'shipment',
  'warehouse',
  'refund',
  'search index',
]
const FAILURES = [
  'was not found',
  'has no owner',
  'took longer than 3000 ms',
  'cannot be read',
  'is locked by another request',
  'failed its checksum',
  'has an unknown currency',
]
const MODULES = ['checkout', 'orders', 'catalog', 'account', 'inventory', 'payments', 'mailer', 'reports']
const SYLLABLES = ['ka', 'lo', 'mi', 'ren', 'tu', 'vas', 'zor', 'bel', 'dip', 'qua', 'nex', 'fum']

/** `word` of an issue is in its message alone, or nearly: what somebody searches for. */
export function planIssues(random: Random, count: number, templates: number): PlannedIssue[] {
  return Array.from({ length: count }, () => {
    const word = Array.from({ length: 4 }, () => pick(random, SYLLABLES)).join('')
    return {
      template: Math.floor(random() * templates),
      value: `the ${pick(random, SUBJECTS)} of ${word} ${pick(random, FAILURES)}`,
      culprit: `${pick(random, MODULES)}/${word.slice(0, 6)}.ts in ${pick(random, MODULES)}Step`,
      level: weighted(random, LEVELS),
      status: weighted(random, STATUSES),
      hash: hex(random, 32),
    }
  })
}

/** The issue of each event, in the order in which they happen: one for each, the rest by Zipf's law. */
export function planEvents(random: Random, issues: number, events: number): Uint32Array {
  const plan = new Uint32Array(events)
  const cumulative = new Float64Array(issues)
  let sum = 0
  for (let rank = 0; rank < issues; rank++) cumulative[rank] = sum += 1 / (rank + 3) ** ZIPF
  for (let at = 0; at < events; at++) plan[at] = at < issues ? at : rankAt(cumulative, random() * sum)
  for (let at = events - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const swapped = plan[at] as number
    plan[at] = plan[other] as number
    plan[other] = swapped
  }
  return plan
}

const ZIPF = 1.05

function rankAt(cumulative: Float64Array, wanted: number): number {
  let [low, high] = [0, cumulative.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cumulative[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

type Weighted<T> = readonly (readonly [value: T, share: number])[]

export function weighted<T>(random: Random, choices: Weighted<T>): T {
  let rest = random()
  for (const [value, share] of choices) if ((rest -= share) < 0) return value
  return (choices.at(-1) as Weighted<T>[number])[0]
}

const LEVELS: Weighted<string> = [
  ['error', 0.82],
  ['warning', 0.14],
  ['fatal', 0.04],
]
const STATUSES: Weighted<PlannedIssue['status']> = [
  ['unresolved', 0.7],
  ['resolved', 0.2],
  ['ignored', 0.1],
]
export const ENVIRONMENTS: Weighted<string> = [
  ['production', 0.83],
  ['staging', 0.13],
  ['development', 0.04],
]
export const BROWSERS: Weighted<readonly [string, string]> = [
  [['Chrome', '151.0.0'], 0.61],
  [['Safari', '26.1'], 0.18],
  [['Firefox', '145.0'], 0.11],
  [['Edge', '150.0.0'], 0.08],
  [['Opera', '120.0.0'], 0.02],
]
export const SYSTEMS: Weighted<string> = [
  ['Windows', 0.5],
  ['macOS', 0.22],
  ['Android', 0.16],
  ['iOS', 0.09],
  ['Linux', 0.03],
]
/** One every day and a half; `part` is how much of the month is over. */
export const releaseAt = (part: number): string => `shop@4.${1 + Math.floor(part * 20)}.0`
/** Few people meet most of the errors. */
export const userAt = (random: Random): number => Math.floor(50_000 * random() ** 3)
