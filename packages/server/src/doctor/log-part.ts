/** The log and the disk as lines of the doctor: what a red one means and what to do about it. */
import { diskSpace, type FreeShares, type Space, wantedBytes } from '../disk-space.ts'
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

/** `shares`: below which the front refuses. */
export function diskPart(space: Space, shares: FreeShares = { attachments: 0, everything: 0 }): PartReport {
  const { freeBytes, sizeBytes } = space
  const free = `${(freeBytes / GB).toFixed(1)} GB of ${(sizeBytes / GB).toFixed(1)} GB are free`
  const refused = diskSpace(shares, space)
  const wanted = wantedBytes(shares, sizeBytes)
  if (refused === 'enough' && (freeBytes >= LITTLE.bytes || freeBytes >= sizeBytes * LITTLE.share))
    return { name: 'disk', state: 'ok', detail: free }
  const what = {
    enough: 'once it is full, what arrives is refused with 503',
    little: `attachments are refused until ${gb(wanted.attachments)} are free (SONDE_MIN_FREE_ATTACHMENTS)`,
    'too-little': `everything is refused with 503 until ${gb(wanted.everything)} are free (SONDE_MIN_FREE)`,
  }[refused]
  const detail = `${free}: ${what}. Free some, move SONDE_DATA_DIR to a larger disk, or lower SONDE_RETENTION_DAYS (takes effect within a day).`
  const isDown = refused === 'too-little' || freeBytes < NEXT_TO_NOTHING_BYTES
  return { name: 'disk', state: isDown ? 'down' : 'degraded', detail }
}

const gb = (bytes: number): string => `${(bytes / GB).toFixed(1)} GB`
