export type { CommitStep, Committed } from './commit/commit-batch.ts'
export type { Trouble } from './commit/insert-rows.ts'
export {
  type DeadLetter,
  type DeadLetterContent,
  type DeadLetters,
  deadLetters,
} from './commit/dead-letters.ts'
export { type WorkerOptions } from './process/worker-pool.ts'
export { DEFAULT_DIGEST_SETTINGS, type DigestSettings } from './process/settings-history.ts'
export { type Pipeline, type PipelineOptions, type PipelineState, startPipeline } from './start-pipeline.ts'
export type { RepairChange } from './reprocess/reprocessing-cursor.ts'
export { type RepairsOptions, startRepairs } from './reprocess/start-reprocessing.ts'
export type { Redigested, StoredEvent } from './symbolicate/reprocess-event.ts'
