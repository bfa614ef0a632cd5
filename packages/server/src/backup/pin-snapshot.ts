/**
 * One moment of a data folder, held without copying much: the records by an open read transaction, the log by hard links of
 * the segments that are still to be processed, telemetry's small files by copies. The parts of telemetry are frozen by the
 * engine meanwhile (`ALTER TABLE … FREEZE`), and blobs do not change.
 */
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readlinkSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { inspectLog, segmentPath } from '@sonde/log'
import type { SourceFile } from './pack-files.ts'

export type PinnedSnapshot = {
  /** A read transaction of that moment is open on it. */
  readonly records: DatabaseSync
  readonly files: readonly SourceFile[]
  readonly links: readonly { readonly path: string; readonly to: string }[]
  readonly folders: readonly string[]
  /** Bytes of the log that were not processed. */
  readonly logBytes: number
}

export type PinOptions = {
  readonly dataDir: string
  /** On the same file system as the data folder. */
  readonly staging: string
  readonly secretFile: string | undefined
}

/** Of the paths in a data folder: what `dataPaths` of the configuration says. */
export const PLACES = {
  records: 'records.sqlite',
  telemetry: 'telemetry',
  log: 'log',
  blobs: 'blobs',
  secret: 'secret.key',
} as const

/** What backups keep in the data folder while they run; and what one leaves there for the next. */
export const workDir = (dataDir: string): string => join(dataDir, 'backup-work')

export async function pinSnapshot({ dataDir, staging, secretFile }: PinOptions): Promise<PinnedSnapshot> {
  const records = new DatabaseSync(join(dataDir, PLACES.records), { readOnly: true })
  try {
    const [logDir, logStaging] = [join(dataDir, PLACES.log), join(staging, PLACES.log)]
    // Before: what is consumed is deleted. After: what the records say was consumed has to be in it.
    await linkSegments(logDir, logStaging)
    records.exec('BEGIN')
    // The transaction begins with its first read.
    const position = positionOf(records)
    const log = logFiles(logStaging, position, await linkSegments(logDir, logStaging))
    const telemetry = copySmallFiles(join(dataDir, PLACES.telemetry), join(staging, PLACES.telemetry))
    const files = [...log.files, ...telemetry.files]
    if (secretFile !== undefined && existsSync(secretFile))
      files.push(copyOf(secretFile, join(staging, PLACES.secret), PLACES.secret))
    const { links, folders } = telemetry
    return { records, files, links, folders, logBytes: log.waitingBytes }
  } catch (error) {
    records.close()
    throw error
  }
}

function positionOf(records: DatabaseSync): number {
  const row = records
    .prepare('SELECT max(position) AS position FROM pipeline_state WHERE log_partition = 0')
    .get()
  return Number(row?.['position'] ?? 0)
}

/** Resolves with how far the log was durable before. */
async function linkSegments(dir: string, staging: string): Promise<number | undefined> {
  mkdirSync(staging, { recursive: true })
  const { segments, durable } = await inspectLog(dir)
  for (const { start } of segments) {
    const to = segmentPath(staging, start)
    try {
      if (!existsSync(to)) linkOrCopy(segmentPath(dir, start), to)
    } catch (error) {
      // Consumed since it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return durable
}

/** What lies at and after a position, as far as it is durable: the writer goes on in the last of these files. */
function logFiles(staging: string, position: number, durable = Infinity) {
  const segments = readdirSync(staging)
    .sort()
    .map((name) => ({ name, start: Number.parseInt(name, 10), source: join(staging, name) }))
  const files: SourceFile[] = []
  let waitingBytes = 0
  for (const [index, { name, start, source }] of segments.entries()) {
    const next = segments[index + 1]?.start
    const end = Math.min(start + statSync(source).size, next ?? Infinity, durable)
    if (end <= start || (next !== undefined && next <= position)) continue
    waitingBytes += Math.max(0, end - Math.max(start, position))
    const key = next === undefined ? {} : { key: `log:${start}:${end}` }
    files.push({ path: `${PLACES.log}/${name}`, source, at: 0, bytes: end - start, ...key })
  }
  return { files, waitingBytes }
}

/** Everything of the engine's folder but the parts themselves: definitions, tokens of inserts, deletions that go on. */
function copySmallFiles(dir: string, staging: string) {
  const files: SourceFile[] = []
  const links: { path: string; to: string }[] = []
  const folders: string[] = []
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(dir, below), { withFileTypes: true })) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`
      const path = `${PLACES.telemetry}/${name}`
      if (entry.isSymbolicLink()) links.push({ path, to: readlinkSync(join(dir, name)) })
      else if (entry.isDirectory()) {
        if (isNotCopied(name)) continue
        folders.push(path)
        walk(name)
      } else if (entry.isFile() && name !== 'status')
        files.push(copyOf(join(dir, name), join(staging, name), path))
    }
  }
  walk('')
  return { files, links, folders }
}

/** `store/abc/UUID/` is a table: of its folders only the one with the tokens of inserts is no part. */
function isNotCopied(name: string): boolean {
  const parts = name.split('/')
  if (parts[0] !== 'store') return ['shadow', 'tmp', 'console'].includes(parts[0] ?? '')
  return parts.length === 4 && parts[3] !== 'deduplication_logs'
}

function copyOf(from: string, to: string, path: string): SourceFile {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
  return { path, source: to, at: 0, bytes: statSync(to).size }
}

/** A file system without hard links gets a copy. */
export function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || !existsSync(from)) throw error
    copyFileSync(from, to)
  }
}
