/**
 * `move.json` in the data folder: what was taken over to servers, where to, and how far an interrupted move came. As long as
 * it is there, nothing opens by accident what lies here and lives elsewhere; deleting it goes back.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError } from '@sonde/base'
import type { TelemetryCopied } from '@sonde/stores/move'
import type { Config } from '../config/config.ts'
import { writeWhole } from '../internal/write-whole.ts'

/** In the order in which they move. The records come late: with them the new Sonde would start. */
export const MOVED_ENGINES = ['log', 'telemetry', 'blobs', 'records'] as const
export type MovedEngine = (typeof MOVED_ENGINES)[number]

export type Move = {
  readonly id: string
  readonly startedMs: number
  /** Undefined: it was interrupted, or runs. */
  readonly finishedMs?: number
  /** Addresses for people; no passwords. */
  readonly to: Readonly<Partial<Record<MovedEngine, string>>>
  readonly copied: TelemetryCopied
}

const FORMAT = 1
export const moveFile = (dataDir: string): string => join(dataDir, 'move.json')

/** Oldest first. Throws `ConfigError` for a file that cannot be read: what it says decides what may be opened. */
export function readMoves(dataDir: string): readonly Move[] {
  const file = moveFile(dataDir)
  if (!existsSync(file)) return []
  try {
    const read = JSON.parse(readFileSync(file, 'utf8')) as { format?: number; moves?: readonly Move[] }
    if (read.format === FORMAT && Array.isArray(read.moves)) return read.moves
  } catch {
    // Said below.
  }
  throw new ConfigError(
    'SONDE_DATA_DIR',
    `${file} cannot be read`,
    'restore it, or delete it to go back to what lies here',
  )
}

export function writeMoves(dataDir: string, moves: readonly Move[]): void {
  writeWhole(moveFile(dataDir), `${JSON.stringify({ format: FORMAT, moves }, null, 1)}\n`)
}

const SETTING_OF: Readonly<Record<MovedEngine, string>> = {
  log: 'SONDE_NATS_URL',
  telemetry: 'SONDE_CLICKHOUSE_URL',
  blobs: 'SONDE_BLOBS_URL',
  records: 'SONDE_DATABASE_URL',
}

/** Throws `ConfigError` where this configuration would open what is moving, or what has moved and lives elsewhere. */
export function refuseMoved({ dataDir, engines }: Pick<Config, 'dataDir' | 'engines'>): void {
  const file = moveFile(dataDir)
  for (const { startedMs, finishedMs, to } of readMoves(dataDir)) {
    if (finishedMs === undefined)
      throw new ConfigError(
        'SONDE_DATA_DIR',
        `what lies in ${dataDir} is being moved since ${day(startedMs)}: ${placesText(to)}`,
        `Go on with the same \`sonde move\`. To give it up, delete ${file}; the servers have to be emptied before another try (docs/operate/move.md).`,
      )
    const old = MOVED_ENGINES.filter((engine) => to[engine] !== undefined && !('url' in engines[engine]))
    if (old.length === 0) continue
    throw new ConfigError(
      'SONDE_DATA_DIR',
      `what lies in ${dataDir} was moved on ${day(finishedMs)}: ${placesText(to)}`,
      `Start with ${old.map((engine) => SETTING_OF[engine]).join(', ')} set to it. To go back to what lies here, without what arrived since, delete ${file} (docs/operate/move.md).`,
    )
  }
}

export const placesText = (to: Move['to']): string =>
  MOVED_ENGINES.flatMap((engine) => (to[engine] === undefined ? [] : [`${engine} to ${to[engine]}`])).join(
    ', ',
  )

const day = (ms: number): string => `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`
