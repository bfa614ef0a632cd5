/** Digests records on worker threads. A record that kills or hangs its thread is found and becomes a dead letter. */
import { availableParallelism } from 'node:os'
import { type Logger, SondeError } from '@sonde/base'
import type { LogRecord } from '@sonde/log'
import type { StageTimes } from '../stage-runner.ts'
import { cutChunks } from './chunk.ts'
import { deadFromBytes, digestRecord } from './digest-record.ts'
import { DEFAULT_DIGEST_SETTINGS, type DigestSettings } from './digest-settings.ts'
import { createDigestThread, type DigestThread, type ThreadResult } from './digest-thread.ts'
import type { DigestedRecord } from './digested.ts'

export type WorkerOptions = {
  /** 0: on the caller's own thread (tests, tiny machines). */
  readonly threads: number
  /** The bundle's worker file; by default the source beside this file. */
  readonly entry: URL
  readonly recordTimeoutMs: number
  readonly settings: DigestSettings
}

export type DigestPool = {
  /**
   * In the order of `records`, one result for each; with the settings of the options unless told. Throws only when no
   * thread can be started at all.
   */
  digest(records: readonly LogRecord[], settings?: DigestSettings): Promise<DigestedRecord[]>
  /** Threads that died or hung since the start. */
  failures(): number
  close(): Promise<void>
}

type PoolNeeds = { readonly logger: Logger; readonly onTimes?: (times: StageTimes) => void }

/** One core is left to the committer, the store and the log. */
export const defaultThreads = (): number => Math.max(1, availableParallelism() - 1)
// An event takes well under a millisecond; five seconds is an endless loop on any machine.
const RECORD_TIMEOUT_MS = 5000

export function startDigestPool(options: Partial<WorkerOptions>, { logger, onTimes }: PoolNeeds): DigestPool {
  const {
    threads: size = defaultThreads(),
    entry = new URL('./digest-worker.ts', import.meta.url),
    recordTimeoutMs = RECORD_TIMEOUT_MS,
    settings: base = DEFAULT_DIGEST_SETTINGS,
  } = options
  if (size === 0) return inlinePool(base, onTimes)
  const all = Array.from({ length: size }, () => createDigestThread({ entry, recordTimeoutMs }))
  const idle = [...all]
  const waiting: ((thread: DigestThread) => void)[] = []
  let failures = 0

  type Records = readonly LogRecord[]
  const runChunk = async (records: Records, settings: DigestSettings): Promise<ThreadResult> => {
    const thread = idle.pop() ?? (await new Promise<DigestThread>((resolve) => waiting.push(resolve)))
    try {
      return await thread.run(records, settings)
    } finally {
      const next = waiting.shift()
      if (next) next(thread)
      else idle.push(thread)
    }
  }

  const digestChunk = async (records: Records, settings: DigestSettings): Promise<DigestedRecord[]> => {
    if (records.length === 0) return []
    const result = await runChunk(records, settings)
    if (result.ok) {
      onTimes?.(result.reply.times)
      return [...result.reply.digested]
    }
    failures++
    const { begun, reason, error } = result
    if (begun === 0) throw cannotStart(entry, error)
    const suspect = records[begun - 1]
    logger.error({ err: error, reason, position: suspect?.position }, 'a digest thread did not come back')
    if (!suspect) throw cannotStart(entry, error)
    if (records.length === 1) return [deadLetter(suspect, result)]
    // Alone once more: memory that others used up must not be held against it.
    const before = await digestChunk(records.slice(0, begun - 1), settings)
    const alone = await digestChunk([suspect], settings)
    return [...before, ...alone, ...(await digestChunk(records.slice(begun), settings))]
  }

  return {
    async digest(records, settings = base) {
      const chunks = await Promise.all(cutChunks(records).map((chunk) => digestChunk(chunk, settings)))
      return chunks.flat()
    },
    failures: () => failures,
    async close() {
      await Promise.all(all.map((thread) => thread.close()))
    },
  }
}

function deadLetter(
  record: LogRecord,
  failed: Extract<ThreadResult, { readonly ok: false }>,
): DigestedRecord {
  const { position, next } = record
  return {
    position,
    next,
    events: [],
    spans: [],
    attachments: [],
    outcomes: [],
    dead: [deadFromBytes(record.bytes, failed.reason, failed.error)],
  }
}

function cannotStart(entry: URL, cause: Error): SondeError {
  return new SondeError('internal', `no digest thread can be started: ${cause.message}`, {
    operation: 'start a digest thread',
    subject: entry.href,
    cause,
    hint: 'the build misses its worker file, or the machine is out of memory or threads',
  })
}

/** Lets the event loop turn after this long, so that probes and signals are answered. */
const MAX_BLOCK_MS = 10

function inlinePool(base: DigestSettings, onTimes?: (times: StageTimes) => void): DigestPool {
  return {
    async digest(records, settings = base) {
      const digested: DigestedRecord[] = []
      const times: StageTimes = new Map()
      let since = performance.now()
      for (const record of records) {
        digested.push(digestRecord(record, settings, times))
        if (performance.now() - since < MAX_BLOCK_MS) continue
        await new Promise((resolve) => setImmediate(resolve))
        since = performance.now()
      }
      onTimes?.(times)
      return digested
    },
    failures: () => 0,
    close: () => Promise.resolve(),
  }
}
