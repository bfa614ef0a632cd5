export type { ApiOptions } from './api-context.ts'
export { API_BODY_BYTES } from './body-limits.ts'
export { createApi } from './create-api.ts'
export { createLive, type LiveFeed, type LiveOptions } from './live/live.ts'
