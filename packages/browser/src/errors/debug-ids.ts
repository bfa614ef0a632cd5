/**
 * Bundler plugins register the debug id of each file under a stack that was taken in it; the source maps are found by it.
 * https://develop.sentry.dev/sdk/data-model/event-payloads/debugmeta/#debug-images
 */
import type { Exception } from './exceptions.ts'
import { parseStack } from './stack.ts'

type Registry = Record<string, string> | undefined

/** Images for the files that occur in the stacks. */
export function debugImages(exceptions: readonly Exception[]): object[] {
  const ids: Record<string, string | undefined> = {}
  const images: Record<string, object> = {}
  const { _sentryDebugIds, _debugIds } = globalThis as { _sentryDebugIds?: Registry; _debugIds?: Registry }
  for (const registry of [_sentryDebugIds, _debugIds])
    // The newest call is the one that registered.
    for (const stack in registry) ids[parseStack(stack).pop()?.filename ?? ''] = registry[stack]
  for (const { stacktrace } of exceptions)
    for (const { filename } of stacktrace?.frames ?? [])
      if (ids[filename])
        images[filename] = { type: 'sourcemap', code_file: filename, debug_id: ids[filename] }
  return Object.values(images)
}
