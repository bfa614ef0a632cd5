/** Which days of a project's kind a rule takes away. One function for the sweep and for its preview, so that both say the same. */
import { STORAGE_DAY_MS } from './kinds.ts'

export type RetentionRule = {
  /** Null: as long as the installation keeps it. */
  readonly keepDays: number | null
  /** Null: no limit. */
  readonly maxBytes: number | null
}

export const RETENTION_LIMITS = {
  leastDays: 1,
  mostDays: 3_650,
  leastBytes: 1_000_000,
  mostBytes: 1e15,
} as const

type Day = { readonly dayMs: number; readonly rows: number; readonly bytes: number }

export type RetentionCut = {
  /** Everything that was received before this begin of a day (UTC) goes. */
  readonly beforeMs: number
  readonly rows: number
  readonly bytes: number
}

/** Over its limit a kind goes down to this share of it, so that the next hour does not begin again. */
const DOWN_TO = 0.9

/** Whole days, the oldest first, never today's. Undefined: nothing goes. */
export function retentionCut(
  { keepDays, maxBytes }: RetentionRule,
  days: readonly Day[],
  todayMs: number,
): RetentionCut | undefined {
  const stored = days.filter(({ rows, bytes }) => rows > 0 || bytes > 0).toSorted((a, b) => a.dayMs - b.dayMs)
  const old =
    keepDays === null ? [] : stored.filter(({ dayMs }) => dayMs < todayMs - keepDays * STORAGE_DAY_MS)
  const going = [...old]
  let left = stored.slice(old.length).reduce((sum, { bytes }) => sum + bytes, 0)
  if (maxBytes !== null && left > maxBytes)
    for (const day of stored.slice(old.length)) {
      if (left <= maxBytes * DOWN_TO || day.dayMs >= todayMs) break
      going.push(day)
      left -= day.bytes
    }
  const last = going.at(-1)
  if (last === undefined) return undefined
  return {
    beforeMs: last.dayMs + STORAGE_DAY_MS,
    rows: going.reduce((sum, { rows }) => sum + rows, 0),
    bytes: going.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}
