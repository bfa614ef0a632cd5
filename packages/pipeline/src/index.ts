export type { CommitStep, Committed } from './commit/commit-batch.ts'
export type { Trouble } from './commit/insert-rows.ts'
export {
  type DeadLetter,
  type DeadLetterContent,
  type DeadLetters,
  deadLetters,
} from './dead/dead-letters.ts'
export { defaultThreads, type WorkerOptions } from './digest/digest-pool.ts'
export { DEFAULT_DIGEST_SETTINGS, type DigestSettings } from './digest/settings-history.ts'
export { type Pipeline, type PipelineOptions, type PipelineState, startPipeline } from './start-pipeline.ts'
export type { RepairChange } from './repair/repair-cursor.ts'
export { type RepairsOptions, startRepairs } from './repair/start-repairs.ts'
export type { Redigested, StoredEvent } from './symbolicate/redigest-event.ts'
