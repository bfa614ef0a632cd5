/**
 * Tells a waiting reader that the writer may have published: a watch on its file, and a poll for where watching
 * does not work (network file systems, exhausted inotify watches, a writer that never ran).
 */
import { type FSWatcher, watch } from 'node:fs'
import { publishedPath } from './published.ts'

export type Wake = {
  /** Signs of life so far. Ask before looking; then `after` misses none that came while looking. */
  signs(): number
  /** Resolves once there are more signs than `seen`, after `pollMs`, or when `signal` aborts. Never throws. */
  after(seen: number, signal: AbortSignal): Promise<void>
  close(): void
}

export function createWake(dir: string, pollMs: number): Wake {
  const sleepers = new Set<() => void>()
  let watcher: FSWatcher | undefined
  let count = 0
  let closed = false
  const sign = (): void => {
    count++
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
        watcher = watch(publishedPath(dir), { persistent: false }, (event) => {
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
          resolve()
        }
        const timer = setTimeout(done, pollMs)
        sleepers.add(done)
        signal.addEventListener('abort', done)
        if (signal.aborted || closed || count > seen) done()
      })
    },
    close() {
      closed = true
      unwatch()
      sign()
    },
  }
}
