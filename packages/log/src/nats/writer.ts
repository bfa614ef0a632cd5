/** The writer of the log on NATS: an append is a message to the stream of its partition, and its acknowledgement. */
import { randomUUID } from 'node:crypto'
import { type Clock, SondeError } from '@sonde/base'
import type { LogWriter } from '../log.ts'
import { connectLog, type NatsLog } from './connect.ts'
import { NATS_DEFAULTS, type NatsLogOptions } from './options.ts'
import { claimHeaders, longestMessage, storePieces } from './pieces.ts'
import { followShards } from './place-projects.ts'
import { publish, refusal, StreamFullError } from './publish.ts'

export type NatsWriterOptions = NatsLogOptions & {
  readonly clock?: Clock
  /** Appends beyond this many bytes not yet acknowledged are refused at once. */
  readonly maxWaitingBytes?: number
  /** How often the shards of telemetry are looked up. Tests shorten it. */
  readonly lookMs?: number
}

// As the embedded log's: seconds of a busy site, a fraction of what the front may hold.
const MAX_WAITING_BYTES = 32 * 2 ** 20
const MAX_RECORD_BYTES = 2 ** 30
const DOUBT_MS = 5_000
// One word for whatever was stored in this time: readers look a little later, and all at once.
const WAKE_MS = 5

/** Throws `ConfigError`, and `UnavailableError` when no server answers. */
export async function openNatsWriter(options: NatsWriterOptions): Promise<LogWriter> {
  const log = await connectLog(options, 'ingest')
  const { maxWaitingBytes = MAX_WAITING_BYTES, appendMs = NATS_DEFAULTS.appendMs } = options
  const count = { records: 0, groups: 0, bytes: 0, refused: 0, waitingRecords: 0, waitingBytes: 0 }
  const writerId = randomUUID().replaceAll('-', '').slice(0, 16)
  const waker = createWaker(log)
  const placing = await followShards(log, options.lookMs).catch(async (error: unknown) => {
    await log.close()
    throw error
  })
  let serial = 0
  let durablePosition = 0
  let failing = false
  let failedMs = 0
  /** When a partition was found full. */
  const full = new Map<number, number>()
  let closed: Promise<void> | undefined
  const running = new Set<Promise<void>>()

  // Who is told that nothing is accepted sends nothing: then no append would ever show that it works again.
  // A full partition is its projects' alone: a node that said so of all would be without requests, and so would all nodes.
  const isRefusing = (): boolean => {
    const sinceMs = performance.now() - DOUBT_MS
    if (failing && failedMs > sinceMs) return true
    return full.size === log.partitions && [...full.values()].every((foundMs) => foundMs > sinceMs)
  }

  const refuse = (message: string): Promise<never> => {
    count.refused++
    return Promise.reject(refusal(log, message, 'it goes on by itself; see sonde doctor'))
  }

  const store = async (partition: number, record: Uint8Array): Promise<number> => {
    const id = `${writerId}.${++serial}`
    const subject = log.names.subject(partition)
    if (record.length <= longestMessage(log)) return publish(log, { subject, payload: record, id }, appendMs)
    const headers = claimHeaders(await storePieces(log, record, appendMs))
    return publish(log, { subject, payload: new Uint8Array(), id, headers }, appendMs)
  }

  const append = async (partition: number, record: Uint8Array): Promise<void> => {
    count.waitingRecords++
    count.waitingBytes += record.length
    try {
      const position = await store(partition, record)
      count.records++
      count.groups++
      count.bytes += record.length
      durablePosition = Math.max(durablePosition, position + 1)
      waker.stored(partition, position)
      const wasFull = full.delete(partition)
      if (failing || wasFull)
        options.logger.info({ nats: log.address, partition }, 'the log takes records again')
      failing = false
    } catch (error) {
      count.refused++
      const isFull = error instanceof StreamFullError
      if (isFull ? !full.has(partition) : !failing)
        options.logger.error({ err: error, partition }, 'the log refuses records')
      if (isFull) full.set(partition, performance.now())
      else {
        failing = true
        failedMs = performance.now()
      }
      throw error
    } finally {
      count.waitingRecords--
      count.waitingBytes -= record.length
    }
  }

  return {
    append(bytes, more, projectId = 0) {
      const length = bytes.length + (more?.length ?? 0)
      if (closed) return refuse('the log is closing')
      if (length > MAX_RECORD_BYTES) return Promise.reject(tooLarge(length, log.address))
      if (count.waitingBytes > 0 && count.waitingBytes + length > maxWaitingBytes)
        return refuse(`NATS is behind: ${count.waitingBytes} bytes wait already`)
      // The client writes one piece.
      const record = more === undefined ? bytes : Buffer.concat([bytes, more])
      const appended = append(placing.partitionOf(projectId), record)
      running.add(appended)
      void appended.then(
        () => running.delete(appended),
        () => running.delete(appended),
      )
      return appended
    },
    partitionOf: placing.partitionOf,
    close() {
      closed ??= (async () => {
        placing.close()
        await Promise.allSettled(running)
        waker.close()
        await log.close()
      })()
      return closed
    },
    stats: () => ({ ...count, durablePosition, accepting: log.isConnected() && !isRefusing() }),
  }
}

/** Tells readers that there is something: they ask for it then, and once a second without. */
function createWaker({ connection, names }: NatsLog) {
  const newest = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined
  const tell = (): void => {
    timer = undefined
    for (const [partition, position] of newest)
      if (!connection.isClosed()) connection.publish(names.wake(partition), String(position))
    newest.clear()
  }
  return {
    stored(partition: number, position: number) {
      newest.set(partition, Math.max(position, newest.get(partition) ?? 0))
      timer ??= setTimeout(tell, WAKE_MS)
    },
    close() {
      clearTimeout(timer)
      tell()
    },
  }
}

const tooLarge = (length: number, subject: string): SondeError =>
  new SondeError('invalid', `a record of ${length} bytes; at most ${MAX_RECORD_BYTES} are allowed`, {
    operation: 'append to the log',
    subject,
  })
