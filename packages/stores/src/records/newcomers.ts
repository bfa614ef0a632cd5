/**
 * How many issues and releases a project may make anew within a minute and an hour: whoever has a DSN can give each event
 * a fingerprint and a release of its own. Minutes are those of receipt, as the log has them, so that a batch that is
 * repeated after a crash, or worked off late, asks the same question. docs/decisions/0023-spike-protection.md
 */
import type { Records } from './schema.ts'

/** `hash`: another way to find an issue that is known. */
const NEWCOMERS = ['issue', 'release', 'hash', 'feedback'] as const
export type Newcomer = (typeof NEWCOMERS)[number]

/** Within a minute; an hour has room for `NEWCOMER_HOUR` times as many. What is left out has no limit. */
export type NewcomerLimits = { readonly [kind in 'issue' | 'release']?: number }

/** A bad release makes its issues within minutes, not for an hour. */
const NEWCOMER_HOUR = 20

export type NewcomerRoom = {
  /** Whether one more may be made of what was received then; either is counted. */
  take(receivedMs: number): boolean
  /** Writes the counts. Inside the transaction that makes them, or they would not be exact. */
  save(): Promise<void>
}

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
/** What screens tell of is a day; an hour is all that decisions need. */
const REMEMBERED_MS = 2 * 24 * HOUR_MS

type Count = { made: number; held: number; isChanged: boolean }

/** The room of a project. `range`: within which everything was received that will be asked for. */
export async function openNewcomerRoom(
  tx: Records,
  projectId: number,
  kind: Newcomer,
  perMinute: number,
  range: { readonly fromMs: number; readonly toMs: number },
): Promise<NewcomerRoom> {
  const rows = await tx
    .selectFrom('newcomer')
    .select(['minute_ms', 'made', 'held'])
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .where('minute_ms', '>=', floorTo(range.fromMs, HOUR_MS))
    .where('minute_ms', '<', floorTo(range.toMs, HOUR_MS) + HOUR_MS)
    .execute()
  const minutes = new Map<number, Count>()
  const hours = new Map<number, number>()
  for (const { minute_ms: minuteMs, made, held } of rows) {
    minutes.set(minuteMs, { made, held, isChanged: false })
    const hourMs = floorTo(minuteMs, HOUR_MS)
    hours.set(hourMs, (hours.get(hourMs) ?? 0) + made)
  }
  return {
    take(receivedMs) {
      const minuteMs = floorTo(receivedMs, MINUTE_MS)
      const hourMs = floorTo(receivedMs, HOUR_MS)
      const minute = minutes.get(minuteMs) ?? { made: 0, held: 0, isChanged: true }
      const ofHour = hours.get(hourMs) ?? 0
      minutes.set(minuteMs, minute)
      minute.isChanged = true
      const isRoom = minute.made < perMinute && ofHour < perMinute * NEWCOMER_HOUR
      if (isRoom) {
        minute.made++
        hours.set(hourMs, ofHour + 1)
      } else minute.held++
      return isRoom
    },
    async save() {
      for (const [minuteMs, { made, held, isChanged }] of minutes) {
        if (!isChanged) continue
        await tx
          .insertInto('newcomer')
          .values({ project_id: projectId, kind, minute_ms: minuteMs, made, held })
          .onConflict((on) => on.columns(['project_id', 'kind', 'minute_ms']).doUpdateSet({ made, held }))
          .execute()
      }
      await tx
        .deleteFrom('newcomer')
        .where('project_id', '=', projectId)
        .where('kind', '=', kind)
        .where('minute_ms', '<', range.fromMs - REMEMBERED_MS)
        .execute()
    },
  }
}

export type HeldNewcomers = { readonly held: number; readonly lastMs: number | undefined }

/** How often one was held back since then, and the minute in which it last was. One range of a primary key. */
export async function heldNewcomers(
  records: Records,
  { projectId }: { readonly projectId: number },
  kind: Newcomer,
  sinceMs: number,
): Promise<HeldNewcomers> {
  const row = await records
    .selectFrom('newcomer')
    .select(({ fn }) => [fn.sum<number | null>('held').as('held'), fn.max('minute_ms').as('last_ms')])
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .where('minute_ms', '>=', sinceMs)
    .where('held', '>', 0)
    .executeTakeFirst()
  return { held: row?.held ?? 0, lastMs: row?.last_ms ?? undefined }
}

const floorTo = (atMs: number, stepMs: number): number => Math.floor(atMs / stepMs) * stepMs
