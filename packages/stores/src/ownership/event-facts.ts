/** What of an event decides whose it is. Pure. */
import type { Frame, NormalizedEvent } from '@sonde/protocol/event'

export type EventFacts = {
  /** Of each frame of the application the forms that its path is known by, each file once; nearest to the throw first. */
  readonly files: readonly (readonly string[])[]
  readonly modules: readonly string[]
  readonly url: string
  readonly tags: Readonly<Record<string, string>>
}

/** A stack may have more; farther down one finds what is always there. */
const MAX_FILES = 250

/**
 * `tags`: those of the SDK and those that its fields imply. Frames that are not of the application are left out, as Sentry
 * does: https://docs.sentry.io/product/issues/ownership-rules/#evaluation-flow
 */
export function factsOfEvent(event: NormalizedEvent, tags: Readonly<Record<string, string>>): EventFacts {
  const frames = ownFrames(event)
  const files = new Map<string, readonly string[]>()
  for (const frame of frames) {
    const forms = formsOf(frame)
    const [first] = forms
    if (first !== undefined && files.size < MAX_FILES && !files.has(first)) files.set(first, forms)
  }
  return {
    files: [...files.values()],
    modules: [...new Set(frames.flatMap(({ module = '' }) => (module === '' ? [] : [module])))].slice(
      0,
      MAX_FILES,
    ),
    url: event.request?.url ?? '',
    tags,
  }
}

/** Of the exception that was thrown last first, each from where it was thrown outwards. */
export function ownFrames({ exception = [], threads = [] }: NormalizedEvent): readonly Frame[] {
  const stacks = exception.length > 0 ? exception.toReversed() : threads.filter(({ crashed }) => crashed)
  return stacks
    .flatMap(({ stacktrace }) => stacktrace?.frames.toReversed() ?? [])
    .filter((frame) => frame.in_app)
}

/** `webpack://shop/./src/cart.ts` is also `src/cart.ts`; `C:\shop\cart.cs` is also `C:/shop/cart.cs`. */
function formsOf({ filename = '', abs_path: absPath = '' }: Frame): readonly string[] {
  const given = [filename, absPath].filter((path) => path !== '').map((path) => path.replaceAll('\\', '/'))
  return [...new Set(given.flatMap((path) => [pathParts(path).join('/'), path]))].filter(
    (path) => path !== '',
  )
}

/** `webpack://shop/./src/cart.ts?1a2b` → `src`, `cart.ts`: without what a bundler or a server put in front. */
export function pathParts(path: string): readonly string[] {
  const plain = path.replaceAll('\\', '/').replace(/^[a-z][a-z0-9+.-]*:\/\/\/?(?:[^/]*\/(?=\.\/))?/i, '')
  return (plain.split(/[?#]/)[0] ?? '').split('/').filter((part) => !['', '.', '..'].includes(part))
}
