export type { ApiOptions, SubmitReport } from './api-context.ts'
export { API_BODY_BYTES } from './json-body.ts'
export { createApi } from './create-api.ts'
export { createLive, type LiveFeed, type LiveOptions } from './live/live.ts'
