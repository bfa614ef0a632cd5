/** What the process that copies does for one backup. Everything slow happens before the moment or after it. */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { Readable } from 'node:stream'
import { SondeError } from '@sonde/base'
import { readBackupKey } from './backup-key.ts'
import { type CreateJob, FROZEN_PREFIX, frozenName, type FrozenRows } from './backup-messages.ts'
import { copyRecords, frozenParts, linkBlobs, recordsFacts } from './collect-files.ts'
import {
  type BackupSummary,
  FORMAT,
  type Manifest,
  type Piece,
  readManifest,
  type BackupProgress,
} from './manifest.ts'
import { openTarget } from './open-target.ts'
import { type KnownFiles, knownFiles, packFiles, wholeObjects } from './pack-files.ts'
import { type PinnedSnapshot, pinSnapshot, PLACES, workDir } from './pin-snapshot.ts'
import type { Repository } from './repository.ts'
import { openManifest } from './unpack-files.ts'

/** The other side of it; see `backup-messages.ts`. */
export type CopierTalk = {
  /** Resolves when the moment is to be held. */
  ready(): Promise<void>
  /** Resolves when the engine has frozen its parts. */
  pinned(): Promise<{ readonly pausedMs: number; readonly rows: FrozenRows }>
  linked(): void
  progress(progress: BackupProgress): void
}

const OPERATION = 'back up'

/** The list of the last one, also for who cannot decrypt it. */
const lastManifest = (dataDir: string): string => join(workDir(dataDir), 'last-manifest.json')

export async function copyBackup(job: CreateJob, talk: CopierTalk): Promise<BackupSummary> {
  const beganMs = Date.now()
  const { dataDir, id } = job
  const staging = join(workDir(dataDir), `work-${id}`)
  const shadow = join(dataDir, PLACES.telemetry, 'shadow')
  const repository = await openTarget(job.target)
  const recipients = await recipientsOf(job)
  return repository.locked(OPERATION, async () => {
    sweep(dataDir)
    mkdirSync(staging, { recursive: true, mode: 0o700 })
    let pinned: PinnedSnapshot | undefined
    try {
      const last = await lastBackup(repository, { dataDir, recipients })
      await talk.ready()
      const createdMs = Date.now()
      pinned = await pinSnapshot({ dataDir, staging, secretFile: job.secretFile })
      const { pausedMs, rows } = await talk.pinned()
      const isErased = erasedMs(pinned.records) >= last.createdMs
      const blobs = await linkBlobs(
        { dir: join(dataDir, PLACES.blobs), staging: join(staging, PLACES.blobs) },
        isErased ? NOTHING_KNOWN : last.known,
      )
      talk.linked()
      const file = join(staging, PLACES.records)
      const records = await copyRecords(pinned.records, file)
      pinned.records.close()
      const facts = recordsFacts(file)
      const parts = frozenParts(join(shadow, frozenName(id)), pinned.links)
      checkRows(rows, parts.rows)
      const files = [...pinned.files, ...records, ...parts.files, ...blobs]
      const ofBytes = files.reduce((sum, { bytes }) => sum + bytes, 0)
      let bytes = 0
      const packed = await packFiles({
        repository,
        files,
        known: isErased ? await wholeObjects(last.known, files) : last.known,
        onPacked: (more) => talk.progress({ bytes: (bytes += more), ofBytes }),
      })
      const { links, folders, logBytes } = pinned
      const counts = { records: facts.counts, telemetry: parts.rows, blobs: blobs.length, logBytes }
      const { version } = job
      const { schema, samples } = facts
      const manifest: Manifest = {
        format: FORMAT,
        id,
        version,
        schema,
        samples,
        counts,
        links,
        folders,
        ...packed,
      }
      const text = JSON.stringify(manifest)
      const own = await repository.put(Readable.from([Buffer.from(text)], { objectMode: false }))
      const pieces = distinct([...own, ...packed.objects.flatMap((object) => object.pieces)])
      await checkAllThere(repository, pieces)
      const summary: BackupSummary = {
        format: FORMAT,
        id,
        createdMs,
        version,
        recipients,
        bytes: ofBytes,
        storedBytes: pieces.reduce((sum, [, length]) => sum + length, 0),
        newBytes: repository.written(),
        tookMs: Date.now() - beganMs,
        pausedMs,
        counts,
        manifest: own,
        pieces,
      }
      await repository.add(summary)
      keepManifest(dataDir, text)
      return summary
    } finally {
      if (pinned?.records.isOpen) pinned.records.close()
      sweep(dataDir)
    }
  })
}

async function recipientsOf({ target: { keyFile } }: CreateJob): Promise<readonly string[]> {
  if (keyFile === undefined) return []
  return (await readBackupKey(keyFile)).recipients
}

/** What a process left that was ended: its copies, and what the engine froze for it. */
function sweep(dataDir: string): void {
  const remove = (dir: string, prefix: string): void => {
    for (const name of existsSync(dir) ? readdirSync(dir) : [])
      if (name.startsWith(prefix)) rmSync(join(dir, name), { recursive: true, force: true })
  }
  remove(workDir(dataDir), 'work-')
  remove(join(dataDir, PLACES.telemetry, 'shadow'), FROZEN_PREFIX)
}

const NOTHING_KNOWN: KnownFiles = new Map()

/** When a person or a project was last erased for good: what is backed up after it has no byte of them in what it shares. */
function erasedMs(records: DatabaseSync): number {
  const row = records
    .prepare(
      `SELECT max(at_ms) AS atMs FROM (SELECT max(finished_ms) AS at_ms FROM erasure
       UNION ALL SELECT max(finished_ms) FROM deletion)`,
    )
    .get()
  return Number(row?.['atMs'] ?? 0)
}

type LastBackup = { readonly known: KnownFiles; readonly createdMs: number }

/** Only for the same recipients: whoever opens the new one has to open what it shares with the old. */
async function lastBackup(
  repository: Repository,
  { dataDir, recipients }: { readonly dataDir: string; readonly recipients: readonly string[] },
): Promise<LastBackup> {
  const none = { known: NOTHING_KNOWN, createdMs: Infinity }
  const last = (await repository.list()).findLast(
    ({ summary }) => summary && summary.recipients.join() === recipients.join(),
  )?.summary
  if (!last) return none
  const manifest =
    keptManifest(dataDir, last.id) ?? (await openManifest(repository, last).catch(() => undefined))
  if (!manifest) return none
  const there = await repository.sizes()
  const isThere = (pieces: readonly Piece[]): boolean =>
    pieces.every(([sha256, bytes]) => there.get(sha256) === bytes)
  const known = knownFiles(manifest)
  return {
    known: new Map([...known].filter(([, { object }]) => isThere(object.pieces))),
    createdMs: last.createdMs,
  }
}

function keptManifest(dataDir: string, id: string): Manifest | undefined {
  try {
    const manifest = readManifest(readFileSync(lastManifest(dataDir), 'utf8'))
    return manifest.id === id ? manifest : undefined
  } catch {
    return undefined
  }
}

function keepManifest(dataDir: string, text: string): void {
  const file = lastManifest(dataDir)
  writeFileSync(`${file}.draft`, text, { mode: 0o600 })
  renameSync(`${file}.draft`, file)
}

/** The engine and its files say the same, or they are not understood. */
function checkRows(expected: FrozenRows, found: Readonly<Record<string, number>>): void {
  const table = Object.keys(expected).find((name) => expected[name] !== found[name])
  if (table === undefined) return
  throw new SondeError(
    'internal',
    `${table} has ${expected[table]} rows, and ${found[table] ?? 0} are in what the engine froze of it`,
    { operation: OPERATION, subject: table, hint: 'report this message' },
  )
}

/** Whatever else was done in the repository meanwhile: a backup that lacks something is none. */
async function checkAllThere(repository: Repository, pieces: readonly Piece[]): Promise<void> {
  const there = await repository.sizes()
  const missing = pieces.find(([sha256, bytes]) => there.get(sha256) !== bytes)
  if (!missing) return
  throw new SondeError('conflict', `${repository.place} lost ${missing[0]} while the backup was made`, {
    operation: OPERATION,
    subject: repository.place,
    hint: 'back up again; nothing but `sonde backup prune` may delete files there',
  })
}

const distinct = (pieces: readonly Piece[]): readonly Piece[] => [
  ...new Map(pieces.map((piece) => [piece[0], piece])).values(),
]
