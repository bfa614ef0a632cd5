/** Takes what lies in a data folder over to servers, engine by engine. Each step can be repeated, whatever became of the one before. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { ConfigError, type Logger, SondeError, systemClock } from '@sonde/base'
import { forgetLeases } from '@sonde/jobs'
import { inspectLog, type LogReaders } from '@sonde/log'
import { type EngineConfig, type EngineName, type Engines, openEngines, type Telemetry } from '@sonde/stores'
import {
  checkBlobsTarget,
  checkRecordsTarget,
  checkTelemetryTarget,
  compareBlobs,
  type Compared,
  compareTelemetry,
  copyBlobs,
  copyRecords,
  copyTelemetry,
  holdParts,
  telemetryParts,
} from '@sonde/stores/move'
import type { Config } from '../config/config.ts'
import { programFiles } from '../program-files.ts'
import { emptyLog } from './empty-log.ts'
import { type Move, placesText, readMoves, writeMoves } from './move-file.ts'
import type { Progress } from './progress.ts'
import type { Targets } from './targets.ts'

type RunMove = {
  readonly config: Config
  readonly targets: Targets
  /** Of the embedded log, held by this process. Undefined: the log is on NATS. */
  readonly logs: LogReaders | undefined
  readonly logger: Logger
  readonly progress: Progress
}

const OPERATION = 'move'

/** Resolves with what was compared; where something is different, the move is not finished and can be repeated. */
export async function runMove({
  config,
  targets,
  logs,
  logger,
  progress,
}: RunMove): Promise<readonly Compared[]> {
  if ('file' in config.engines.records && !existsSync(config.engines.records.file))
    throw new ConfigError(
      'SONDE_DATA_DIR',
      `no Sonde has run in ${config.dataDir}`,
      'name the folder of the one that moves',
    )
  const before = readMoves(config.dataDir)
  const unfinished = before.find(({ finishedMs }) => finishedMs === undefined)
  checkSame(unfinished, targets)
  const fresh: Move = {
    id: randomUUID(),
    startedMs: systemClock.nowMs(),
    to: targets.to,
    copied: { rows: {} },
  }
  let move = unfinished ?? fresh
  const earlier = before.filter((one) => one !== unfinished)
  const save = (now: Move): void => {
    move = now
    writeMoves(config.dataDir, [...earlier, move])
  }
  // Before anything is noted here: a server that cannot be used shall leave no trace.
  const { to, close } = await openTargets(targets, { move, isNew: unfinished === undefined, logs, logger })
  try {
    if (!unfinished) save(move)
    const compared = await copyAll({ config, targets, logs, logger, progress, to, move, save })
    if (compared.every((line) => line.from === line.to)) save({ ...move, finishedMs: systemClock.nowMs() })
    return compared
  } finally {
    await close()
  }
}

function checkSame(unfinished: Move | undefined, { to }: Targets): void {
  if (!unfinished || placesText(unfinished.to) === placesText(to)) return
  throw new SondeError('conflict', `another move was interrupted here: ${placesText(unfinished.to)}`, {
    operation: OPERATION,
    hint: 'go on with that one, or delete move.json in the data folder and empty its servers',
  })
}

type Opened = Partial<Pick<Engines, 'telemetry' | 'blobs'>>
type Opening = {
  readonly move: Move
  readonly isNew: boolean
  readonly logs: LogReaders | undefined
  readonly logger: Logger
}

/** Refuses servers that are too old, that a later version has used, and, for a new move, those that are not empty. */
async function openTargets(
  { engines, config }: Targets,
  { move, isNew, logs, logger }: Opening,
): Promise<{ readonly to: Opened; close(): Promise<void> }> {
  const names = (['telemetry', 'blobs'] as const).filter((name) => engines.includes(name))
  const { records, log } = config.engines
  if (engines.includes('records') && 'url' in records)
    await checkRecordsTarget({ url: records.url, mark: move.id, logger })
  const { close, ...to } = (await openEngines(config.engines, names, {
    logger,
    telemetry: { retentionDays: config.retentionDays },
  })) as Opened & { close(): Promise<void> }
  try {
    if (isNew && to.telemetry) await checkTelemetryTarget(to.telemetry, move.to.telemetry ?? '')
    if (isNew && to.blobs) await checkBlobsTarget(to.blobs, move.to.blobs ?? '')
    // Of telemetry that does not move the new pipeline tells the shards.
    const shards = to.telemetry?.shardWeights
    if (engines.includes('log') && 'url' in log) await makeStreams(log, { logs, shards, logger })
  } catch (error) {
    await close()
    throw error
  }
  return { to, close }
}

/** They begin above every position that stands in the stores (docs/decisions/0033-log-on-nats.md). */
async function makeStreams(
  place: Extract<EngineConfig['log'], { readonly url: string }>,
  { logs, shards, logger }: Pick<Opening, 'logs' | 'logger'> & { readonly shards: Telemetry['shardWeights'] },
): Promise<void> {
  const above = Math.max(0, ...(await Promise.all(logs?.readers.map((_, at) => logs.end(at)) ?? [])))
  const { openNatsReaders } = await import('@sonde/log/nats')
  const made = await openNatsReaders({ ...place, above, logger })
  try {
    if (shards) await made.placeBy?.(shards)
    for (const [partition, reader] of made.readers.entries()) {
      const { bytes } = await reader.depth()
      if (bytes === 0 && (await made.end(partition)) > above) continue
      throw new SondeError(
        'conflict',
        `${OPERATION}: the log on NATS is another Sonde's: partition ${partition} ${bytes === 0 ? 'begins below the log that is here' : 'has records'}`,
        {
          operation: OPERATION,
          hint: 'set SONDE_NATS_PREFIX to another word, for streams of its own',
        },
      )
    }
  } finally {
    await made.close()
  }
}

type CopyAll = RunMove & { readonly to: Opened; readonly move: Move; readonly save: (move: Move) => void }

async function copyAll({
  config,
  targets,
  logs,
  logger,
  progress,
  to,
  move,
  save,
}: CopyAll): Promise<readonly Compared[]> {
  const { engines } = config
  const isBehind = 'url' in engines.log || (await inspectLog(engines.log.dir)).depth.bytes > 0
  const names: readonly EngineName[] = [
    'records',
    'telemetry',
    'blobs',
    ...(logs ? [] : (['logReaders'] as const)),
  ]
  const from = (await openEngines(engines, names, {
    logger,
    // Nothing merges from the beginning, where nothing has to be worked off first.
    telemetry: { retentionDays: config.retentionDays, keepsParts: !isBehind },
  })) as Pick<Engines, 'records' | 'telemetry' | 'blobs'> & Partial<Engines> & { close(): Promise<void> }
  try {
    if ('file' in engines.records) await forgetLeases(from.records.db)
    const log = logs ?? from.logReaders
    const stores = { records: from.records.db, telemetry: from.telemetry, blobs: from.blobs }
    if (log) await emptyLog({ engines: stores, log, config, files: programFiles(), logger, progress })
    const compared: Compared[] = []
    if (to.telemetry) {
      await holdParts(from.telemetry)
      const parts = await telemetryParts(from.telemetry)
      const rows = parts.reduce(
        (sum, part) => sum + part.rows - (move.copied.rows[`${part.table}/${part.name}`] ?? 0),
        0,
      )
      progress.begin('telemetry', { rows })
      await copyTelemetry({
        from: from.telemetry,
        to: to.telemetry,
        mark: move.id,
        copied: move.copied,
        save: (copied) => save({ ...move, copied }),
        onCopied(piece) {
          progress.add({
            rows: piece.rows,
            bytes: piece.bytes,
            what: `${piece.part.table} ${piece.part.partition}`,
          })
        },
      })
      progress.end()
      const kept = { nowMs: systemClock.nowMs(), retentionDays: config.retentionDays }
      compared.push(...(await compareTelemetry(from.telemetry, to.telemetry, kept)))
    }
    if (to.blobs) {
      progress.begin('blobs')
      await copyBlobs({ from: from.blobs, to: to.blobs, onBlob: (bytes) => progress.add({ rows: 1, bytes }) })
      progress.end()
      compared.push(...(await compareBlobs(from.blobs, to.blobs)))
    }
    const target = targets.config.engines.records
    if (targets.engines.includes('records') && 'file' in engines.records && 'url' in target) {
      progress.begin('records')
      compared.push(
        ...(await copyRecords({
          file: engines.records.file,
          url: target.url,
          mark: move.id,
          logger,
          onRows: (what, rows) => progress.add({ rows, what }),
        })),
      )
      progress.end()
    }
    return compared
  } finally {
    await from.close()
  }
}
