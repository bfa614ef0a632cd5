/** Data folders of earlier versions, packed: what was in them when that version was stopped stands in their manifest. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync, constants } from 'node:zlib'
import type { Sent } from './send-everything.ts'

const FIXTURES = join(import.meta.dirname, '..', '..', '..', 'fixtures')
const FOLDER = join(FIXTURES, 'data-folders')
const BACKUPS = join(FIXTURES, 'backups')
const SUFFIX = '.tar.zst'

export type StoreContent = {
  /** The steps of its schema, in the order in which they were applied. */
  readonly steps: readonly string[]
  /** Of each table that has some. */
  readonly rows: Readonly<Record<string, number>>
}

export type DataFolderManifest = {
  readonly name: string
  /** Of the source that wrote it. */
  readonly revision: string
  readonly sent: Sent
  readonly records: StoreContent
  readonly telemetry: StoreContent
}

/** By name, which begins with the date: oldest first. */
export const dataFolderNames = (): readonly string[] => namesIn(FOLDER)

/** Repositories with one backup that an earlier version made. */
export const keptBackupNames = (): readonly string[] => namesIn(BACKUPS)

const namesIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .toSorted()

/** `folder` holds `data/` and becomes a file of the fixtures, whose size it returns. */
export function packDataFolder(folder: string, manifest: DataFolderManifest): number {
  writeFileSync(join(folder, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  const tar = spawnSync(
    'tar',
    ['--create', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', 'manifest.json', 'data'],
    { cwd: folder, maxBuffer: 1 << 30 },
  )
  if (tar.status !== 0) throw new Error(`tar ended with ${tar.status}: ${tar.stderr.toString()}`)
  const params = {
    [constants.ZSTD_c_compressionLevel]: 22,
    [constants.ZSTD_c_enableLongDistanceMatching]: 1,
  }
  const packed = zstdCompressSync(tar.stdout, { params })
  writeFileSync(join(FOLDER, `${manifest.name}${SUFFIX}`), packed)
  return packed.length
}

/** Makes `into/data` and returns what is said of it. */
export const unpackDataFolder = (name: string, into: string): DataFolderManifest =>
  unpack(join(FOLDER, `${name}${SUFFIX}`), into)

/** Makes `into/backups` and `into/key`, and returns what is said of the data folder that was backed up. */
export const unpackKeptBackup = (name: string, into: string): DataFolderManifest =>
  unpack(join(BACKUPS, `${name}${SUFFIX}`), into)

function unpack(file: string, into: string): DataFolderManifest {
  const input = zstdDecompressSync(readFileSync(file))
  const tar = spawnSync('tar', ['--extract', '--no-same-owner'], { cwd: into, input })
  if (tar.status !== 0) throw new Error(`tar ended with ${tar.status}: ${tar.stderr.toString()}`)
  return JSON.parse(readFileSync(join(into, 'manifest.json'), 'utf8')) as DataFolderManifest
}
