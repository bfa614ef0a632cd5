/** When a metric rule would have fired: its windows of the last days, judged one after the other as the role `alerts` does. */
import type { Grant } from '@sonde/access'
import { metricSeries, type MetricValue, type QueryDeps } from '@sonde/queries'
import { metricOf, type MetricRule } from '../rules/rule.ts'
import { isWithin } from '../rules/within-schedule.ts'
import { judge, pastOf } from '../windows/judge.ts'
import { barsOf, PREVIEW_MS, stepMinutesOf } from './preview-steps.ts'

export type MetricFiring = {
  /** The end of the first window that fired. */
  readonly atMs: number
  /** Null: it would still last. */
  readonly endMs: number | null
  /** As judged: of `change` in per cent. */
  readonly value: number | null
  readonly threshold: number | null
}

export type MetricPreview = {
  readonly kind: 'metric'
  readonly fromMs: number
  readonly toMs: number
  /** The width of one point of the chart. */
  readonly stepMs: number
  /** Of each point the window that comes nearest to firing, in the metric's unit. */
  readonly values: readonly (number | null)[]
  /** What it was compared with, in the same unit. */
  readonly thresholds: readonly (number | null)[]
  /** Rows of each point. */
  readonly counts: readonly number[]
  readonly total: number
  /** How often it would have fired. */
  readonly fired: number
  /** The newest first, at most `SHOWN_FIRINGS`. */
  readonly firings: readonly MetricFiring[]
}

export const SHOWN_FIRINGS = 20
const MINUTE_MS = 60_000
/** As a chart has room for; 14 days are then two hours each. */
const MAX_POINTS = 168
const NOTHING: MetricValue = { value: null, count: 0 }

/** Of the last 14 days unless told; of more, the last 14 of it. Throws `SearchError` and `ExploreError`. */
export async function previewMetric(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>,
  grant: Grant<'event:read', 'project'>,
  rule: MetricRule,
  within = { fromMs: deps.clock.nowMs() - PREVIEW_MS, toMs: deps.clock.nowMs() },
): Promise<MetricPreview> {
  const stepMs = stepMinutesOf(rule.windowMinutes) * MINUTE_MS
  const toMs = Math.floor(within.toMs / stepMs) * stepMs
  const windowMs = rule.windowMinutes * MINUTE_MS
  const agoSteps = pastOf(rule).map((agoMs) => Math.round(agoMs / stepMs))
  const lead = Math.max(0, ...agoSteps)
  const steps = Math.max(1, Math.round(Math.min(PREVIEW_MS, within.toMs - within.fromMs) / stepMs))
  const firstMs = toMs - (steps - 1) * stepMs
  const series = await metricSeries(deps, {
    grant,
    metric: metricOf(rule),
    fromMs: firstMs - lead * stepMs,
    toMs,
    stepMs,
    windowMs,
  })
  const judged = judgedSteps(rule, series, agoSteps, lead, (at) => firstMs + at * stepMs)
  const each = Math.max(1, Math.ceil(steps / MAX_POINTS))
  const points = barsOf(judged.steps, each)
  // Windows overlap, so a row is in several of them.
  const overlap = windowMs / stepMs
  const counts = points.map((own) => Math.round(own.reduce((sum, { count }) => sum + count, 0) / overlap))
  const worst = points.map((own) => worstOf(rule, own))
  return {
    kind: 'metric',
    fromMs: toMs - steps * stepMs,
    toMs,
    stepMs: each * stepMs,
    values: worst.map((step) => step?.value ?? null),
    thresholds: worst.map((step) => step?.threshold ?? null),
    counts,
    total: counts.reduce((sum, count) => sum + count, 0),
    firings: judged.firings.toReversed().slice(0, SHOWN_FIRINGS),
    fired: judged.firings.length,
  }
}

/** `threshold`: in the metric's unit, also of `change`. */
type Step = { readonly value: number | null; readonly threshold: number | null; readonly count: number }

function judgedSteps(
  rule: MetricRule,
  series: readonly MetricValue[],
  agoSteps: readonly number[],
  lead: number,
  endOf: (at: number) => number,
) {
  const firings: MetricFiring[] = []
  let open: MetricFiring | undefined
  const steps = series.slice(lead).map((now, at): Step => {
    const past = agoSteps.map((ago) => series[lead + at - ago] ?? NOTHING)
    const { state, value, threshold } = judge(rule, now, past, open !== undefined)
    const isChange = state === 'firing' ? !open : state === 'calm' && open !== undefined
    // Asked only where it decides: knowing the hour of a place is slow.
    if (isChange && isWithin(rule.schedule, endOf(at))) {
      if (open) firings.push({ ...open, endMs: endOf(at) })
      open = open ? undefined : { atMs: endOf(at), endMs: null, value, threshold }
    }
    const before = past[0]?.value ?? null
    const inUnit =
      rule.compare === 'change' && threshold !== null
        ? before === null
          ? null
          : before * (1 + threshold / 100)
        : threshold
    return { value: now.value, threshold: inUnit, count: now.count }
  })
  if (open) firings.push(open)
  return { steps, firings }
}

/** Nearest to the wrong side of its threshold; without one the highest or lowest. */
function worstOf({ direction }: MetricRule, steps: readonly Step[]): Step | undefined {
  const badness = ({ value, threshold }: Step): number => {
    if (value === null) return -Infinity
    const over = threshold === null ? value : value - threshold
    return direction === 'above' ? over : -over
  }
  return steps.toSorted((a, b) => badness(b) - badness(a))[0]
}
