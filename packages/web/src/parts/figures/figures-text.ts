/** Sizes and durations on the operator's page. */
import { formatBytes } from '../../format/format-count.ts'

/** Disks are larger than bodies: gigabytes too. */
export const bytesText = (bytes: number): string =>
  bytes < 999_950_000 ? formatBytes(bytes) : `${(bytes / 1_000_000_000).toFixed(1)} GB`

const SPANS = [
  { unit: 'd', ms: 86_400_000 },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'min', ms: 60_000 },
] as const

/** `12 s`, `5 min`, `7 h`, `3 d`. */
export function spanText(ms: number): string {
  const span = SPANS.find((each) => ms >= each.ms)
  return span ? `${Math.floor(ms / span.ms)} ${span.unit}` : `${Math.floor(ms / 1000)} s`
}
