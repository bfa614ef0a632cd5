/** How a span compares with what is usual, in words. Pure. */
import { formatDuration } from '../../../../format/format-duration.ts'

/** Beyond this and beyond 95 of 100 a span is slow, not just one of the slower half. */
const SLOW_FACTOR = 1.5
/** Twice of nothing is nothing. */
const SLOW_BY_MS = 5

export function slownessText(
  durationMs: number,
  { p75Ms, p95Ms }: { readonly p75Ms: number; readonly p95Ms: number },
): { readonly text: string; readonly isSlow: boolean } {
  const isSlow = durationMs > p95Ms && durationMs > p75Ms * SLOW_FACTOR && durationMs - p75Ms > SLOW_BY_MS
  const usually = `usually ${formatDuration(p75Ms)} (p75)`
  if (!isSlow) return { text: usually, isSlow }
  const factor = p75Ms > 0 ? durationMs / p75Ms : Number.POSITIVE_INFINITY
  return {
    text:
      factor < 1000
        ? `${factor < 10 ? factor.toFixed(1) : Math.round(factor)} times of what is usual: ${usually}`
        : usually,
    isSlow,
  }
}
