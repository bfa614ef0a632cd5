export type { CommitStep, Committed } from './commit/commit-batch.ts'
export type { Backoff } from './commit/insert-rows.ts'
export {
  type DeadLetter,
  type DeadLetterContent,
  type DeadLetters,
  deadLetters,
} from './commit/dead-letters.ts'
export { startStoreHeld } from './commit/store-held.ts'
export { type WorkerOptions } from './process/worker-pool.ts'
export { DEFAULT_PROCESSING_SETTINGS, type ProcessingSettings } from './process/settings-history.ts'
export {
  type Pipeline,
  type PipelineOptions,
  type PipelineState,
  startPipeline,
  startSharedPipeline,
} from './start-pipeline.ts'
export type { PartitionState } from './run-partition.ts'
export { createIssueMoves, type IssueMoves } from './moves/issue-moves.ts'
export { type MovesOptions, startMoves } from './moves/start-moves.ts'
export { type OwnersOptions, startOwners } from './owners/start-owners.ts'
export type { ReprocessingChange } from './reprocess/reprocessing-cursor.ts'
export { type ReprocessingOptions, startReprocessing } from './reprocess/start-reprocessing.ts'
export type { Reprocessed, StoredEvent } from './symbolicate/reprocess-event.ts'
