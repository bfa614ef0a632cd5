/** What each engine occupies on the disk, and what is left. */
import type { Dirent } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type Clock, steadyMs } from '@sonde/base'
import type { DiskUsage } from '@sonde/web/server'

/** Undefined: what it holds is on a server. */
export type DataPaths = {
  readonly log: string | undefined
  readonly telemetry: string | undefined
  /** The file; what SQLite keeps beside it counts with it. */
  readonly records: string | undefined
  readonly blobs: string | undefined
}

const FRESH_MS = 10_000
/** A folder of a million source maps takes seconds to walk: then it is walked less often, 5 % of the time at most. */
const PAUSE_PER_WALK = 20

/**
 * Files that come and go meanwhile are counted or not. Calls at the same time share one look; a result is kept for
 * 10 s, longer when the look took long.
 */
export function createDiskUsage(dataDir: string, paths: DataPaths, clock: Clock): () => Promise<DiskUsage> {
  let known: { readonly usage: Promise<DiskUsage>; untilMs: number } | undefined
  return () => {
    if (known && steadyMs(clock) < known.untilMs) return known.usage
    const beganMs = steadyMs(clock)
    const look = { usage: lookAt(dataDir, paths, clock.nowMs()), untilMs: Infinity }
    known = look
    look.usage.then(
      () => {
        const tookMs = steadyMs(clock) - beganMs
        look.untilMs = steadyMs(clock) + Math.max(FRESH_MS, tookMs * PAUSE_PER_WALK)
      },
      () => {
        look.untilMs = -Infinity
      },
    )
    return look.usage
  }
}

async function lookAt(dataDir: string, paths: DataPaths, atMs: number): Promise<DiskUsage> {
  const sizeOf = async (name: keyof DataPaths): Promise<DiskUsage['engines']> => {
    const path = paths[name]
    if (path === undefined) return []
    if (name !== 'records') return [{ name, bytes: await folderBytes(path) }]
    const files = await Promise.all(['', '-wal', '-shm'].map((suffix) => fileBytes(`${path}${suffix}`)))
    return [{ name, bytes: files.reduce((sum, bytes) => sum + bytes, 0) }]
  }
  const names = ['log', 'telemetry', 'records', 'blobs'] as const
  const [space, ...sizes] = await Promise.all([diskSpaceOf(dataDir), ...names.map(sizeOf)])
  const engines = sizes.flat()
  return {
    atMs,
    engines: engines.toSorted((a, b) => b.bytes - a.bytes),
    dataBytes: engines.reduce((sum, { bytes }) => sum + bytes, 0),
    ...space,
  }
}

/** Of the file system that holds a folder, as an ordinary user may fill it. */
export async function diskSpaceOf(dir: string): Promise<Pick<DiskUsage, 'freeBytes' | 'sizeBytes'>> {
  const { bavail, blocks, bsize } = await statfs(dir)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
}

/**
 * One file after the other: a walk in parallel would take the threads that the engines read with. Folder by folder,
 * because a part that is merged away meanwhile must not end the walk.
 */
async function folderBytes(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += await folderBytes(path)
    else if (entry.isFile()) bytes += await fileBytes(path)
  }
  return bytes
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** What it occupies, as `du` says, where the system tells. */
async function fileBytes(file: string): Promise<number> {
  try {
    const { blocks, size } = await stat(file)
    return blocks > 0 ? blocks * 512 : size
  } catch (error) {
    if (isMissing(error)) return 0
    throw error
  }
}

const GONE = new Set(['ENOENT', 'ENOTDIR'])
const isMissing = (error: unknown): boolean => GONE.has((error as NodeJS.ErrnoException).code ?? '')
