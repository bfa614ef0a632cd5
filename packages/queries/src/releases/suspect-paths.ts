/** Which files of a repository the frames of a stack may be of. Pure. */
import type { Frame, NormalizedEvent } from '@sonde/protocol/event'

/** A place of the application on the stack; the first is where it was thrown. */
export type SuspectPlace = {
  /** Parts of the path, without what a bundler or a server put in front. */
  readonly parts: readonly string[]
  readonly function: string | undefined
  readonly line: number | undefined
}

/** Farther down one finds what is always there: the server, the router. */
const MAX_PLACES = 10

/** Frames of the application, those of the exception that was thrown first; each file once, where it is nearest. */
export function suspectPlaces({ exception = [], threads = [] }: NormalizedEvent): readonly SuspectPlace[] {
  const stacks = exception.length > 0 ? exception.toReversed() : threads.filter(({ crashed }) => crashed)
  const seen = new Set<string>()
  return stacks
    .flatMap(({ stacktrace }) => stacktrace?.frames.toReversed() ?? [])
    .filter((frame) => frame.in_app)
    .flatMap((frame) => {
      const parts = pathParts(nameOf(frame))
      const key = parts.join('/')
      if (parts.length === 0 || seen.has(key)) return []
      seen.add(key)
      return [{ parts, function: frame.function, line: frame.lineno }]
    })
    .slice(0, MAX_PLACES)
}

const nameOf = ({ filename, abs_path: absPath }: Frame): string => filename ?? absPath ?? ''

/** `webpack://shop/./src/cart.ts?1a2b` → `src`, `cart.ts`. */
export function pathParts(path: string): readonly string[] {
  const plain = path.replaceAll('\\', '/').replace(/^[a-z][a-z0-9+.-]*:\/\/\/?(?:[^/]*\/(?=\.\/))?/i, '')
  return (plain.split(/[?#]/)[0] ?? '').split('/').filter((part) => !['', '.', '..'].includes(part))
}

/**
 * How many parts of two paths are the same from the end, when one of them ends with all of the other; else 0. A name alone
 * (`index.ts`) is the same file only where neither has a folder.
 */
export function sharedEnd(a: readonly string[], b: readonly string[]): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length === 0 || (short.length === 1 && long.length > 1)) return 0
  return short.every((part, index) => part === long[long.length - short.length + index]) ? short.length : 0
}
