import type { QueryDeps } from './query-deps.ts'

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
const MAX_LINES = 1_000

/** What became of everything that was received, in the whole installation, for `sonde doctor`: whoever may run that may see the totals. */
export async function installationOutcomes(
  { telemetry, clock }: Pick<QueryDeps, 'telemetry' | 'clock'>,
  { periodMs }: { readonly periodMs: number },
): Promise<readonly OutcomeCount[]> {
  return telemetry.query<OutcomeCount>(
    `SELECT category, outcome, reason, sum(quantity) AS quantity FROM outcomes
     WHERE minute >= {since:DateTime}
     GROUP BY category, outcome, reason
     ORDER BY outcome = 'client_discard', quantity DESC, category, outcome, reason LIMIT ${MAX_LINES}`,
    { since: new Date(clock.nowMs() - periodMs) },
  )
}
