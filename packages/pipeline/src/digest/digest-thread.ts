/** One worker thread, restarted when it dies or hangs. Gives one chunk at a time to it. */
import { Worker } from 'node:worker_threads'
import type { LogRecord } from '@sonde/log'
import { type ChunkReply, packRecords, type WorkerSetup } from './chunk.ts'
import type { DigestSettings } from './digest-settings.ts'

export type ThreadOptions = {
  readonly entry: URL
  /** A record that takes longer is taken for an endless loop. */
  readonly recordTimeoutMs: number
}

export type ThreadResult =
  | { readonly ok: true; readonly reply: ChunkReply }
  /** `begun`: how many records were begun; the last of them is the suspect. 0: it did not get that far. */
  | {
      readonly ok: false
      readonly begun: number
      readonly reason: 'digest_timeout' | 'digest_crash'
      readonly error: Error
    }

export type DigestThread = {
  /** New settings go along with the records; the same object again costs nothing. */
  run(records: readonly LogRecord[], settings: DigestSettings): Promise<ThreadResult>
  close(): Promise<void>
}

// Loading the code from source takes some hundred milliseconds; on a busy machine, seconds.
const START_TIMEOUT_MS = 30_000
// An event has at most 1 MiB; a thread that needs more than this would end the process instead of itself.
const MAX_HEAP_MIB = 256

export function createDigestThread({ entry, recordTimeoutMs }: ThreadOptions): DigestThread {
  const progress = new SharedArrayBuffer(4)
  const begun = new Int32Array(progress)
  let worker: Worker | undefined
  let known: DigestSettings | undefined

  const start = (settings: DigestSettings): Worker => {
    known = settings
    const workerData: WorkerSetup = { settings, progress }
    const started = new Worker(entry, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
    })
    started.unref()
    return started
  }

  return {
    run(records, settings) {
      const current = (worker ??= start(settings))
      Atomics.store(begun, 0, 0)
      return new Promise((resolve) => {
        const finish = (result: ThreadResult): void => {
          clearInterval(watch)
          // One by one: removing all takes the port's own listeners along, and no message arrives any more.
          for (const event of ['message', 'error', 'exit']) current.removeAllListeners(event)
          if (!result.ok) {
            worker = undefined
            current.on('error', () => undefined)
            void current.terminate()
          }
          resolve(result)
        }
        const fail = (reason: 'digest_timeout' | 'digest_crash', error: Error): void =>
          finish({ ok: false, begun: Atomics.load(begun, 0), reason, error })
        const watch = watchProgress(begun, recordTimeoutMs, (waitedMs) =>
          fail('digest_timeout', new Error(`no end after ${waitedMs} ms`)),
        )
        current.once('message', (reply: ChunkReply) => finish({ ok: true, reply }))
        current.once('error', (error: Error) => fail('digest_crash', error))
        current.once('exit', (code) => fail('digest_crash', new Error(`the thread ended with code ${code}`)))
        const packed = packRecords(records)
        const request = known === settings ? packed : { ...packed, settings }
        known = settings
        current.postMessage(request, [request.bytes])
      })
    },
    async close() {
      await worker?.terminate()
      worker = undefined
    },
  }
}

/** Calls `onStuck` once when the count of begun records did not move for too long. */
function watchProgress(
  begun: Int32Array,
  timeoutMs: number,
  onStuck: (waitedMs: number) => void,
): NodeJS.Timeout {
  let seen = 0
  let since = performance.now()
  return setInterval(
    () => {
      const now = Atomics.load(begun, 0)
      const waitedMs = Math.round(performance.now() - since)
      if (now !== seen) {
        seen = now
        since = performance.now()
      } else if (waitedMs > (now === 0 ? Math.max(START_TIMEOUT_MS, timeoutMs) : timeoutMs)) onStuck(waitedMs)
    },
    Math.max(10, timeoutMs / 5),
  )
}
