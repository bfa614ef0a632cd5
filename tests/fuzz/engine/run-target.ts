/** Runs one target in a thread, watches it, and keeps what it finds. */
import { Worker } from 'node:worker_threads'
import { keepFind } from './finds.ts'
import type { Progress } from './fuzz-loop.ts'
import type { Find } from './judge.ts'
import { packed } from './packed-input.ts'
import type { Order, Said } from './thread.ts'

export type RunOptions = {
  readonly target: string
  readonly seed: number
  readonly endMs: number
  readonly only?: readonly Uint8Array[]
  readonly onProgress?: (progress: Progress) => void
  readonly onFind?: (found: Found) => void
}
/** `path`: where its input is kept; `packed`: the input itself. */
export type Found = Find & { readonly path: string; readonly packed: string }
export type RunResult = Progress & { readonly finds: readonly Found[] }

// The slowest input that is allowed takes a second; the rest is for a busy machine and for making inputs smaller.
const HANGS_AFTER_MS = 60_000
const MAX_INPUT_BYTES = 4 * 1024 * 1024
// Digesting the largest inputs needs some 200 MB: more is a find.
const MAX_HEAP_MB = 1_024

/** Rejects with the seed when the fuzzer itself fails. */
export async function runTarget(options: RunOptions): Promise<RunResult> {
  const { target, seed, endMs, only, onProgress, onFind } = options
  const running = new SharedArrayBuffer(4 + MAX_INPUT_BYTES)
  const order: Order = { target, seed, endMs, running, ...(only === undefined ? {} : { only }) }
  const worker = new Worker(new URL('thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  })
  const finds: Found[] = []
  let progress: Progress = { inputs: 0, corpus: 0, pieces: 0 }
  const keep = (find: Find, input: Uint8Array, isKept = false): void => {
    const path = isKept || only ? 'where it is' : keepFind(target, find.signature, input)
    const found = { ...find, path, packed: packed(input) }
    finds.push(found)
    onFind?.(found)
  }
  const inputNow = (): Buffer => {
    const [length = 0] = new Uint32Array(running, 0, 1)
    return Buffer.from(Buffer.from(running, 4, length))
  }
  await new Promise<void>((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    const watch = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        keep({ signature: 'hang', detail: `hang: no sign of life for ${HANGS_AFTER_MS} ms` }, inputNow())
        void worker.terminate()
      }, HANGS_AFTER_MS)
    }
    watch()
    worker.on('message', (said: Said) => {
      watch()
      if (said.kind === 'find') keep(said.find, said.input, said.isKept)
      else if (said.kind === 'broken')
        reject(new Error(`the fuzzer failed at ${target}, seed ${seed}`, { cause: said.error }))
      else if (said.kind === 'progress') {
        progress = said
        onProgress?.(said)
      }
    })
    worker.on('error', (error) => {
      keep({ signature: `thread: ${error.message.slice(0, 60)}`, detail: String(error.stack) }, inputNow())
    })
    worker.on('exit', () => {
      clearTimeout(timer)
      resolve()
    })
  })
  return { ...progress, finds }
}
