/**
 * Looks at uploaded maps on a thread of its own, one at a time: parsing one of 100 MB takes a second, and no request may
 * wait for it. The thread has a bounded heap and ends when there is nothing to do.
 */
import { Worker } from 'node:worker_threads'
import { mapFacts, type MapFacts } from './map-facts.ts'

export type MapInspector = {
  /** `bytes` are given away: they cannot be used afterwards. Never rejects for what is in them. */
  inspect(bytes: Uint8Array): Promise<MapFacts>
  close(): Promise<void>
}

// Text and parsed JSON of a map of 128 MiB; more than this ends the thread and not the process.
const MAX_HEAP_MIB = 1_024
// Checking is linear in size, about 100 MB a second; a minute is a hang on any machine.
const INSPECT_WITHIN_MS = 60_000
const IDLE_MS = 10_000
/** Below this a message costs more than the work. */
const SMALL_BYTES = 16_384
// zlib and Node may hand out pieces of one buffer; only a whole one can change owner.
const COPY_BELOW_BYTES = 65_536

/** `entry`: the bundle's worker file; by default the source beside this file. */
export function createMapInspector(
  entry: URL = new URL('./inspect-worker.ts', import.meta.url),
): MapInspector {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  let turn: Promise<unknown> = Promise.resolve()

  const start = (): Worker => {
    const started = new Worker(entry, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB } })
    started.unref()
    return started
  }

  const ask = async (bytes: Uint8Array): Promise<MapFacts> => {
    clearTimeout(idle)
    const current = (worker ??= start())
    const whole =
      bytes.length < COPY_BELOW_BYTES || bytes.byteLength !== bytes.buffer.byteLength
        ? Uint8Array.from(bytes)
        : bytes
    const facts = await new Promise<MapFacts>((resolve) => {
      const finish = (answer: MapFacts): void => {
        clearTimeout(late)
        for (const event of ['message', 'error', 'exit']) current.removeAllListeners(event)
        resolve(answer)
      }
      const fail = (detail: string): void => {
        finish({ debugId: '', file: '', problem: 'too_large', detail })
        worker = undefined
        current.on('error', () => undefined)
        void current.terminate()
      }
      const late = setTimeout(() => fail('reading it takes too long'), INSPECT_WITHIN_MS)
      current.once('message', finish)
      current.once('error', (error: Error) => fail(`reading it takes too much memory (${error.message})`))
      current.once('exit', () => fail('reading it takes too much memory'))
      current.postMessage(whole, [whole.buffer as ArrayBuffer])
    })
    idle = setTimeout(() => {
      void worker?.terminate()
      worker = undefined
    }, IDLE_MS).unref()
    return facts
  }

  return {
    async inspect(bytes) {
      if (bytes.length < SMALL_BYTES) return mapFacts(bytes)
      const answer = turn.then(() => ask(bytes))
      turn = answer.catch(() => undefined)
      return await answer
    },
    async close() {
      await turn
      clearTimeout(idle)
      await worker?.terminate()
      worker = undefined
    },
  }
}
