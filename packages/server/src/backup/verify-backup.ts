/** Proves that a backup can be restored: checksums of everything, then a restore into a temporary folder that the engines read. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Logger, SondeError } from '@sonde/base'
import { checkEngines, checkRecords, type Difference } from './check-restored.ts'
import type { BackupSummary, Manifest, BackupProgress } from './manifest.ts'
import type { Repository } from './repository.ts'
import { refuseLaterVersion, refuseSmallDisk, unpackInto } from './restore-backup.ts'
import { openManifest } from './unpack-files.ts'

export type VerifyBackup = {
  readonly repository: Repository
  readonly summary: BackupSummary
  /** Checksums of what lies there alone: needs neither a key nor room. */
  readonly isQuick: boolean
  /** Where a temporary folder is made. */
  readonly tempDir: string
  readonly retentionDays: number
  readonly logger: Logger
  readonly onProgress?: (progress: BackupProgress) => void
}

export type Verified = {
  readonly id: string
  readonly ok: boolean
  readonly quick: boolean
  readonly pieces: number
  readonly bytes: number
  readonly tookMs: number
  readonly counts: Manifest['counts']
  /** Words that name what is damaged. */
  readonly damaged: readonly string[]
  readonly differences: readonly Difference[]
}

/** Opens the engines in this process, which may have none open. Rejects only with what says nothing of the backup. */
export async function verifyBackup(options: VerifyBackup): Promise<Verified> {
  const { repository, summary, isQuick } = options
  const beganMs = performance.now()
  const damaged = await damagedPieces(repository, summary)
  const differences = isQuick || damaged.length > 0 ? [] : await tryRestore(options, damaged)
  return {
    id: summary.id,
    ok: damaged.length === 0 && differences.length === 0,
    quick: isQuick,
    pieces: summary.pieces.length,
    bytes: summary.bytes,
    tookMs: Math.round(performance.now() - beganMs),
    counts: summary.counts,
    damaged,
    differences,
  }
}

async function damagedPieces(repository: Repository, { pieces }: BackupSummary): Promise<string[]> {
  const damaged: string[] = []
  for (const piece of pieces) await orDamage(() => repository.check(piece), damaged)
  return damaged
}

async function tryRestore(options: VerifyBackup, damaged: string[]): Promise<readonly Difference[]> {
  const { repository, summary, tempDir, logger, retentionDays } = options
  mkdirSync(tempDir, { recursive: true, mode: 0o700 })
  await refuseSmallDisk(tempDir, summary.bytes)
  sweepOld(tempDir)
  const dir = mkdtempSync(join(tempDir, PREFIX))
  try {
    const differences: Difference[] = []
    await orDamage(async () => {
      const manifest = await openManifest(repository, summary)
      refuseLaterVersion(manifest)
      await unpackInto(dir, options, manifest)
      differences.push(...checkRecords(dir, manifest))
      differences.push(...(await checkEngines(dir, manifest, { logger, retentionDays, isThorough: true })))
    }, damaged)
    return differences
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

const PREFIX = 'verify-'
const DAY_MS = 86_400_000

/** What one left whose process was ended. Another may run. */
function sweepOld(tempDir: string): void {
  for (const name of readdirSync(tempDir)) {
    const path = join(tempDir, name)
    if (name.startsWith(PREFIX) && statSync(path).mtimeMs < Date.now() - DAY_MS)
      rmSync(path, { recursive: true, force: true })
  }
}

/** A key that does not fit or a disk that is full says nothing of the backup. */
async function orDamage(work: () => Promise<void>, damaged: string[]): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof SondeError) || error.kind !== 'conflict') throw error
    damaged.push(error.message)
  }
}
