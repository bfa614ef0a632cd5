/** One worker thread, restarted when it dies or hangs. Gives one job at a time to it, and answers what it requests meanwhile. */
import { Worker } from 'node:worker_threads'
import type { FoundFile } from '@sonde/stores'
import type { FileSource } from '../maps/file-requests.ts'
import { createThreadFiles } from '../maps/thread-files.ts'
import type { StageTimes } from '../stage-runner.ts'
import { packRecords } from './chunk.ts'
import { runWork, type Work, type WorkDone } from './jobs.ts'
import { DEFAULT_PROCESSING_SETTINGS, type ProcessingSettings } from './settings-history.ts'
import {
  type FromThread,
  type Job,
  openProgress,
  type Progress,
  PROGRESS_BYTES,
  type ToThread,
  type WorkerSetup,
} from './worker-messages.ts'

export type ThreadOptions = {
  readonly entry: URL
  /** A record that takes longer is taken for an endless loop. */
  readonly recordTimeoutMs: number
  readonly mapCacheBytes: number
  readonly maxHeapMib: number
  /** A thread that had nothing to do for as long ends, and what it holds goes back to the system; the next job starts another. */
  readonly idleMs: number
  /** Undefined: frames stay as they came. */
  readonly source: FileSource | undefined
}

export type ThreadResult =
  | { readonly ok: true; readonly done: WorkDone[keyof WorkDone]; readonly times: StageTimes }
  | ThreadFailure
  /** The stores did not answer what it asked: nothing of the job counts, and no item is to blame. */
  | { readonly ok: false; readonly reason: 'unavailable'; readonly error: Error }

/** `begun`: how many items were begun; the last of them is the suspect. 0: it did not get that far. */
export type ThreadFailure = {
  readonly ok: false
  readonly begun: number
  readonly reason: 'digest_timeout' | 'digest_crash'
  readonly error: Error
  /** It happened while this file was read: then the file is to blame, not the item. */
  readonly file: FoundFile | undefined
}

export type WorkerThread = {
  /** `version` of the uploaded files. New settings go along with records; the same object again costs nothing. */
  run(work: Work, version: string | undefined): Promise<ThreadResult>
  close(): Promise<void>
}

// Loading the code from source takes some hundred milliseconds; on a busy machine, seconds.
const START_TIMEOUT_MS = 30_000
// The largest map that is read takes some seconds on a busy machine.
const READ_TIMEOUT_FACTOR = 6
export function createWorkerThread(options: ThreadOptions): WorkerThread {
  const { entry, recordTimeoutMs, mapCacheBytes, maxHeapMib, idleMs, source } = options
  const shared = new SharedArrayBuffer(PROGRESS_BYTES)
  const progress = openProgress(shared)
  let worker: Worker | undefined
  let known: ProcessingSettings | undefined
  let isRunning = false

  const end = async (): Promise<void> => {
    const ending = worker
    worker = undefined
    await ending?.terminate()
  }
  const idle = setTimeout(() => {
    if (!isRunning) void end()
  }, idleMs).unref()

  const start = (settings: ProcessingSettings): Worker => {
    known = settings
    const workerData: WorkerSetup = { settings, progress: shared, mapCacheBytes }
    const started = new Worker(entry, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMib },
    })
    started.unref()
    return started
  }

  return {
    run(work, version) {
      const settings = work.kind === 'records' ? work.settings : (known ?? DEFAULT_PROCESSING_SETTINGS)
      const current = (worker ??= start(settings))
      isRunning = true
      progress.begin(0)
      let file: FoundFile | undefined
      let unavailable: Error | undefined
      return new Promise((resolve) => {
        const finish = (result: ThreadResult): void => {
          clearInterval(watch)
          isRunning = false
          idle.refresh()
          // One by one: removing all takes the port's own listeners along, and no message arrives any more.
          for (const event of ['message', 'error', 'exit']) current.removeAllListeners(event)
          if (!result.ok && result.reason !== 'unavailable') {
            worker = undefined
            current.on('error', () => undefined)
            void current.terminate()
          }
          resolve(result)
        }
        const fail = (reason: 'digest_timeout' | 'digest_crash', error: Error): void => {
          const quarantined = progress.state() === 'reading' ? file : undefined
          finish({ ok: false, begun: progress.begun(), reason, error, file: quarantined })
        }
        const watch = watchProgress(progress, recordTimeoutMs, (waitedMs) =>
          fail('digest_timeout', new Error(`no end after ${waitedMs} ms`)),
        )
        const answer = async (message: Extract<FromThread, { kind: 'ask' | 'read' }>): Promise<void> => {
          let reply: ToThread
          try {
            if (!source) throw new Error('nobody can be asked about files')
            if (message.kind === 'read') file = message.file
            reply =
              message.kind === 'ask'
                ? { kind: 'answers', answers: await source.answer(message.requests) }
                : { kind: 'bytes', bytes: await source.read(message.file) }
          } catch (error) {
            unavailable = error instanceof Error ? error : new Error(String(error))
            reply = { kind: 'unavailable' }
          }
          current.postMessage(reply, transferOf(reply))
        }
        current.on('message', (message: FromThread) => {
          if (message.kind === 'done') finish({ ok: true, done: message.done, times: message.times })
          else if (message.kind === 'given_up')
            finish({
              ok: false,
              reason: 'unavailable',
              error: unavailable ?? new Error('a job was given up'),
            })
          else void answer(message)
        })
        current.once('error', (error: Error) => fail('digest_crash', error))
        current.once('exit', (code) => fail('digest_crash', new Error(`the thread ended with code ${code}`)))
        const { job, transfer } = jobOf(work, version, known === settings ? undefined : settings)
        known = settings
        current.postMessage(job, transfer)
      })
    },
    close() {
      clearTimeout(idle)
      return end()
    },
  }
}

function jobOf(
  work: Work,
  version: string | undefined,
  settings: ProcessingSettings | undefined,
): { readonly job: Job; readonly transfer: readonly ArrayBuffer[] } {
  if (work.kind !== 'records') {
    const { kind, items } = work
    return { job: { kind: 'job', version, work: kind, items } as Job, transfer: [] }
  }
  const packed = packRecords(work.items)
  const job: Job = { kind: 'job', version, work: 'records', ...packed, ...(settings && { settings }) }
  return { job, transfer: [packed.bytes] }
}

/** Small ones may lie in memory that Node shares among buffers. */
const OWN_MEMORY_BYTES = 64 * 1024

function transferOf(reply: ToThread): ArrayBuffer[] {
  if (reply.kind !== 'bytes' || !reply.bytes.ok) return []
  const { buffer, length } = reply.bytes.bytes
  return length > OWN_MEMORY_BYTES && length === buffer.byteLength && buffer instanceof ArrayBuffer
    ? [buffer]
    : []
}

/** Calls `onStuck` once when nothing moved for too long, and nobody else is waited for. */
function watchProgress(
  progress: Progress,
  timeoutMs: number,
  onStuck: (waitedMs: number) => void,
): NodeJS.Timeout {
  let seen = progress.step()
  let since = performance.now()
  const limitMs = (): number => {
    if (progress.begun() === 0) return Math.max(START_TIMEOUT_MS, timeoutMs)
    return progress.state() === 'reading' ? timeoutMs * READ_TIMEOUT_FACTOR : timeoutMs
  }
  return setInterval(
    () => {
      const now = progress.step()
      const waitedMs = Math.round(performance.now() - since)
      if (now !== seen || progress.state() === 'waiting') {
        seen = now
        since = performance.now()
      } else if (waitedMs > limitMs()) onStuck(waitedMs)
    },
    Math.max(10, timeoutMs / 5),
  )
}

// Stands in for a thread on the caller's own one: no limit of time or memory, but the same work.

/** Lets the event loop turn after this long, so that probes and signals are answered. */
const MAX_BLOCK_MS = 10

export function inlineRunner(source: FileSource | undefined, mapCacheBytes: number): WorkerThread {
  const files = source && createThreadFiles(source, { maxBytes: mapCacheBytes })
  return {
    async run(work, version) {
      if (version !== undefined) files?.setVersion(version)
      const times: StageTimes = new Map()
      let since = performance.now()
      const pause = async (): Promise<void> => {
        await new Promise((resolve) => setImmediate(resolve))
        since = performance.now()
      }
      const onBegin = () => (performance.now() - since < MAX_BLOCK_MS ? undefined : pause())
      try {
        return { ok: true, done: await runWork(work, files, times, onBegin), times }
      } catch (error) {
        files?.release()
        return {
          ok: false,
          reason: 'unavailable',
          error: error instanceof Error ? error : new Error(String(error)),
        }
      }
    },
    close: () => Promise.resolve(),
  }
}
