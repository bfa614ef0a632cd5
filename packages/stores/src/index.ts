export type * from './blobs/blobs.ts'
export * from './records/schema.ts'
export type { OrgScope, ProjectScope } from './scope.ts'
export * from './telemetry/telemetry.ts'
