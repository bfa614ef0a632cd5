/** The day on which the disk is full, if it goes on filling as in the last two weeks: a straight line through the days. */
import { STORAGE_DAY_MS, storageDay } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

export type DiskForecast =
  /** Fewer days than a line needs. */
  | { readonly kind: 'unknown'; readonly days: number; readonly neededDays: number }
  | { readonly kind: 'not-filling'; readonly bytesPerDay: number }
  | { readonly kind: 'fills'; readonly bytesPerDay: number; readonly fullMs: number }

const FITTED_DAYS = 14
const NEEDED_DAYS = 4
/** Beyond these a line says nothing. */
const HORIZON_DAYS = 1_825

export async function forecastDisk({
  records,
  clock,
}: Pick<QueryDeps, 'records' | 'clock'>): Promise<DiskForecast> {
  const nowMs = clock.nowMs()
  const rows = await records
    .selectFrom('disk_day')
    .selectAll()
    .where('place', '=', 'data')
    .where('day_ms', '>', storageDay(nowMs) - FITTED_DAYS * STORAGE_DAY_MS)
    .orderBy('day_ms')
    .execute()
  const days = rows.map((row) => ({ day: row.day_ms / STORAGE_DAY_MS, used: row.used_bytes }))
  return forecastOf(days, rows.at(-1)?.size_bytes ?? 0, nowMs)
}

export function forecastOf(
  days: readonly { readonly day: number; readonly used: number }[],
  sizeBytes: number,
  nowMs: number,
): DiskForecast {
  const last = days.at(-1)
  if (last === undefined || days.length < NEEDED_DAYS)
    return { kind: 'unknown', days: days.length, neededDays: NEEDED_DAYS }
  const mean = (of: 'day' | 'used'): number => days.reduce((sum, each) => sum + each[of], 0) / days.length
  const [day, used] = [mean('day'), mean('used')]
  const spread = days.reduce((sum, each) => sum + (each.day - day) ** 2, 0)
  const bytesPerDay = days.reduce((sum, each) => sum + (each.day - day) * (each.used - used), 0) / spread
  const left = (sizeBytes - last.used) / bytesPerDay
  if (bytesPerDay <= 0 || left > HORIZON_DAYS) return { kind: 'not-filling', bytesPerDay }
  return { kind: 'fills', bytesPerDay, fullMs: nowMs + Math.max(0, left) * STORAGE_DAY_MS }
}
