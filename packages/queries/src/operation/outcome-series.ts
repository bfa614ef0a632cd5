/** What became of everything that was received, over time: the chart of the operator's page. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { type BucketWindow, bucketWindow, type WindowInput } from '../series/intervals.ts'

export type OutcomeCount = {
  /** `error`, `transaction`, `session`, … */
  readonly category: string
  /** `accepted`, `filtered`, `rate_limited`, `invalid`, … */
  readonly outcome: string
  /** Empty for what was accepted. */
  readonly reason: string
  readonly quantity: number
}

// Honest reasons are some dozens; what SDKs say themselves comes last, because anybody can make them say anything.
const MAX_OUTCOME_LINES = 1_000

/** What became of everything that was received, in the whole installation, for `sonde doctor`. */
export async function installationOutcomes(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  _grant: Grant<'operate', 'operator'>,
  { periodMs }: { readonly periodMs: number },
): Promise<readonly OutcomeCount[]> {
  return telemetry.query<OutcomeCount>(
    `SELECT category, outcome, reason, sum(quantity) AS quantity FROM outcomes
     WHERE minute >= {since:DateTime}
     GROUP BY category, outcome, reason
     ORDER BY outcome = 'client_discard', quantity DESC, category, outcome, reason LIMIT ${MAX_OUTCOME_LINES}`,
    { since: new Date(clock.nowMs() - periodMs) },
  )
}

export type OutcomeLine = {
  /** `error`, `transaction`, `session`, … */
  readonly category: string
  /** `accepted`, `filtered`, `rate_limited`, `invalid`, … */
  readonly outcome: string
  /** Empty for what was accepted. */
  readonly reason: string
  readonly total: number
  /** One number per element of `startsMs`. */
  readonly counts: readonly number[]
}

/** Lines with the most first. */
export type OutcomeSeries = BucketWindow & { readonly lines: readonly OutcomeLine[] }

// Honest reasons are some dozens; what SDKs say themselves comes last, because anybody can make them say anything.
const MAX_LINES = 200

/**
 * Over the whole installation. Outcomes are counted per
 * minute, so no bucket is shorter. Reads `outcomes` within the window: one small row per project, key, kind and minute.
 */
export async function installationOutcomeSeries(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  _grant: Grant<'operate', 'operator'>,
  input: WindowInput,
): Promise<OutcomeSeries> {
  const window = bucketWindow(input, '1m')
  const rows = await telemetry.query<
    Pick<OutcomeLine, 'category' | 'outcome' | 'reason'> & { bucket: number; n: number }
  >(
    `SELECT category, outcome, reason, intDiv(toUnixTimestamp(minute) - {from:Int64}, {step:Int64}) AS bucket,
       sum(quantity) AS n
     FROM outcomes WHERE minute >= {from:DateTime} AND minute < {to:DateTime}
       AND (category, outcome, reason) IN (SELECT category, outcome, reason FROM outcomes
         WHERE minute >= {from:DateTime} AND minute < {to:DateTime} GROUP BY category, outcome, reason
         ORDER BY outcome = 'client_discard', sum(quantity) DESC LIMIT ${MAX_LINES})
     GROUP BY category, outcome, reason, bucket`,
    {
      from: Math.trunc(window.fromMs / 1000),
      to: new Date(window.toMs),
      step: window.stepMs / 1000,
    },
  )
  const lines = new Map<string, OutcomeLine & { counts: number[]; total: number }>()
  for (const { bucket, n, ...kind } of rows) {
    const key = JSON.stringify(kind)
    const line = lines.get(key) ?? { ...kind, total: 0, counts: window.startsMs.map(() => 0) }
    line.counts[bucket] = n
    line.total += n
    lines.set(key, line)
  }
  const name = ({ category, outcome, reason }: OutcomeLine): string => `${category} ${outcome} ${reason}`
  return {
    ...window,
    lines: [...lines.values()].toSorted((a, b) => b.total - a.total || name(a).localeCompare(name(b))),
  }
}
