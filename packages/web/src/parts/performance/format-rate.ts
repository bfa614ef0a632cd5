/** A rate per minute, as short as possible: `1.2k`, `87`, `4.2`, `0.05`, `<0.01`. */
import { formatCount } from '../../format/format-count.ts'

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
