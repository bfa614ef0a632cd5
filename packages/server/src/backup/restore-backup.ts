/** Puts a backup into an empty data folder: all of it, or a folder that no Sonde starts in. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type Logger, SondeError } from '@sonde/base'
import { unknownSteps } from '@sonde/stores'
import { checkEngines, checkRecords, type Difference } from './check-restored.ts'
import type { BackupSummary, Manifest, BackupProgress } from './manifest.ts'
import type { Repository } from './repository.ts'
import { markerFile, writeMarker } from './restore-marker.ts'
import { openManifest, unpackFiles } from './unpack-files.ts'

export type RestoreBackup = {
  readonly repository: Repository
  readonly summary: BackupSummary
  /** Missing or empty. */
  readonly dataDir: string
  /** Where this installation has its secret key; written only when it lies in the data folder. */
  readonly secretFile: string
  readonly retentionDays: number
  readonly logger: Logger
  readonly onProgress?: (progress: BackupProgress) => void
}

export type Restored = {
  readonly id: string
  readonly bytes: number
  readonly files: number
  readonly tookMs: number
  readonly counts: Manifest['counts']
  /** The secret key was not in the backup, and is not where this installation looks for it. */
  readonly lacksSecret: boolean
}

const OPERATION = 'restore a backup'
// Engines need room to start in.
const SPARE_BYTES = 256 * 1024 * 1024

/** Throws `SondeError`, and leaves a folder in which no Sonde starts, when it does not come to its end. */
export async function restoreBackup(options: RestoreBackup): Promise<Restored> {
  const { repository, summary, dataDir, logger, retentionDays } = options
  const beganMs = performance.now()
  refuseFull(dataDir)
  const manifest = await openManifest(repository, summary)
  refuseLaterVersion(manifest)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  await refuseSmallDisk(dataDir, summary.bytes)
  writeMarker(dataDir, { id: summary.id, from: repository.place })
  await unpackInto(dataDir, options, manifest)
  const differences = [
    ...checkRecords(dataDir, manifest),
    ...(await checkEngines(dataDir, manifest, { logger, retentionDays, isThorough: false })),
  ]
  if (differences.length > 0) throw differentError(summary.id, differences)
  await flushDisk()
  rmSync(markerFile(dataDir))
  return {
    id: summary.id,
    bytes: summary.bytes,
    files: manifest.files.length,
    tookMs: Math.round(performance.now() - beganMs),
    counts: manifest.counts,
    lacksSecret: !existsSync(options.secretFile),
  }
}

/** Into a folder that is empty but for what says that it is not complete. */
export async function unpackInto(
  dir: string,
  { repository, summary, onProgress }: Pick<RestoreBackup, 'repository' | 'summary' | 'onProgress'>,
  manifest: Manifest,
): Promise<void> {
  let bytes = 0
  await unpackFiles(repository, manifest, {
    dir,
    isEncrypted: summary.recipients.length > 0,
    onBytes: (more) => onProgress?.({ bytes: (bytes += more), ofBytes: summary.bytes }),
  })
}

function refuseFull(dataDir: string): void {
  if (!existsSync(dataDir)) return
  if (existsSync(markerFile(dataDir)))
    throw new SondeError('conflict', `a restore into ${dataDir} was interrupted`, {
      operation: OPERATION,
      subject: dataDir,
      hint: 'delete what is in this folder, and restore again',
    })
  const [found] = readdirSync(dataDir)
  if (found === undefined) return
  throw new SondeError('conflict', `${dataDir} is not empty: ${found} is there`, {
    operation: OPERATION,
    subject: dataDir,
    hint: 'name an empty folder in SONDE_DATA_DIR. A backup is never restored over something',
  })
}

export function refuseLaterVersion({ schema, version }: Manifest): void {
  const [step] = unknownSteps(schema)
  if (step === undefined) return
  throw new SondeError('conflict', `the backup is of a later version of Sonde (${version})`, {
    operation: OPERATION,
    subject: step,
    hint: 'restore it with that version or a newer one',
  })
}

export async function refuseSmallDisk(dir: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(dir)
  const needed = bytes + SPARE_BYTES
  if (bavail * bsize >= needed) return
  const gigabytes = (value: number): string => `${(value / 1e9).toFixed(1)} GB`
  throw new SondeError(
    'unavailable',
    `the disk of ${dir} has ${gigabytes(bavail * bsize)} left, and ${gigabytes(needed)} are needed`,
    {
      operation: OPERATION,
      subject: dir,
      hint: 'free space, or name a folder on a larger disk',
    },
  )
}

function differentError(id: string, differences: readonly Difference[]): SondeError {
  const shown = differences
    .slice(0, 5)
    .map(({ what, expected, found }) => `${what}: ${found} instead of ${expected}`)
  const more = differences.length > shown.length ? `, and ${differences.length - shown.length} more` : ''
  return new SondeError(
    'conflict',
    `what was restored of ${id} is not what was backed up: ${shown.join('; ')}${more}`,
    {
      operation: OPERATION,
      subject: id,
      hint: 'restore an older backup, and report this message',
    },
  )
}

/** Files of hundreds of parts, once for all: after this a power cut takes nothing. */
async function flushDisk(): Promise<void> {
  // Not everywhere there; then the system flushes within half a minute.
  await promisify(execFile)('sync').catch(() => undefined)
}
