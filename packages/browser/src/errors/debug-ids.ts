/**
 * Bundler plugins register the debug id of each file under a stack that was taken in it; the source maps are found by it.
 * https://develop.sentry.dev/sdk/data-model/event-payloads/debugmeta/#debug-images
 */
import type { Exception } from './exceptions.ts'
import { parseStack } from './stack.ts'

type Registry = Readonly<Record<string, string>> | undefined

/** By the address of the file. */
export function debugIds(): Record<string, string> {
  const { _sentryDebugIds, _debugIds } = globalThis as { _sentryDebugIds?: Registry; _debugIds?: Registry }
  const registry = { ..._sentryDebugIds, ..._debugIds }
  const ids: Record<string, string> = {}
  for (const stack in registry)
    // The newest call is the one that registered.
    for (const { filename } of parseStack(stack).slice(-1)) ids[filename] = registry[stack]!
  return ids
}

/** Images for the files that occur in the stacks. */
export function debugImages(exceptions: readonly Exception[]): object[] {
  // As the whole of a text: a file that is the whole message of an error does no harm.
  const text = JSON.stringify(exceptions)
  const ids = debugIds()
  return Object.keys(ids)
    .filter((file) => text.includes(`"${file}"`))
    .map((file) => ({ type: 'sourcemap', code_file: file, debug_id: ids[file] }))
}
