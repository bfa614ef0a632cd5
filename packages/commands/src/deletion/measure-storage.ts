/** Notes what is stored of each project, kind and day, and how full the disk is: once an hour, and all days once a day. */
import type { Clock } from '@sonde/base'
import {
  forgetStored,
  keepStored,
  measureStored,
  readStorageState,
  type Records,
  STORAGE_DAY_MS,
  storageDay,
  type Telemetry,
  writeStorageState,
} from '@sonde/stores'

export type MeasureOptions = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'query' | 'parts'>
  readonly clock: Clock
  /** Of the file system with the data folder; absent: what is stored lies on servers. */
  readonly disk?: (() => Promise<{ readonly freeBytes: number; readonly sizeBytes: number }>) | undefined
}

const HOUR_MS = 3_600_000
const STATE = 'measured'
type Measured = { readonly atMs: number; readonly wholeMs: number }

export async function isMeasureDue({
  records,
  clock,
}: Pick<MeasureOptions, 'records' | 'clock'>): Promise<boolean> {
  const last = await readStorageState<Measured>(records, STATE)
  return last === undefined || clock.nowMs() - last.atMs >= HOUR_MS
}

/** `whole`: all days, as after rows were deleted. Repeatable. */
export async function measureStorage(options: MeasureOptions, whole = false): Promise<void> {
  const { records, telemetry, clock, disk } = options
  const atMs = clock.nowMs()
  const last = await readStorageState<Measured>(records, STATE)
  const isWhole = whole || last === undefined || storageDay(last.wholeMs) !== storageDay(atMs)
  // Yesterday too: its last hour was not looked at.
  const sinceMs = isWhole ? 0 : storageDay(atMs) - STORAGE_DAY_MS
  await keepStored(records, await measureStored({ records, telemetry }, sinceMs), sinceMs)
  if (disk) await noteDisk(records, await disk(), atMs)
  await forgetStored(records, atMs)
  await writeStorageState(records, STATE, { atMs, wholeMs: isWhole ? atMs : last.wholeMs }, atMs)
}

/** Embedded engines lie on one disk, which is that of the data folder. */
async function noteDisk(
  records: Records,
  { freeBytes, sizeBytes }: { readonly freeBytes: number; readonly sizeBytes: number },
  atMs: number,
): Promise<void> {
  const row = { used_bytes: sizeBytes - freeBytes, size_bytes: sizeBytes }
  await records
    .insertInto('disk_day')
    .values({ place: 'data', day_ms: storageDay(atMs), ...row })
    .onConflict((on) => on.columns(['place', 'day_ms']).doUpdateSet(row))
    .execute()
}
