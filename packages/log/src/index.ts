export * from './embedded/index.ts'
export * from './intake-record.ts'
export type * from './log.ts'
export { NATS_DEFAULTS, readAddress as readNatsAddress } from './nats/options.ts'
