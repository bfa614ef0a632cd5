/** What was thrown, as the exceptions of an event: https://develop.sentry.dev/sdk/data-model/event-payloads/exception/ */
import { cut } from '../normalize.ts'
import type { Mechanism } from '../types.ts'
import { describe, isError } from './describe.ts'
import { type Frame, parseStack } from './stack.ts'

export type Exception = {
  type: string
  value: string
  mechanism: Mechanism
  stacktrace?: { frames: Frame[] }
}

// Chains longer than this are made by machines, cycles are endless.
const MAX_EXCEPTIONS = 10

/** Innermost cause first, what was thrown last. `place` is the stack of the capture, for what has none of its own. */
export function exceptionsOf(thrown: unknown, mechanism: Mechanism, place?: Frame[]): Exception[] {
  const found: Exception[] = []
  const seen = new Set<unknown>()

  function add(error: unknown, own: Mechanism, frames?: Frame[]): void {
    const id = found.length
    if (id >= MAX_EXCEPTIONS || seen.has(error)) return
    if (error instanceof Object) seen.add(error)
    const { cause, errors, stack } = (isError(error) ? error : {}) as AggregateError
    if (typeof stack === 'string') {
      const parsed = parseStack(stack)
      if (parsed.length) frames = parsed
    } else own.synthetic = true
    found.push({ ...describe(error), mechanism: own, ...(frames?.length && { stacktrace: { frames } }) })
    const addLinked = (linked: unknown, source: string): void =>
      add(linked, {
        type: 'chained',
        handled: own.handled,
        source,
        exception_id: found.length,
        parent_id: id,
      })
    if (Array.isArray(errors)) {
      own.is_exception_group = true
      errors.forEach((linked, index) => addLinked(linked, `errors[${index}]`))
    }
    if (cause != null) addLinked(cause, 'cause')
  }
  add(thrown, mechanism, place)
  if (found.length > 1) mechanism.exception_id = 0
  for (const exception of found) exception.value = cut(exception.value)
  return found.reverse()
}
