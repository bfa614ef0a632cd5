/** What goes between the main thread and a digesting one. One job at a time; within it the thread may ask. */
import type { CodePosition } from '@sonde/protocol/code-position'
import type { FoundFile } from '@sonde/stores'
import type { FileAnswer, FileAsk, FileBytes } from '../maps/file-asks.ts'
import type { StageTimes } from '../stage-runner.ts'
import type { StoredEvent } from '../symbolicate/reprocess-event.ts'
import type { ChunkRequest } from './chunk.ts'
import type { DigestSettings } from './settings-history.ts'
import type { WorkDone } from './jobs.ts'

/** `progress` is shared with the thread: see `progress.ts`. */
export type WorkerSetup = {
  readonly settings: DigestSettings
  readonly progress: SharedArrayBuffer
  readonly mapCacheBytes: number
}

/** `epoch` undefined: nobody can be asked about files. */
export type Job = { readonly kind: 'job'; readonly epoch: string | undefined } & (
  | ({ readonly work: 'records' } & ChunkRequest)
  | { readonly work: 'stored'; readonly items: readonly StoredEvent[] }
  | { readonly work: 'positions'; readonly items: readonly CodePosition[] }
)

export type ToThread =
  | Job
  | { readonly kind: 'answers'; readonly answers: readonly FileAnswer[] }
  | { readonly kind: 'bytes'; readonly bytes: FileBytes }
  /** The stores do not answer: the job is to be given up, it comes again. */
  | { readonly kind: 'trouble' }

export type FromThread =
  | { readonly kind: 'ask'; readonly asks: readonly FileAsk[] }
  | { readonly kind: 'read'; readonly file: FoundFile }
  | { readonly kind: 'done'; readonly done: WorkDone[keyof WorkDone]; readonly times: StageTimes }
  | { readonly kind: 'given_up' }
