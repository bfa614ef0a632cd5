/** What components of a status page did, day by day in UTC: from the counts of checks and runs that are kept for 100 days. */
import { createBoundedMap } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { sql } from 'kysely'

const STATUS_DAYS = 90
const DAY_MS = 86_400_000
const dayOf = (column: string) => sql<number>`${sql.ref(column)} / ${sql.lit(DAY_MS)}`

export type StatusDay = {
  /** `2026-01-31`, in UTC. */
  readonly day: string
  /** 0: nothing is known of the day. */
  readonly checks: number
  readonly failed: number
}

/** The monitor behind a component. */
export type ComponentSource = {
  readonly id: number
  readonly uptimeId: number | null
  readonly cronId: number | null
  readonly environment: string
}

type Counted = {
  readonly id: number
  readonly day: number
  readonly checks: number
  readonly failed: number
}

/**
 * What is over is read again after so long: 90 days of 50 components are 100,000 rows, which SQLite counts for some tenths of a
 * second. A run that began yesterday may still end today.
 */
const PAST_AGAIN_MS = 600_000
const MAX_KEPT = 200
type Kept = { readonly atMs: number; readonly counted: Promise<CountedBy> }
const kept = new WeakMap<Records, ReturnType<typeof createBoundedMap<string, Kept>>>()

/** By component: 90 days with today as the last. */
export async function componentDays(
  records: Records,
  sources: readonly ComponentSource[],
  nowMs: number,
): Promise<ReadonlyMap<number, readonly StatusDay[]>> {
  const today = Math.floor(nowMs / DAY_MS)
  const [past, present] = await Promise.all([
    pastDays(records, sources, today, nowMs),
    countBetween(records, sources, today * DAY_MS, (today + 1) * DAY_MS),
  ])
  return new Map(
    sources.map((source) => {
      const known = new Map([...ownOf(past, source), ...ownOf(present, source)].map((row) => [row.day, row]))
      const days = Array.from({ length: STATUS_DAYS }, (_, index): StatusDay => {
        const day = today - STATUS_DAYS + 1 + index
        const { checks = 0, failed = 0 } = known.get(day) ?? {}
        return { day: new Date(day * DAY_MS).toISOString().slice(0, 10), checks, failed }
      })
      return [source.id, days]
    }),
  )
}

async function pastDays(
  records: Records,
  sources: readonly ComponentSource[],
  today: number,
  nowMs: number,
): Promise<CountedBy> {
  let days = kept.get(records)
  if (!days) kept.set(records, (days = createBoundedMap(MAX_KEPT)))
  const key = JSON.stringify([
    today,
    sources.map(({ uptimeId, cronId, environment }) => [uptimeId, cronId, environment]),
  ])
  const known = days.get(key)
  if (known && nowMs - known.atMs < PAST_AGAIN_MS) return known.counted
  const counted = countBetween(records, sources, (today - STATUS_DAYS + 1) * DAY_MS, today * DAY_MS)
  days.set(key, { atMs: nowMs, counted })
  // What failed is not kept.
  counted.catch(() => days.set(key, { atMs: 0, counted }))
  return counted
}

type CountedBy = {
  readonly uptime: readonly Counted[]
  readonly crons: readonly Counted[]
  readonly environments: readonly (Counted & { readonly environment: string })[]
}

const ownOf = (
  { uptime, crons, environments }: CountedBy,
  { uptimeId, cronId, environment }: ComponentSource,
): readonly Counted[] => {
  if (uptimeId !== null) return uptime.filter((row) => row.id === uptimeId)
  if (environment === '') return crons.filter((row) => row.id === cronId)
  return environments.filter((row) => row.id === cronId && row.environment === environment)
}

async function countBetween(
  records: Records,
  sources: readonly ComponentSource[],
  fromMs: number,
  toMs: number,
): Promise<CountedBy> {
  const wholeCrons = sources.map(({ cronId, environment }) => (environment === '' ? cronId : null))
  const partCrons = sources.map(({ cronId, environment }) => (environment === '' ? null : cronId))
  const [uptime, crons, environments] = await Promise.all([
    uptimeDays(records, idsOf(sources.map(({ uptimeId }) => uptimeId)), fromMs, toMs),
    cronDays(records, idsOf(wholeCrons), fromMs, toMs),
    environmentDays(records, idsOf(partCrons), fromMs, toMs),
  ])
  return { uptime, crons, environments }
}

const idsOf = (ids: readonly (number | null)[]): readonly number[] => [
  ...new Set(ids.filter((id) => id !== null)),
]

async function uptimeDays(
  records: Records,
  ids: readonly number[],
  fromMs: number,
  toMs: number,
): Promise<Counted[]> {
  if (ids.length === 0) return []
  return records
    .selectFrom('uptime_hour')
    .select(['monitor_id as id', dayOf('hour_ms').as('day')])
    .select((eb) => [eb.fn.sum<number>('checks').as('checks'), eb.fn.sum<number>('failed').as('failed')])
    .where('monitor_id', 'in', ids)
    .where('hour_ms', '>=', fromMs)
    .where('hour_ms', '<', toMs)
    .groupBy(['monitor_id', dayOf('hour_ms')])
    .execute()
}

async function cronDays(
  records: Records,
  ids: readonly number[],
  fromMs: number,
  toMs: number,
): Promise<Counted[]> {
  if (ids.length === 0) return []
  return records
    .selectFrom('cron_hour')
    .select(['monitor_id as id', dayOf('hour_ms').as('day')])
    .select((eb) => [eb.fn.sum<number>('runs').as('checks'), eb.fn.sum<number>('failed').as('failed')])
    .where('monitor_id', 'in', ids)
    .where('hour_ms', '>=', fromMs)
    .where('hour_ms', '<', toMs)
    .groupBy(['monitor_id', dayOf('hour_ms')])
    .execute()
}

/** Of single environments the last 1,500 runs are kept and no counts: days before those are days without data. */
async function environmentDays(records: Records, ids: readonly number[], fromMs: number, toMs: number) {
  if (ids.length === 0) return []
  return records
    .selectFrom('cron_run')
    .innerJoin('cron_environment', 'cron_environment.id', 'cron_run.environment_id')
    .select(['cron_environment.monitor_id as id', 'cron_environment.environment'])
    .select(dayOf('cron_run.started_ms').as('day'))
    .select((eb) => [
      eb.fn.countAll<number>().as('checks'),
      sql<number>`count(*) filter (where cron_run.status <> 'ok')`.as('failed'),
    ])
    .where('cron_environment.monitor_id', 'in', ids)
    .where('cron_run.started_ms', '>=', fromMs)
    .where('cron_run.started_ms', '<', toMs)
    .where('cron_run.status', 'in', ['ok', 'error', 'missed', 'timeout'])
    .groupBy(['cron_environment.monitor_id', 'cron_environment.environment', dayOf('cron_run.started_ms')])
    .execute()
}
