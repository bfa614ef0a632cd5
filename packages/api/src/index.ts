export type { ApiOptions } from './api-context.ts'
export { API_PATH, createApi } from './create-api.ts'
