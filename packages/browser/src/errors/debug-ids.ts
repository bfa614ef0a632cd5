/**
 * Bundler plugins register the debug id of each file under a stack that was taken in it; the source maps are found by it.
 * https://develop.sentry.dev/sdk/data-model/event-payloads/debugmeta/#debug-images
 */
import type { Exception } from './exceptions.ts'
import { parseStack } from './stack.ts'

type Registry = Record<string, string> | undefined

/** Images for the files that occur in the stacks, as fields for an event; nothing when there are none. */
export function debugImages(exceptions: readonly Exception[]): { debug_meta?: { images: object[] } } {
  const ids: Record<string, string> = {}
  const { _sentryDebugIds, _debugIds } = globalThis as { _sentryDebugIds?: Registry; _debugIds?: Registry }
  for (const registry of [_sentryDebugIds, _debugIds])
    for (const stack in registry) {
      // The newest call that has a file is the one that registered.
      const frame = parseStack(stack).pop()
      if (frame) ids[frame.filename] = registry[stack]!
    }
  const files = new Set(
    exceptions.flatMap(({ stacktrace }) => (stacktrace?.frames ?? []).map(({ filename }) => filename)),
  )
  const images = [...files]
    .filter((file) => ids[file])
    .map((file) => ({ type: 'sourcemap', code_file: file, debug_id: ids[file] }))
  return images.length ? { debug_meta: { images } } : {}
}
