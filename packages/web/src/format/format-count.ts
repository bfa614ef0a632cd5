/** Numbers as people read them in a table: `950`, `12.3k`, `4.6M`. The exact number belongs into a title. */
const STEPS = [
  { from: 999_500_000, by: 1_000_000_000, unit: 'B' },
  { from: 999_500, by: 1_000_000, unit: 'M' },
  { from: 1_000, by: 1_000, unit: 'k' },
] as const

/** At most four characters and a unit; rounds, never up to the next unit's look (`1000k`). */
export function formatCount(count: number): string {
  const step = STEPS.find(({ from }) => count >= from)
  if (!step) return String(Math.round(count))
  const scaled = count / step.by
  const text = scaled >= 99.95 ? String(Math.round(scaled)) : scaled.toFixed(1).replace(/\.0$/, '')
  return `${text}${step.unit}`
}

/** `12,345`: the same on the server and in every browser, unlike `toLocaleString()`. */
export function formatExact(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** `1 event`, `12.3k events`. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** `830 B`, `6.6 kB`, `1.2 MB`; decimal units, as bandwidth and disks are counted. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 999_950) return `${(bytes / 1_000).toFixed(1)} kB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Share of a whole in percent: never `0 %` for something, never `100 %` for less than all. */
export function formatShare(part: number, whole: number): string {
  if (whole <= 0 || part <= 0) return '0%'
  if (part >= whole) return '100%'
  const percent = (part / whole) * 100
  if (percent < 1) return '<1%'
  return percent > 99 ? '>99%' : `${Math.round(percent)}%`
}

/** A rate per minute, as short as possible: `1.2k`, `87`, `4.2`, `0.05`, `<0.01`. */
export function formatRate(perMinute: number): string {
  if (perMinute >= 9.95) return formatCount(perMinute)
  if (perMinute >= 0.995) return perMinute.toFixed(1)
  return perMinute >= 0.01 ? perMinute.toFixed(2) : perMinute > 0 ? '<0.01' : '0'
}

/** A share with the digits that a rare failure needs: `0.4%`, `12%`. */
export function formatRateShare(share: number): string {
  const percent = share * 100
  if (percent >= 9.95 || percent <= 0) return `${Math.round(percent)}%`
  return `${percent.toPrecision(2).replace(/\.?0+$/, '')}%`
}
