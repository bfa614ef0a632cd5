/** What goes between the main thread and a worker thread. One job at a time; during it the thread may send requests. */
import type { CodePosition } from '@sonde/protocol/code-position'
import type { FoundFile } from '@sonde/stores'
import type { FileAnswer, FileBytes, FileRequest } from '../maps/file-requests.ts'
import type { StageTimes } from '../stage-runner.ts'
import type { StoredEvent } from '../symbolicate/reprocess-event.ts'
import type { ChunkRequest } from './chunk.ts'
import type { WorkDone } from './jobs.ts'
import type { ProcessingSettings } from './settings-history.ts'

/** `progress` is shared with the thread: see `progress.ts`. */
export type WorkerSetup = {
  readonly settings: ProcessingSettings
  readonly progress: SharedArrayBuffer
  readonly mapCacheBytes: number
}

/** `version` undefined: nobody can be asked about files. */
export type Job = { readonly kind: 'job'; readonly version: string | undefined } & (
  | ({ readonly work: 'records' } & ChunkRequest)
  | { readonly work: 'stored'; readonly items: readonly StoredEvent[] }
  | { readonly work: 'positions'; readonly items: readonly CodePosition[] }
)

export type ToThread =
  | Job
  | { readonly kind: 'answers'; readonly answers: readonly FileAnswer[] }
  | { readonly kind: 'bytes'; readonly bytes: FileBytes }
  /** The stores do not answer: the job is to be given up, it comes again. */
  | { readonly kind: 'unavailable' }

export type FromThread =
  | { readonly kind: 'ask'; readonly requests: readonly FileRequest[] }
  | { readonly kind: 'read'; readonly file: FoundFile }
  | { readonly kind: 'done'; readonly done: WorkDone[keyof WorkDone]; readonly times: StageTimes }
  | { readonly kind: 'given_up' }

/** How far a worker thread is, in memory that it shares: it can be read while the thread is busy, hangs or is gone. */

type ThreadState = 'processing' | 'waiting' | 'reading'
const STATES = ['processing', 'waiting', 'reading'] as const satisfies readonly ThreadState[]

const BEGUN = 0
const STATE = 1
/** Moves with every change, so that two equal looks mean that nothing happened between them. */
const STEP = 2
export const PROGRESS_BYTES = 3 * Int32Array.BYTES_PER_ELEMENT

export type Progress = {
  /** How many items of the job were begun: the last of them is to blame if the thread does not come back. */
  begun(): number
  state(): ThreadState
  step(): number
  begin(item: number): void
  enter(state: ThreadState): void
}

export function openProgress(shared: SharedArrayBuffer): Progress {
  const numbers = new Int32Array(shared)
  const enter = (state: ThreadState): void => {
    Atomics.store(numbers, STATE, STATES.indexOf(state))
    Atomics.add(numbers, STEP, 1)
  }
  return {
    begun: () => Atomics.load(numbers, BEGUN),
    state: () => STATES[Atomics.load(numbers, STATE)] ?? 'processing',
    step: () => Atomics.load(numbers, STEP),
    begin(item) {
      Atomics.store(numbers, BEGUN, item)
      enter('processing')
    },
    enter,
  }
}
