/** Which steps the bars of a chart may have: those that a person reads on an axis, never 37 minutes. */
import { SondeError } from '@sonde/base'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export const INTERVALS = [
  ['1s', SECOND_MS],
  ['10s', 10 * SECOND_MS],
  ['30s', 30 * SECOND_MS],
  ['1m', MINUTE_MS],
  ['5m', 5 * MINUTE_MS],
  ['10m', 10 * MINUTE_MS],
  ['30m', 30 * MINUTE_MS],
  ['1h', HOUR_MS],
  ['3h', 3 * HOUR_MS],
  ['6h', 6 * HOUR_MS],
  ['12h', 12 * HOUR_MS],
  ['1d', DAY_MS],
  ['7d', 7 * DAY_MS],
  ['30d', 30 * DAY_MS],
] as const
export type Interval = (typeof INTERVALS)[number][0]

/** More bars than pixels tell nothing, and each costs a row. */
export const MAX_BUCKETS = 400
const DEFAULT_BUCKETS = 60
/** 1970-01-05 was the first Monday: weeks begin on it. The other steps count from the epoch, so days are UTC's. */
const WEEK_ORIGIN_MS = 4 * DAY_MS

export type WindowInput = {
  /** Unix milliseconds; `toMs` is exclusive. */
  readonly fromMs: number
  readonly toMs: number
  /** At most so many, 60 unless told: the shortest interval that keeps to it is taken. */
  readonly buckets?: number | undefined
  /** Instead of `buckets`; a longer one is taken when it would make more than `MAX_BUCKETS`. */
  readonly interval?: Interval | undefined
}

export type BucketWindow = {
  readonly interval: Interval
  readonly stepMs: number
  /** Exact beginnings of the buckets: the first is at or before `fromMs`, the last bucket holds the end. */
  readonly startsMs: readonly number[]
  /** Where the first begins and the last ends: what was counted. */
  readonly fromMs: number
  readonly toMs: number
}

/** Throws `SondeError` (`invalid`) for an empty or absurd window. `shortest`: no finer than what is stored. */
export function bucketWindow(input: WindowInput, shortest: Interval = '1s'): BucketWindow {
  const { fromMs, toMs, interval: requested } = input
  if (!Number.isFinite(fromMs) || !Number.isFinite(toMs) || fromMs < 0 || toMs <= fromMs) {
    throw new SondeError('invalid', 'a chart needs a beginning before its end', {
      operation: 'cut a window into buckets',
      subject: `${fromMs}-${toMs}`,
    })
  }
  const limit = requested === undefined ? bucketLimit(input.buckets) : MAX_BUCKETS
  const first = Math.max(indexOf(shortest), requested === undefined ? 0 : indexOf(requested))
  const fitting = INTERVALS.slice(first).find(([, stepMs]) => countOf(fromMs, toMs, stepMs) <= limit)
  const [interval, stepMs] = fitting ?? INTERVALS[INTERVALS.length - 1] ?? INTERVALS[0]
  const startMs = floorTo(fromMs, stepMs)
  const count = Math.min(MAX_BUCKETS, countOf(fromMs, toMs, stepMs))
  const startsMs = Array.from({ length: count }, (_, index) => startMs + index * stepMs)
  return { interval, stepMs, startsMs, fromMs: startMs, toMs: startMs + count * stepMs }
}

const originOf = (stepMs: number): number => (stepMs === 7 * DAY_MS ? WEEK_ORIGIN_MS : 0)

const indexOf = (interval: Interval): number => INTERVALS.findIndex(([name]) => name === interval)
const floorTo = (ms: number, stepMs: number): number =>
  Math.floor((ms - originOf(stepMs)) / stepMs) * stepMs + originOf(stepMs)
const countOf = (fromMs: number, toMs: number, stepMs: number): number =>
  Math.ceil((toMs - floorTo(fromMs, stepMs)) / stepMs)
const bucketLimit = (buckets: number | undefined): number =>
  Math.min(MAX_BUCKETS, Math.max(1, Math.trunc(buckets ?? DEFAULT_BUCKETS) || DEFAULT_BUCKETS))
