/** What was thrown, as the exceptions of an event: https://develop.sentry.dev/sdk/data-model/event-payloads/exception/ */
import { cut } from '../normalize.ts'
import type { Mechanism } from '../types.ts'
import { describe, isError } from './describe.ts'
import { type Frame, parseStack } from './stack.ts'

export type Exception = {
  type: string
  value: string
  mechanism: Mechanism
  stacktrace?: { frames: Frame[] } | undefined
}

// Chains longer than this are made by machines, cycles are endless.
const MAX_EXCEPTIONS = 10

/** Innermost cause first, what was thrown last. `place` is the stack of the capture, for what has none of its own. */
export function exceptionsOf(thrown: unknown, mechanism: Mechanism, place?: Frame[]): Exception[] {
  const found: Exception[] = []
  const seen: unknown[] = []

  function add(error: unknown, own: Mechanism, fallback: Frame[] = []): void {
    const id = found.length
    if (id >= MAX_EXCEPTIONS || seen.includes(error)) return
    seen.push(error)
    const { cause, errors, stack } = (isError(error) ? error : {}) as AggregateError
    const parsed = parseStack(`${stack}`)
    const frames = parsed.length ? parsed : fallback
    const { type, value } = describe(error)
    found.unshift({
      type,
      value: cut(value),
      mechanism: {
        ...own,
        exception_id: id,
        is_exception_group: errors && true,
        synthetic: isError(error) ? undefined : true,
      },
      stacktrace: frames.length ? { frames } : undefined,
    })
    const { handled } = own
    const link = (linked: unknown, source: string): void =>
      add(linked, { type: 'chained', handled, source, parent_id: id })
    if (Array.isArray(errors)) errors.forEach((linked, index) => link(linked, `errors[${index}]`))
    if (cause) link(cause, 'cause')
  }
  add(thrown, mechanism, place)
  return found
}
