/**
 * The embedded log's reader, usually in another process than the writer. It never looks past the position the
 * writer published: bytes behind it may be in the page cache only, and are cut again when their sync fails.
 */
import { type FSWatcher, watch } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { type Clock, freeMemory, type Logger, SondeError, systemClock } from '@sonde/base'
import type { LogReader, LogReaders } from '../log.ts'
import { lockLog, openCheckpoint } from './checkpoint.ts'
import { bytesFrom, collect, type Corruption, type LogView, toLogRecord, viewLog } from './collect.ts'
import { keepDamaged } from './damaged-segments.ts'
import { readWatermark, watermarkPath } from './durable-watermark.ts'
import { listSegments, segmentPath } from './segments.ts'

/**
 * Tells a waiting reader that the writer may have published: a watch on its file, and a poll for where watching
 * does not work (network file systems, exhausted inotify watches, a writer that never ran). While the watch works, the
 * poll is rare, so that a reader that waits costs nothing: it finds out that the watch is silent, once.
 */
type Wake = {
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
        const isReported = watcher !== undefined && !isSilent
        const timer = setTimeout(done, isReported ? Math.max(pollMs, ASSURE_MS) : pollMs)
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

// Only where the watch does not work; half of what a person would notice in "visible after".
const POLL_MS = 50
// Longer than a writer takes to start and recover a full segment.
const BEYOND_MS = 10_000

export type LogReaderOptions = {
  readonly dir: string
  readonly logger: Logger
  /** Called once per damaged stretch, besides the log line; what it throws is the reader's error. */
  readonly onCorruption?: (corruption: Corruption) => void
  readonly pollMs?: number
  readonly clock?: Clock
}

/** Throws `conflict` when another consumer lives. The writer need not run, nor ever have run. */
export async function openLogReader(options: LogReaderOptions): Promise<LogReader> {
  const { dir, logger, onCorruption, pollMs = POLL_MS, clock = systemClock } = options
  await mkdir(dir, { recursive: true })
  const release = lockLog(dir, 'consumer', '')
  const checkpoint = await openCheckpoint(dir).catch((error: unknown) => {
    release()
    throw error
  })
  const wake = createWake(dir, pollMs)
  let closed = false
  const isClosed = (): boolean => closed
  let view: LogView = { durable: 0, segments: [] }
  let reportedUntil = 0
  let beyondSinceMs = Infinity
  let committing: Promise<void> = Promise.resolve()
  let keeping: Promise<void> = Promise.resolve()

  const report = (corruption: Corruption): void => {
    if (corruption.position < reportedUntil) return
    reportedUntil = corruption.position + corruption.bytes
    logger.error(corruption, 'damaged bytes in the log; went on behind them')
    keeping = keeping
      .then(() => keepDamaged(dir, corruption, clock.nowMs()))
      .catch((error: unknown) => logger.error({ err: error }, 'damaged bytes of the log could not be kept'))
    onCorruption?.(corruption)
  }
  /** Nothing will ever come for such a reader; right after a power loss it is normal until the writer has recovered. */
  const noticeBeyond = (position: number): void => {
    if (position <= view.durable) beyondSinceMs = Infinity
    else beyondSinceMs = Math.min(beyondSinceMs, performance.now())
    if (performance.now() - beyondSinceMs < BEYOND_MS) return
    beyondSinceMs = performance.now()
    logger.error(
      { position, durable: view.durable },
      'the consumer is ahead of the log: was the log folder removed or restored without the stores?',
    )
  }
  /** Looks again, and deletes what a later segment and the checkpoint have left behind. */
  const refresh = async (): Promise<void> => {
    // What is deleted below may be damaged: its second name first.
    await keeping
    const seen = await viewLog(dir, view.durable)
    const current = seen.segments.findLastIndex((span) => span.start <= checkpoint.position())
    for (const { start } of seen.segments.slice(0, Math.max(0, current)))
      await rm(segmentPath(dir, start), { force: true })
    // A read and a commit look at the same time. Each answers for what it saw itself: a view put together from
    // both would miss a segment, and its records would be taken for read.
    if (seen.durable >= view.durable) view = { ...seen, segments: seen.segments.slice(Math.max(0, current)) }
  }
  const assertOpen = (): void => {
    if (!closed) return
    throw new SondeError('internal', 'the log reader is closed', { operation: 'read the log', subject: dir })
  }

  return {
    async read(from, limit, signal) {
      assertOpen()
      let position = from
      let wasNotified = true
      while (!signal.aborted && !isClosed()) {
        if (position < view.durable) {
          if (!wasNotified) wake.missed()
          wasNotified = true
          const found = await collect(dir, view, position, limit, report)
          if (found.records.length > 0) return found.records.map(toLogRecord)
          position = found.next
        }
        if (position >= (limit.to ?? Infinity)) return []
        const signs = wake.signs()
        await refresh()
        noticeBeyond(position)
        if (position >= view.durable) wasNotified = await wake.after(signs, signal)
      }
      return []
    },
    free: (records) => freeMemory(records.map(({ bytes }) => bytes)),
    commit(position) {
      assertOpen()
      const turn = committing.then(async () => {
        if (position > checkpoint.position()) await checkpoint.write(position)
        await refresh()
      })
      committing = turn.catch(() => undefined)
      return turn
    },
    committed: async () => checkpoint.position(),
    async depth() {
      assertOpen()
      await refresh()
      const bytes = bytesFrom(view, checkpoint.position())
      return { bytes, oldestMs: bytes === 0 ? undefined : await oldestMs(dir, view, checkpoint.position()) }
    },
    async close() {
      if (closed) return
      closed = true
      wake.close()
      await Promise.all([committing, keeping])
      await checkpoint.close()
      release()
    },
  }
}

/** When the first record from `position` on was appended. */
export async function oldestMs(dir: string, view: LogView, position: number): Promise<number | undefined> {
  const { records } = await collect(dir, view, position, { maxRecords: 1, maxBytes: 0 }, () => undefined)
  return records[0]?.timeMs
}

/** The one partition of the embedded log; nobody else can have it open. */
export async function openLogReaders(options: LogReaderOptions): Promise<LogReaders> {
  const reader = await openLogReader(options)
  return {
    readers: [reader],
    isShared: false,
    end: async () => (await readWatermark(options.dir))?.durable ?? 0,
    keptFrom: async () => (await listSegments(options.dir))[0] ?? Infinity,
    close: () => reader.close(),
  }
}
