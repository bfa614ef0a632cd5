export * from './embedded/index.ts'
export * from './intake-record.ts'
export type * from './log.ts'
