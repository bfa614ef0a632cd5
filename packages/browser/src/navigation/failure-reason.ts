// Chromium, Firefox, Safari, webpack, Vite's style sheets.
const CHUNK_ERROR =
  /dynamically imported module|importing a module script failed|loading (css )?chunk \S+ failed|unable to preload css/i

/** Code or styles of the page could not be loaded. */
export const isChunkError = (error: unknown): boolean => CHUNK_ERROR.test(String(error))

/** `reason` of a navigation that ended with this error: `chunk`, `http_404`, or the error's name. */
export function failureReason(error: unknown): string {
  const { status, name } = (error ?? {}) as { status?: unknown; name?: unknown }
  if (isChunkError(error)) return 'chunk'
  return typeof status === 'number' ? `http_${status}` : typeof name === 'string' ? name : typeof error
}
