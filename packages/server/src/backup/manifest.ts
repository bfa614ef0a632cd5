/** What a repository says of a backup: a summary that anybody who has the files may read, and a manifest that is sealed as the data. */
import { SondeError } from '@sonde/base'

export const FORMAT = 1

/** A stretch of one object of a repository. */
export type Piece = readonly [sha256: string, bytes: number]

export type BackupCounts = {
  /** Rows of each table. */
  readonly records: Readonly<Record<string, number>>
  /** Rows that the parts of each table have, those included that are marked as deleted. */
  readonly telemetry: Readonly<Record<string, number>>
  readonly blobs: number
  /** Bytes of the log that the pipeline had not processed. */
  readonly logBytes: number
}

export type BackupSummary = {
  readonly format: typeof FORMAT
  readonly id: string
  /** The moment that all of it is of. */
  readonly createdMs: number
  /** Of Sonde. */
  readonly version: string
  /** For whom it is encrypted; empty: it is not. */
  readonly recipients: readonly string[]
  /** What was backed up, as it lay there. */
  readonly bytes: number
  /** What it occupies, shared with other backups or not. */
  readonly storedBytes: number
  /** What was written for it. */
  readonly newBytes: number
  readonly tookMs: number
  /** How long nothing was written to the stores. What arrived meanwhile went to the log. */
  readonly pausedMs: number
  readonly counts: BackupCounts
  readonly manifest: readonly Piece[]
  /** All that it needs, the manifest's own included. */
  readonly pieces: readonly Piece[]
}

/** Bytes of files that are copied or were there, of all. */
export type BackupProgress = { readonly bytes: number; readonly ofBytes: number }

/** A stretch of a file, and where it lies. */
export type FileEntry = {
  /** In the data folder. */
  readonly path: string
  /** Where in the file it begins. */
  readonly at: number
  readonly bytes: number
  readonly sha256: string
  /** In `objects`. */
  readonly object: number
  /** Its name in the tar archive that the object is. */
  readonly entry: string
  /** The same key is the same bytes: of what does not change once it is there. */
  readonly key?: string
}

export type ObjectEntry = {
  readonly pieces: readonly Piece[]
  /** Of the files in it. */
  readonly bytes: number
}

export type Manifest = {
  readonly format: typeof FORMAT
  readonly id: string
  readonly version: string
  /** Steps of the schema that the records had taken. */
  readonly schema: readonly string[]
  readonly counts: BackupCounts
  /** A hash over some rows of each table of the records. */
  readonly samples: Readonly<Record<string, string>>
  readonly files: readonly FileEntry[]
  /** Symbolic links in the data folder. */
  readonly links: readonly { readonly path: string; readonly to: string }[]
  /** Folders that are empty. */
  readonly folders: readonly string[]
  readonly objects: readonly ObjectEntry[]
}

/** Of a format that a later version made, and which may mean anything. */
export function isLaterFormat(text: string): boolean {
  const format = (parse(text) as { readonly format?: unknown } | undefined)?.format
  return typeof format === 'number' && format > FORMAT
}

/** Undefined for what is none, or of a later version. */
export function readSummary(text: string): BackupSummary | undefined {
  const read = parse(text) as Partial<BackupSummary> | undefined
  const isRight =
    read?.format === FORMAT &&
    typeof read.id === 'string' &&
    typeof read.createdMs === 'number' &&
    Array.isArray(read.recipients) &&
    [read.manifest, read.pieces].every((pieces) => Array.isArray(pieces) && pieces.every(isPiece))
  return isRight ? (read as BackupSummary) : undefined
}

/** Throws `conflict` for what a later version wrote or nobody did. */
export function readManifest(text: string): Manifest {
  const read = parse(text) as Partial<Manifest> | undefined
  const isRight =
    read?.format === FORMAT &&
    Array.isArray(read.files) &&
    Array.isArray(read.objects) &&
    Array.isArray(read.links) &&
    Array.isArray(read.folders) &&
    Array.isArray(read.schema) &&
    read.objects.every(({ pieces }) => Array.isArray(pieces) && pieces.every(isPiece)) &&
    [...read.files, ...read.links].every(({ path }) => isInside(path)) &&
    read.folders.every(isInside)
  if (isRight) return read as Manifest
  const what = isLaterFormat(text)
    ? 'a later version of Sonde made the backup, in a form that this one does not know'
    : 'the list of files of the backup cannot be read'
  throw new SondeError('conflict', what, {
    operation: 'read a backup',
    hint: 'use the version of Sonde that made it, or a newer one; else restore an older backup',
  })
}

const isPiece = (piece: unknown): boolean =>
  Array.isArray(piece) && /^[0-9a-f]{64}$/.test(String(piece[0])) && Number.isSafeInteger(piece[1])

/** A path of a backup never leads out of the folder that it is restored into. */
const isInside = (path: unknown): boolean =>
  typeof path === 'string' && path !== '' && path.split('/').every((part) => !['', '.', '..'].includes(part))

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
