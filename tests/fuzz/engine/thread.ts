/** The fuzzed side: one target in a thread of its own, so that an endless loop or a full heap can be seen from outside. */
import { parentPort, workerData } from 'node:worker_threads'
import { loadTarget } from '../targets/index.ts'
import { keptFinds } from './finds.ts'
import { fuzzLoop, type Progress } from './fuzz-loop.ts'
import { createJudge, type Find, findOf } from './judge.ts'
import { createRandom } from './random.ts'

export type Order = {
  readonly target: string
  readonly seed: number
  readonly endMs: number
  /** Runs these alone, instead of looking for new ones. */
  readonly only?: readonly Uint8Array[]
  /** Holds the input that runs: its length in the first four bytes, then as much of it as there is room for. */
  readonly running: SharedArrayBuffer
}
export type Said =
  | { readonly kind: 'find'; readonly find: Find; readonly input: Uint8Array; readonly isKept: boolean }
  | { readonly kind: 'progress'; readonly inputs: number; readonly corpus: number; readonly pieces: number }
  | { readonly kind: 'alive' }
  /** The fuzzer itself failed: no find. */
  | { readonly kind: 'broken'; readonly error: Error }

const SAYS_EVERY_MS = 200
const SAYS_ALIVE_EVERY_MS = 5_000

const order = workerData as Order
const say = (said: Said): void => parentPort?.postMessage(said, [])

const length = new Uint32Array(order.running, 0, 1)
const room = Buffer.from(order.running, 4)
let current: Buffer = Buffer.alloc(0)
const onInput = (input: Buffer): void => {
  current = input
  length[0] = Math.min(input.length, room.length)
  input.copy(room)
}
const onStray = (error: unknown): void =>
  say({ kind: 'find', find: findOf(error), input: current, isKept: false })
process.on('uncaughtException', onStray)
process.on('unhandledRejection', onStray)

try {
  await main()
} catch (error) {
  say({ kind: 'broken', error: error instanceof Error ? error : new Error(String(error)) })
}
// What the target left open must not keep the thread alive.
process.exit()

/** To begin and to end may take a whole process its time: what waits is not hanging. An endless loop says nothing. */
async function alive<T>(working: T | Promise<T>): Promise<T> {
  const saying = setInterval(() => say({ kind: 'alive' }), SAYS_ALIVE_EVERY_MS)
  try {
    return await working
  } finally {
    clearInterval(saying)
  }
}

async function main(): Promise<void> {
  const target = await loadTarget(order.target)
  const open = await alive(target.open())
  const judge = createJudge(target, open)
  const replay = async (inputs: readonly Buffer[], isKept: boolean): Promise<void> => {
    for (const input of inputs) {
      onInput(input)
      const find = await judge(input)
      if (find) say({ kind: 'find', find, input, isKept })
    }
  }
  if (order.only) await replay(order.only.map(Buffer.from), false)
  else {
    let saidMs = 0
    let progress: Progress = { inputs: 0, corpus: 0, pieces: 0 }
    const sayProgress = (): void => {
      saidMs = Date.now()
      say({ kind: 'progress', ...progress })
    }
    const kept = keptFinds(order.target).map(({ input }) => input)
    await replay(kept, true)
    const events = {
      onInput,
      onFind: (find: Find, input: Buffer) => say({ kind: 'find', find, input, isKept: false }),
      onProgress: (now: Progress) => {
        progress = now
        if (Date.now() - saidMs >= SAYS_EVERY_MS) sayProgress()
      },
    }
    await fuzzLoop(target, judge, createRandom(order.seed), () => Date.now() >= order.endMs, events, kept)
    sayProgress()
  }
  onInput(Buffer.alloc(0))
  try {
    await alive(open.close?.())
  } catch (error) {
    say({ kind: 'find', find: findOf(error), input: current, isKept: false })
  }
}
