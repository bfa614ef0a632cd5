/**
 * A number that stands for an error: the same failure has the same digest, and nothing of message or
 * stack can be read from it. 32-bit FNV-1a, up to ten digits.
 */
export function digestOf(error: unknown): string {
  const text = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error)
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index)
    hash = Math.imul(hash, 0x01000193)
  }
  return String(hash >>> 0)
}
