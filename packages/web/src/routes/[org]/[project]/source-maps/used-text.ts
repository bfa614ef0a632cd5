const DAY_MS = 86_400_000

/** Use is noted by the day, so it is told by the day. Undefined: never. */
export function usedText(lastUsedMs: number | undefined, nowMs: number): string {
  if (lastUsedMs === undefined) return 'never'
  const days = Math.floor(nowMs / DAY_MS) - Math.floor(lastUsedMs / DAY_MS)
  if (days <= 0) return 'today'
  return days === 1 ? 'yesterday' : `${days} days ago`
}
