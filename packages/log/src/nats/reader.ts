/**
 * The readers of the log on NATS, one for each partition, over one connection. A position is a sequence number of the
 * partition's stream: the server hands them out without gaps, and only their beginning is ever deleted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, type Logger, SondeError, systemClock } from '@sonde/base'
import type { LogReader, LogReaders, LogRecord, ReadLimit } from '../log.ts'
import { connectLog, type NatsLog } from './connect.ts'
import { createBatchFetcher, type StoredMessage } from './fetch-batch.ts'
import type { NatsLogOptions } from './options.ts'
import { dropPieces, readClaim, readPieces, sweepPieces, untilDone } from './pieces.ts'
import { noteShards } from './place-projects.ts'

export type NatsReadersOptions = NatsLogOptions & {
  readonly clock?: Clock
  readonly onCorruption?: () => void
}

// What every message has on top of its bytes, at the server: more is asked for, and left out here.
const HEAD_BYTES = 512
// When nobody said that there is something.
const ASSURE_MS = 1_000
// A copy that is behind has it by then.
const BEHIND_MS = 20
const SWEEP_EVERY_MS = 60_000

/** Throws `ConfigError`, and `UnavailableError` when no server answers. */
export async function openNatsReaders(options: NatsReadersOptions): Promise<LogReaders> {
  const { clock = systemClock, logger } = options
  const log = await connectLog(options, 'process')
  const sweep = createSweep(log, clock, logger)
  const onGap = (partition: number, from: number, to: number): void => {
    logger.error({ partition, from, to }, 'records of the log are damaged or gone, and skipped')
    options.onCorruption?.()
  }
  const readers = Array.from({ length: log.partitions }, (_, partition) =>
    openReader(log, partition, { sweep, onGap }),
  )
  return {
    readers,
    isShared: true,
    async end(partition) {
      return (await log.manager.streams.info(log.names.stream(partition))).state.last_seq + 1
    },
    placeBy: (shards) => noteShards(log, shards),
    async close() {
      for (const reader of readers) await reader.close()
      await log.close()
    },
  }
}

type Needs = {
  readonly sweep: () => void
  readonly onGap: (partition: number, from: number, to: number) => void
}

function openReader(log: NatsLog, partition: number, { sweep, onGap }: Needs): LogReader {
  const stream = log.names.stream(partition)
  const closing = new AbortController()
  /** Position → the record's pieces, of what was read and is not committed. */
  const claimed = new Map<number, string>()
  let opened: ReturnType<typeof open> | undefined
  const open = () => ({ fetcher: createBatchFetcher(log), wake: createWake(log, partition) })
  const info = () => log.manager.streams.info(stream)
  const state = async () => (await info()).state

  /** The bytes of a message, wherever they lie. Undefined: they are gone. */
  const recordOf = async (message: StoredMessage, signal: AbortSignal): Promise<LogRecord | undefined> => {
    const { position } = message
    const next = position + 1
    const claim = readClaim(message.header)
    if (!claim) return { position, next, bytes: message.bytes }
    const bytes = await untilDone(() => readPieces(log, claim, signal), signal)
    if (bytes) claimed.set(position, claim.recordId)
    return bytes && { position, next, bytes }
  }

  /** As many as the limit allows; undefined: the signal ended it. */
  const collect = async (
    messages: readonly StoredMessage[],
    { maxBytes, maxRecords, to = Infinity }: ReadLimit,
    signal: AbortSignal,
  ): Promise<{ records: LogRecord[]; lost: number }> => {
    const records: LogRecord[] = []
    let bytes = 0
    let lost = 0
    for (const message of messages) {
      if (message.position >= to || records.length >= maxRecords) break
      const size = Number(message.header('Sonde-Bytes') ?? message.bytes.length)
      if (records.length > 0 && bytes + size > maxBytes) break
      const record = await recordOf(message, signal)
      if (signal.aborted) break
      if (record) records.push(record)
      else {
        lost++
        onGap(partition, message.position, message.position + 1)
      }
      bytes += size
    }
    return { records, lost }
  }

  const read: LogReader['read'] = async (from, limit, given) => {
    if (closing.signal.aborted) throw closedError(stream)
    opened ??= open()
    const { fetcher, wake } = opened
    const signal = AbortSignal.any([given, closing.signal])
    let position = Math.max(1, from)
    while (!signal.aborted) {
      if (limit.to !== undefined && position >= limit.to) return []
      const seen = wake.newest()
      const ask = {
        records: limit.maxRecords,
        bytes: limit.maxBytes + HEAD_BYTES * Math.min(limit.maxRecords, 256),
      }
      const messages = await fetcher.fetch(stream, position, ask)
      const [first] = messages
      if (!first) {
        if (limit.to !== undefined) {
          const end = await untilDone(async () => (await state()).last_seq + 1, signal)
          if (end !== undefined && position >= Math.min(limit.to, end)) return []
          await sleep(BEHIND_MS, undefined, { signal }).catch(() => undefined)
        } else if (seen >= position) await sleep(BEHIND_MS, undefined, { signal }).catch(() => undefined)
        else await wake.after(position, signal)
        continue
      }
      if (first.position > position) {
        const kept = await untilDone(async () => (await state()).first_seq, signal)
        if (kept !== undefined && kept < first.position)
          onGap(partition, Math.max(kept, position), first.position)
      }
      const { records, lost } = await collect(messages, limit, signal)
      if (records.length > 0) return records
      if (limit.to !== undefined && first.position >= limit.to) return []
      position = first.position + lost
    }
    return []
  }

  return {
    partition,
    read,
    async commit(position) {
      if (position <= 1) return
      await log.manager.streams.purge(stream, { seq: position })
      for (const [at, recordId] of claimed)
        if (at < position) {
          await dropPieces(log, recordId)
          claimed.delete(at)
        }
      sweep()
    },
    async committed() {
      const { config, state: kept } = await info()
      return kept.first_seq <= (config.first_seq ?? 1) ? 0 : kept.first_seq
    },
    async depth() {
      const { messages, bytes, first_ts } = await state()
      return messages === 0 ? { bytes: 0, oldestMs: undefined } : { bytes, oldestMs: Date.parse(first_ts) }
    },
    async close() {
      closing.abort()
      opened?.fetcher.close()
      opened?.wake.close()
    },
  }
}

/** What writers say about new records. */
function createWake({ connection, names }: NatsLog, partition: number) {
  let newest = 0
  let wakeUp = (): void => undefined
  const subscription = connection.subscribe(names.wake(partition), {
    callback(error, message) {
      if (error === null) newest = Math.max(newest, Number(message.string()))
      wakeUp()
    },
  })
  return {
    newest: () => newest,
    /** Resolves when something at `position` or behind is said to be there, or it is time to look. */
    after: (position: number, signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer)
          signal.removeEventListener('abort', done)
          resolve()
        }
        const timer = setTimeout(done, ASSURE_MS)
        wakeUp = () => newest >= position && done()
        signal.addEventListener('abort', done)
        if (signal.aborted || newest >= position) done()
      }),
    close: () => subscription.unsubscribe(),
  }
}

function createSweep(log: NatsLog, clock: Clock, logger: Logger): () => void {
  let nextMs = 0
  return () => {
    const nowMs = clock.nowMs()
    if (nowMs < nextMs) return
    nextMs = nowMs + SWEEP_EVERY_MS
    sweepPieces(log, nowMs).catch((error: unknown) =>
      logger.debug({ err: error }, 'pieces of consumed records stay for now'),
    )
  }
}

const closedError = (stream: string): SondeError =>
  new SondeError('conflict', `the reader of ${stream} is closed`, {
    operation: 'read the log',
    subject: stream,
  })
