/** Backups in the back process: what writes to the stores goes through a gate, where all of them are in the data folder. */
import type { Clock, Logger } from '@sonde/base'
import type { Blobs, Records, Telemetry } from '@sonde/stores'
import { type BackupRunner, createBackupRunner } from '../backup/backup-runner.ts'
import { endOpenRuns } from '../backup/backup-runs.ts'
import { isAllHere, secretOfBackup } from '../backup/open-target.ts'
import { createWriteGate, gatedBlobs, gatedTelemetry, type WriteGate } from '../backup/write-gate.ts'
import type { Config } from '../config/config.ts'
import type { ProgramFiles } from '../program-files.ts'
import { VERSION } from '../version.ts'

export type GatedEngines = {
  readonly telemetry: Telemetry
  readonly blobs: Blobs
  /** Undefined where an engine is on a server. */
  readonly gate: WriteGate | undefined
  /** What a backup asks while the gate is closed. */
  readonly ungated: Telemetry
}

export function gatedEngines(
  { telemetry, blobs }: Pick<GatedEngines, 'telemetry' | 'blobs'>,
  { engines }: Pick<Config, 'engines'>,
): GatedEngines {
  if (!isAllHere(engines)) return { telemetry, blobs, gate: undefined, ungated: telemetry }
  const gate = createWriteGate()
  const gated = { telemetry: gatedTelemetry(telemetry, gate), blobs: gatedBlobs(blobs, gate) }
  return { ...gated, gate, ungated: telemetry }
}

type Tools = {
  readonly config: Config
  readonly files: ProgramFiles
  readonly clock: Clock
  readonly logger: Logger
  readonly onStop: (stop: () => Promise<void>) => void
}

/** For the start that has the log: it is the only one that writes to the data folder. */
export async function startBackups(
  {
    records,
    gate,
    ungated: telemetry,
  }: Pick<GatedEngines, 'gate' | 'ungated'> & { readonly records: Records },
  { config, files, clock, logger, onStop }: Tools,
): Promise<BackupRunner | undefined> {
  if (!gate) return undefined
  await endOpenRuns({ records, clock })
  const runner = createBackupRunner({
    records,
    telemetry,
    gate,
    dataDir: config.dataDir,
    secretFile: secretOfBackup(config),
    version: VERSION,
    retentionDays: config.retentionDays,
    entry: files.backupProcess,
    clock,
    logger,
  })
  onStop(() => runner.stop())
  return runner
}
