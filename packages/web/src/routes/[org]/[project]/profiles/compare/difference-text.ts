/** Shares and their differences as text. Pure. */

/** `12.3%`; never `0%` for something. */
export function shareText(share: number): string {
  if (share > 0 && share < 0.0005) return '<0.1%'
  return `${(share * 100).toFixed(1)}%`
}

/** In points, with a true minus so that figures align: `+12.3`, `−0.4`, `±0`. */
export function pointsText(difference: number): string {
  const points = Math.abs(difference * 100)
  if (points < 0.05) return '±0'
  return `${difference < 0 ? '−' : '+'}${points.toFixed(1)}`
}
