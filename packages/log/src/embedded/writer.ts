/**
 * The embedded log's writer: every append that waits goes down in one `writev` and one `fdatasync`; while that
 * runs, the next group gathers. Nothing is delayed on purpose: a slow disk makes large groups, a fast one small.
 *
 * Segments are not preallocated. Writing into blocks that already exist halves a sync (measured on ext4: 0.12
 * instead of 0.28 ms for 211 kB), but Node has no fallocate, so each byte would be written twice.
 */
import { mkdir } from 'node:fs/promises'
import { type Clock, type Logger, SondeError, systemClock, type UnavailableError } from '@sonde/base'
import type { LogWriter } from '../log.ts'
import { type ActiveSegment, activeSegment } from './active-segment.ts'
import { lockLog } from './checkpoint.ts'
import { openWatermark, type WatermarkWriter, readWatermark } from './durable-watermark.ts'
import { MAX_RECORD_BYTES, SEGMENT_HEADER_BYTES } from './format.ts'
import { encodeGroup, fitting, isDiskFull, refusal, storedBytes, waiting, type Waiting } from './queue.ts'
import { freshPosition, recoverLog } from './recover.ts'
import { listSegments, openLogFile, type OpenLogFile } from './segments.ts'

const MIB = 2 ** 20
// A consumed segment frees its space as a whole: small against a disk, large against the cost of a new file.
const SEGMENT_BYTES = 64 * MIB
// What the front may hold in memory for the disk: seconds of a busy site, a fraction of its budget.
const MAX_WAITING_BYTES = 32 * MIB
// Half an hour of 700 errors a second while the back is down, without eating the disk the stores need too.
const MAX_LOG_BYTES = 8 * 1024 * MIB

export type LogWriterOptions = {
  readonly dir: string
  readonly logger: Logger
  readonly clock?: Clock
  /** A segment is closed before it grows beyond this; a bigger record gets a segment of its own. */
  readonly segmentBytes?: number
  /** Appends beyond this many bytes not yet on disk are refused at once. */
  readonly maxWaitingBytes?: number
  /** Appends that would make the kept segments larger than this are refused until the consumer frees some. */
  readonly maxLogBytes?: number
  /** Where a log that begins anew starts; by default above all that an older one handed out. */
  readonly firstPosition?: number
  /** How files are opened; only tests of failing disks need it. */
  readonly openFile?: OpenLogFile
}

/** Throws `conflict` when another writer lives or a newer Sonde wrote the log. Recovers before it resolves. */
export async function openLogWriter(options: LogWriterOptions): Promise<LogWriter> {
  const { dir, logger, openFile = openLogFile } = options
  await mkdir(dir, { recursive: true })
  const pid = (await readWatermark(dir))?.writerPid
  const release = lockLog(dir, 'writer', pid === undefined ? '' : ` (process ${pid})`)
  try {
    const recovered = await recoverLog(
      dir,
      openFile,
      logger,
      options.firstPosition ?? freshPosition(options.clock ?? systemClock),
    )
    const active = activeSegment(dir, recovered, openFile, logger)
    return groupCommit(options, active, await openWatermark(dir, logger), release)
  } catch (error) {
    release()
    throw error
  }
}

function groupCommit(
  options: LogWriterOptions,
  active: ActiveSegment,
  watermark: WatermarkWriter,
  release: () => void,
): LogWriter {
  const { dir, logger, clock = systemClock } = options
  const { maxWaitingBytes = MAX_WAITING_BYTES, maxLogBytes = MAX_LOG_BYTES } = options
  // Two segments must fit, else the closed one blocks the appends whose consumption would free it.
  const segmentBytes = Math.min(options.segmentBytes ?? SEGMENT_BYTES, maxLogBytes / 2)
  const count = { records: 0, groups: 0, bytes: 0, refused: 0, waitingRecords: 0, waitingBytes: 0 }
  let queue: Waiting[] = []
  let flushing: Promise<void> | undefined
  let closed: Promise<void> | undefined
  let oldestKept = 0
  let failing = false
  let rolling: PromiseWithResolvers<number> | undefined

  const publish = (): void => {
    watermark.publish({
      durable: active.end(),
      refusedSegment: active.givenUp() ? active.start() : undefined,
      writerPid: process.pid,
      atMs: clock.nowMs(),
    })
  }

  const refuse = (message: string, cause?: unknown): UnavailableError => {
    count.refused++
    return refusal(dir, message, cause)
  }

  /** Counts closed segments against the limit: the one being written goes away only after it was closed. */
  const checkBudget = async (bytes: number): Promise<void> => {
    if (active.end() + bytes - oldestKept <= maxLogBytes) return
    oldestKept = (await listSegments(dir))[0] ?? active.start()
    if (active.end() + bytes - oldestKept <= maxLogBytes || oldestKept === active.start()) return
    throw new Error(`the log holds its limit of ${maxLogBytes} bytes that the pipeline has not consumed`)
  }

  /** Takes from the queue what goes into one segment, and makes room first where there is none. */
  const flushOne = async (): Promise<void> => {
    let members: Waiting[] = queue
    try {
      const [first] = queue
      if (!first) return
      const room = (): number => segmentBytes - (active.end() - active.start())
      await checkBudget(storedBytes(first.length) + SEGMENT_HEADER_BYTES)
      if (active.givenUp() || (!active.isEmpty() && fitting(queue, room()) === 0)) await active.rotate()
      members = queue.slice(0, Math.max(1, fitting(queue, room())))
      queue = queue.slice(members.length)
      const group = encodeGroup(members, active.end(), active.salt())
      await active.write(group.buffers, group.bytes)
      count.groups++
      count.records += members.length
      count.bytes += group.bytes
      publish()
      if (failing) logger.info({ position: active.end() }, 'the log takes records again')
      failing = false
      settle(members, (member) => member.resolve())
    } catch (error) {
      if (members === queue) queue = []
      if (!failing) logger.error({ err: error, records: members.length }, 'the log refuses records')
      failing = true
      await closeFullSegment(error)
      // A crash must not bring back what is refused now: the mark is written before anybody hears of it.
      if (active.givenUp()) {
        publish()
        await watermark.settled()
      }
      settle(members, (member) => member.reject(refuse('the log cannot make the record durable', error)))
    }
  }
  /** On a full disk the consumed part of this segment is space; the reader deletes only closed segments. */
  const closeFullSegment = async (error: unknown): Promise<void> => {
    if (!isDiskFull(error) || active.givenUp() || active.isEmpty()) return
    await active.rotate().then(publish, () => undefined)
  }
  const settle = (members: readonly Waiting[], how: (member: Waiting) => void): void => {
    for (const member of members) {
      count.waitingRecords--
      count.waitingBytes -= storedBytes(member.length)
      how(member)
    }
  }
  const isRolling = (): boolean => rolling !== undefined
  /** Between two groups: nothing else writes meanwhile. */
  const rollOne = async (): Promise<void> => {
    const asked = rolling
    rolling = undefined
    if (!asked) return
    try {
      if (!active.isEmpty()) await active.rotate()
      publish()
      asked.resolve(active.start())
    } catch (error) {
      asked.reject(refusal(dir, 'the log cannot begin another segment', error))
    }
  }
  const flush = async (): Promise<void> => {
    // Once around the event loop: requests that arrived together share the first flush as well.
    await new Promise((resolve) => setImmediate(resolve))
    do {
      await rollOne()
      if (queue.length > 0) await flushOne()
    } while (queue.length > 0 || isRolling())
    flushing = undefined
  }
  const checkAppend = (length: number): Error | undefined => {
    if (closed) return refuse('the log is closing')
    if (length > MAX_RECORD_BYTES) {
      const message = `a record of ${length} bytes; at most ${MAX_RECORD_BYTES} are allowed`
      return new SondeError('invalid', message, { operation: 'append to the log', subject: dir })
    }
    if (count.waitingBytes === 0 || count.waitingBytes + storedBytes(length) <= maxWaitingBytes)
      return undefined
    return refuse(`the disk is behind: ${count.waitingBytes} bytes wait already`)
  }

  publish()
  return {
    append(bytes, more) {
      const length = bytes.length + (more?.length ?? 0)
      const refused = checkAppend(length)
      if (refused) return Promise.reject(refused)
      const member = waiting(bytes, more, clock.nowMs())
      queue.push(member)
      count.waitingRecords++
      count.waitingBytes += storedBytes(length)
      flushing ??= flush()
      return member.settled
    },
    roll() {
      if (closed) return Promise.reject(refuse('the log is closing'))
      rolling ??= Promise.withResolvers()
      flushing ??= flush()
      return rolling.promise
    },
    close() {
      closed ??= (async () => {
        await flushing
        await watermark.close()
        await active.close()
        release()
      })()
      return closed
    },
    stats: () => ({ ...count, durablePosition: active.end(), accepting: !failing }),
  }
}
