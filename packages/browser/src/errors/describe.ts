/** A name and a sentence for whatever can be thrown. */

/** Also of another frame's window, where `instanceof` says no. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || /Error|DOMEx/.test({}.toString.call(value))
}

// Whatever it is in truth: it becomes text.
type Thrown = { name?: string; message?: string; url?: string; status?: number; type?: string }

/* oxlint-disable typescript/no-unnecessary-type-conversion */
export function describe(thrown: unknown): { type: string; value: string } {
  if (typeof thrown !== 'object' || !thrown) return { type: 'Error', value: String(thrown) }
  const { name, message, url, status, type } = thrown as Thrown
  return {
    type: String(name || thrown.constructor?.name),
    // A `Response` has a URL, an `Event` a type.
    value: String(
      message ?? (url ? `${status} ${url}` : (type ?? 'keys: ' + Object.keys(thrown).sort().join())),
    ),
  }
}
