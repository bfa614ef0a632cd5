/**
 * All project keys in memory, for the process that admits requests: a look-up costs nothing and needs no records
 * process. Reads the file itself, so it works while the other process is down, restarts or migrates; whatever goes
 * wrong with the file, the keys last read stay valid.
 */
import { type Clock, type Logger, systemClock } from '@sonde/base'
import { openKeyFile } from './key-file.ts'

export type DirectoryKey = {
  readonly publicKey: string
  readonly keyId: number
  readonly projectId: number
  readonly projectSlug: string
  readonly orgId: number
  readonly orgSlug: string
  readonly isActive: boolean
  /** Of a key that was rotated: `find` says when it is over by `isActive`. */
  readonly activeUntilMs: number | undefined
  /** Undefined: no limit. */
  readonly rateLimit: { readonly count: number; readonly windowSec: number } | undefined
  /** Of all keys of the project together. */
  readonly projectRateLimit: { readonly count: number; readonly windowSec: number } | undefined
  /** Of all keys of the project together. Undefined: no cap. */
  readonly spansPerMinute: number | undefined
  /** The project stored as many spans as it may; what is before now holds no more. */
  readonly spansRefusedUntilMs: number | undefined
  /** Domains whose pages may send to the project, the same list until it changes. Empty: all. */
  readonly allowedDomains: readonly string[]
}

export type KeyDirectory = {
  /** Disabled keys are found too: `isActive` says so. */
  find(publicKey: string): DirectoryKey | undefined
  /**
   * For a key that was not found: looks at the file now instead of at the next poll, so that a key made a moment ago
   * works at once. At most every 20 ms, since unknown keys cost their sender nothing. True when something changed.
   */
  refreshNow(): boolean
  /** False until the file was read once: nobody can be refused or admitted for sure before that. */
  isReady(): boolean
  size(): number
  /** Called after each change that was read. Returns how to stop it. */
  onChange(listener: () => void): () => void
  close(): void
}

export type KeyDirectoryOptions = {
  readonly file: string
  readonly refreshMs?: number
  readonly logger: Logger
  readonly clock?: Clock
}

const DEFAULT_REFRESH_MS = 250
const MIN_GAP_MS = 20

/** Never throws: a file that is missing yet (records start later than the front) is looked for at each poll. */
export function openKeyDirectory(options: KeyDirectoryOptions): KeyDirectory {
  const { logger, clock = systemClock, refreshMs = DEFAULT_REFRESH_MS } = options
  const file = openKeyFile(options.file)
  const listeners = new Set<() => void>()
  let keys: ReadonlyMap<string, DirectoryKey> = new Map()
  let isReady = false
  let isFailing = false
  let checkedMs = Number.NEGATIVE_INFINITY

  const refresh = (): boolean => {
    checkedMs = clock.nowMs()
    let changed: ReadonlyMap<string, DirectoryKey> | undefined
    try {
      changed = file.readIfChanged()
      if (isFailing && isReady) logger.info({ file: options.file }, 'project keys can be read again')
      isFailing = false
    } catch (error) {
      // At the very first start there is no file yet, and no table: that is how it begins, not a failure.
      if (!isFailing && isReady)
        logger.warn({ err: error, file: options.file }, 'project keys cannot be read for now')
      isFailing = true
    }
    if (!changed) return false
    keys = changed
    isReady = true
    for (const listener of listeners) listener()
    return true
  }

  refresh()
  const timer = setInterval(refresh, refreshMs)
  timer.unref()
  return {
    find(publicKey) {
      const key = keys.get(publicKey)
      if (key?.activeUntilMs === undefined || !key.isActive || clock.nowMs() < key.activeUntilMs) return key
      return { ...key, isActive: false }
    },
    refreshNow: () => (Math.abs(clock.nowMs() - checkedMs) < MIN_GAP_MS ? false : refresh()),
    isReady: () => isReady,
    size: () => keys.size,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      clearInterval(timer)
      listeners.clear()
      file.close()
    },
  }
}
