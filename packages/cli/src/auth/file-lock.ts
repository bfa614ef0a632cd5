/** One process at a time: a file that only one can make. Works on every file system that has exclusive creation. */
import { closeSync, openSync, renameSync, statSync, unlinkSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { SondeError } from '@sonde/base/errors'

export type LockOptions = {
  /** Whoever holds it longer than that has died. Well above what `work` may take. */
  readonly staleMs?: number
  readonly waitMs?: number
}

const LOOK_AGAIN_MS = 50

/** Runs `work` while no other process does under the same path. @throws SondeError `unavailable` when it is held too long. */
export async function withFileLock<Result>(
  path: string,
  work: () => Promise<Result>,
  { staleMs = 60_000, waitMs = 30_000 }: LockOptions = {},
): Promise<Result> {
  const endMs = performance.now() + waitMs
  while (!take(path)) {
    removeStale(path, staleMs)
    if (performance.now() > endMs)
      throw new SondeError('unavailable', `${path} is held by another process`, {
        operation: 'lock the file of logins',
        subject: path,
        hint: `when no other "sonde" runs, remove ${path}`,
      })
    await sleep(LOOK_AGAIN_MS)
  }
  try {
    return await work()
  } finally {
    unlinkSync(path)
  }
}

function take(path: string): boolean {
  try {
    const file = openSync(path, 'wx', 0o600)
    writeSync(file, String(process.pid))
    closeSync(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Moved away first: of several that see the old one, only one moves it, and none removes a new one. */
function removeStale(path: string, staleMs: number): void {
  const aside = `${path}.${process.pid}`
  try {
    const seen = statSync(path)
    if (Date.now() - seen.mtimeMs < staleMs) return
    renameSync(path, aside)
    const moved = statSync(aside)
    if (moved.ino === seen.ino && moved.mtimeMs === seen.mtimeMs) unlinkSync(aside)
    // Somebody else was faster, and what was moved is theirs.
    else renameSync(aside, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}
