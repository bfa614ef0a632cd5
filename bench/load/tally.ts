/** What became of the requests of one run. */
import type { Outcome } from './connection.ts'

export type LoadCounts = {
  /** Requests that were due. Every one of them is in exactly one of the counts below, but for `untimed`. */
  readonly scheduled: number
  readonly ok: number
  /** 429 and 503: the server said "not now". */
  readonly refused: number
  /** Those of them that did not say when to come again (`Retry-After`). */
  readonly untimed: number
  /** Any other status. */
  readonly wrong: number
  /** No answer: the connection broke or could not be made. */
  readonly failed: number
  readonly timedOut: number
  /** Never sent, because too many were on their way already. */
  readonly dropped: number
}

export type Percentiles = { readonly p50: number; readonly p99: number; readonly max: number }

export type LoadResult = LoadCounts & {
  readonly tookMs: number
  /** Of answers with 200, from the moment at which the request was due. */
  readonly latencyMs: Percentiles
  /**
   * How late the sender noticed that a request was due (waiting for a connection is the server's and not in it).
   * Large: the sender is the bottleneck, and the figures say little about the server.
   */
  readonly lagMs: Percentiles
}

export function createTally() {
  const counts = { scheduled: 0, ok: 0, refused: 0, untimed: 0, wrong: 0, failed: 0, timedOut: 0, dropped: 0 }
  const latencies: number[] = []
  const lags: number[] = []
  return {
    counts,
    late: (lagMs: number) => void lags.push(lagMs),
    done(outcome: Outcome, latencyMs: number, namesTime: boolean) {
      if (outcome === 'failed') counts.failed++
      else if (outcome === 'timeout') counts.timedOut++
      else if (outcome === 200) {
        counts.ok++
        latencies.push(latencyMs)
      } else if (outcome === 429 || outcome === 503) {
        counts.refused++
        if (!namesTime) counts.untimed++
      } else counts.wrong++
    },
    result: (tookMs: number): LoadResult => ({
      ...counts,
      tookMs,
      latencyMs: percentiles(latencies),
      lagMs: percentiles(lags),
    }),
  }
}

export type Tally = ReturnType<typeof createTally>

export function percentiles(values: readonly number[]): Percentiles {
  const sorted = Float64Array.from(values).toSorted()
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0 }
}
