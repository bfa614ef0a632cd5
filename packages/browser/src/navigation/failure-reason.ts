/** What an error says of why a navigation failed. */
import { CHUNK_ERROR_PATTERN } from '@sonde/protocol/chunk-error'

// Pure: an app without navigations leaves it out.
const CHUNK_ERROR = /* @__PURE__ */ new RegExp(CHUNK_ERROR_PATTERN, 'i')

/** Code or styles of the page could not be loaded. */
export const isChunkError = (error: unknown): boolean => CHUNK_ERROR.test(String(error))

/** `reason` of a navigation that ended with this error: `chunk`, `http_404`, or the error's name. */
export function failureReason(error: unknown): string {
  const { status, name } = (error ?? {}) as { status?: unknown; name?: unknown }
  if (isChunkError(error)) return 'chunk'
  return typeof status === 'number' ? `http_${status}` : typeof name === 'string' ? name : typeof error
}
