/** The log and the disk as lines of the doctor: what a red one means and what to do about it. */
import type { DiskUsage } from '@sonde/queries'
import type { DoctorReport, PartReport } from './report.ts'

// People look at a screen again within a minute; a burst is worked off in seconds.
const LATE_MS = 60_000

export function logPart({ depthBytes, oldestAgeMs }: DoctorReport['log']): PartReport {
  if (depthBytes === 0) return { name: 'log', state: 'ok', detail: 'nothing waits' }
  const waits = `${depthBytes.toLocaleString('en')} bytes wait, the oldest for ${(oldestAgeMs / 1000).toFixed(1)} s`
  if (oldestAgeMs < LATE_MS) return { name: 'log', state: 'ok', detail: waits }
  const detail = `${waits}: nothing is lost, but screens are behind. If the pipeline is well, more arrives than this machine stores: lower the limits of the loudest project, or give it more cores. If it is not, its line says what it waits for.`
  return { name: 'log', state: 'degraded', detail }
}

const GB = 1_000_000_000
/** Merging tables needs room for a copy of the parts that it merges. */
const LITTLE = { share: 0.05, bytes: 2 * GB }
const NEXT_TO_NOTHING_BYTES = 0.2 * GB

export function diskPart({ freeBytes, sizeBytes }: Pick<DiskUsage, 'freeBytes' | 'sizeBytes'>): PartReport {
  const free = `${(freeBytes / GB).toFixed(1)} GB of ${(sizeBytes / GB).toFixed(1)} GB are free`
  if (freeBytes >= LITTLE.bytes || freeBytes >= sizeBytes * LITTLE.share)
    return { name: 'disk', state: 'ok', detail: free }
  const detail = `${free}: once it is full, what arrives is refused with 503. Free some, move SONDE_DATA_DIR to a larger disk, or lower SONDE_RETENTION_DAYS (takes effect within a day).`
  return { name: 'disk', state: freeBytes < NEXT_TO_NOTHING_BYTES ? 'down' : 'degraded', detail }
}
