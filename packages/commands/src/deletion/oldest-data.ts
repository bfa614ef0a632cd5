/**
 * The oldest data of an installation, one step after the other: whole weeks first, because a week of a table is a partition
 * that goes at once and needs no room; then the days of the present week before today. In a week kinds go in the order of
 * `STORAGE_KINDS`. docs/decisions/0079-disk-watermarks.md
 */
import type { Clock } from '@sonde/base'
import {
  ageColumnOf,
  type Records,
  STORAGE_DAY_MS,
  STORAGE_KIND_NAMES,
  storageDay,
  type StorageKind,
  storageKindInfo,
  type Telemetry,
  weeklyByAge,
} from '@sonde/stores'
import { deleteOldFiles } from './delete-old-files.ts'

export type OldestOptions = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'command' | 'deleteRows' | 'parts'>
  readonly clock: Clock
  /** What of it lies on the disk that is full. */
  readonly holds: { readonly telemetry: boolean; readonly blobs: boolean }
}

/** Of a kind everything that was received before a day (UTC) goes, of all projects. */
export type OldestStep = {
  readonly kind: StorageKind
  readonly beforeMs: number
  /** A day of the present week: parts are written without it, and the old ones lie there for some minutes. */
  readonly isDay: boolean
}

const WEEK_MS = 7 * STORAGE_DAY_MS
/** The Monday of a time. The epoch was a Thursday. */
const mondayOf = (ms: number): number => {
  const day = storageDay(ms)
  return day - ((day / STORAGE_DAY_MS + 3) % 7) * STORAGE_DAY_MS
}

const GOING = STORAGE_KIND_NAMES.filter((kind) => storageKindInfo(kind).goesWhenFull)

/** Undefined: nothing is left but today's. */
export async function oldestStep(options: OldestOptions): Promise<OldestStep | undefined> {
  const nowMs = options.clock.nowMs()
  const begins = await Promise.all(
    GOING.map(async (kind) => ({ kind, fromMs: await oldestOf(options, kind) })),
  )
  // Stable: of the same begin the first kind in the order goes first.
  const [oldest] = begins
    .flatMap(({ kind, fromMs }) => (fromMs === undefined ? [] : [{ kind, beginMs: beginOf(fromMs, nowMs) }]))
    .filter(({ beginMs }) => beginMs < storageDay(nowMs))
    .toSorted((a, b) => a.beginMs - b.beginMs)
  if (!oldest) return undefined
  const isWeek = oldest.beginMs < mondayOf(nowMs)
  return {
    kind: oldest.kind,
    beforeMs: oldest.beginMs + (isWeek ? WEEK_MS : STORAGE_DAY_MS),
    isDay: !isWeek,
  }
}

/** The week of what is older than this week, the day of the rest. */
const beginOf = (ms: number, nowMs: number): number => (ms < mondayOf(nowMs) ? mondayOf(ms) : storageDay(ms))

/** When the oldest of it was received, to the day; as it was measured where that is not cheap to ask. */
async function oldestOf(
  { records, telemetry, holds, clock }: OldestOptions,
  kind: StorageKind,
): Promise<number | undefined> {
  const { tables, blobs } = storageKindInfo(kind)
  const found: number[] = []
  if (holds.telemetry)
    for (const table of tables.filter(weeklyByAge)) {
      const [week] = await telemetry.parts(table)
      const beginMs = week === undefined ? NaN : Date.parse(week.week)
      if (beginMs < mondayOf(clock.nowMs())) found.push(beginMs)
    }
  if ((holds.telemetry && tables.length > 0) || (holds.blobs && blobs)) {
    const row = await records
      .selectFrom('storage_day')
      .select(({ fn }) => fn.min('day_ms').as('dayMs'))
      .where('kind', '=', kind)
      .where('bytes', '>', 0)
      .executeTakeFirst()
    if (row && row.dayMs !== null) found.push(row.dayMs)
  }
  return found.length === 0 ? undefined : Math.min(...found)
}

/** May be interrupted anywhere and called again until it says `done`. */
export async function deleteOldest(
  options: OldestOptions,
  { kind, beforeMs }: OldestStep,
  signal: AbortSignal,
): Promise<'done' | 'waits'> {
  const { records, telemetry, holds, clock } = options
  const { tables, blobs } = storageKindInfo(kind)
  let left = 0
  if (holds.telemetry)
    for (const table of tables) {
      if (weeklyByAge(table))
        for (const { week } of await telemetry.parts(table)) {
          if (Date.parse(week) + WEEK_MS > beforeMs) continue
          await telemetry.command(
            `ALTER TABLE ${table} DROP PARTITION '${week}' SETTINGS max_partition_size_to_drop = 0`,
          )
        }
      const where = `${ageColumnOf(table)} < toDateTime(${beforeMs / 1_000}, 'UTC')`
      left += await telemetry.deleteRows(table, where, {}, 'with-bytes')
    }
  if (holds.blobs && blobs) {
    const projects = await records.selectFrom('project').select('id').execute()
    for (const { id } of projects)
      await deleteOldFiles({ records, clock }, blobs, { projectId: id, beforeMs }, signal)
  }
  if (left > 0 || signal.aborted) return 'waits'
  await records
    .updateTable('storage_day')
    .set({ rows: 0, bytes: 0 })
    .where('kind', '=', kind)
    .where('day_ms', '<', beforeMs)
    .execute()
  return 'done'
}
