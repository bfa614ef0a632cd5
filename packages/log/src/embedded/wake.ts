/**
 * Tells a waiting reader that the writer may have published: a watch on its file, and a poll for where watching
 * does not work (network file systems, exhausted inotify watches, a writer that never ran). While the watch works, the
 * poll is rare, so that a reader that waits costs nothing: it finds out that the watch is silent, once.
 */
import { type FSWatcher, watch } from 'node:fs'
import { watermarkPath } from './durable-watermark.ts'

export type Wake = {
  /** Signs of life so far. Ask before looking; then `after` misses none that came while looking. */
  signs(): number
  /**
   * Resolves once there are more signs than `seen` (true), or, false, when it is time to look without one or `signal`
   * aborts. Never throws.
   */
  after(seen: number, signal: AbortSignal): Promise<boolean>
  /** There was something new without a sign of it: looks often, until a sign comes again. */
  missed(): void
  close(): void
}

/** While the watch is believed. What it missed is seen so much later, the first time. */
export const ASSURE_MS = 2_000

export function createWake(dir: string, pollMs: number): Wake {
  const sleepers = new Set<() => void>()
  let watcher: FSWatcher | undefined
  let count = 0
  let closed = false
  let isSilent = false
  const sign = (): void => {
    count++
    isSilent = false
    for (const wakeOne of sleepers) wakeOne()
  }
  const unwatch = (): void => {
    watcher?.close()
    watcher = undefined
  }
  return {
    signs() {
      if (watcher || closed) return count
      try {
        watcher = watch(watermarkPath(dir), { persistent: false }, (event) => {
          if (event === 'rename') unwatch() // replaced or removed: the old file tells nothing any more
          sign()
        })
        watcher.on('error', unwatch)
      } catch {
        // Not there yet, or no watches left: the poll looks again.
      }
      return count
    },
    after(seen, signal) {
      return new Promise((resolve) => {
        const done = (): void => {
          sleepers.delete(done)
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          resolve(count > seen)
        }
        const isTold = watcher !== undefined && !isSilent
        const timer = setTimeout(done, isTold ? Math.max(pollMs, ASSURE_MS) : pollMs)
        sleepers.add(done)
        signal.addEventListener('abort', done)
        if (signal.aborted || closed || count > seen) done()
      })
    },
    missed() {
      isSilent = true
    },
    close() {
      closed = true
      unwatch()
      sign()
    },
  }
}
