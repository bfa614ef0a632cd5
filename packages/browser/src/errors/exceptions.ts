/** What was thrown, as the exceptions of an event: https://develop.sentry.dev/sdk/data-model/event-payloads/exception/ */
import { cut, normalize } from '../normalize.ts'
import type { CaptureContext, Client, EventPayload, Mechanism } from '../types.ts'
import { debugImages, type Frame, parseStack } from './stack.ts'

export type Exception = {
  type: string
  value: string
  mechanism: Mechanism
  stacktrace?: { frames: Frame[] } | undefined
}

// Chains longer than this are made by machines, cycles are endless.
const MAX_EXCEPTIONS = 10

/** Innermost cause first, what was thrown last. `place` is the stack of the capture, for what has none of its own. */
function exceptionsOf(thrown: unknown, mechanism: Mechanism, place?: Frame[]): Exception[] {
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

/** Also of another frame's window, where `instanceof` says no. */
function isError(value: unknown): value is Error {
  return value instanceof Error || /Error|DOMEx/.test({}.toString.call(value))
}

// Whatever it is in truth: it becomes text.
type Thrown = { name?: string; message?: string; url?: string; status?: number; type?: string }

// oxlint-disable typescript/no-unnecessary-type-conversion

/** A name and a sentence for whatever can be thrown. */
function describe(thrown: unknown): { type: string; value: string } {
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

/* oxlint-enable typescript/no-unnecessary-type-conversion */

/** `place`: where it was captured, for what has no stack of its own. Never throws. */
export function captureThrown(
  client: Client,
  thrown: unknown,
  context: CaptureContext = {},
  place?: Frame[],
): string | undefined {
  try {
    if (thrown instanceof Event) {
      // What a listener is given holds what was thrown.
      const { error, message, reason, filename, lineno, colno } = thrown as ErrorEvent & { reason?: unknown }
      if (filename) place = [{ filename, lineno, colno, in_app: true }]
      thrown = error ?? message ?? ('reason' in thrown ? reason : thrown)
    }
    const values = exceptionsOf(thrown, context.mechanism ?? { type: 'generic', handled: true }, place)
    const images = debugImages(values)
    const event: EventPayload = { exception: { values }, debug_meta: images[0] && { images } }
    if (typeof thrown === 'object' && !isError(thrown)) event['extra'] = { thrown: normalize(thrown) }
    return client.capture(event, { originalException: thrown }, context)
  } catch {
    // A getter or proxy of what was thrown throws itself.
    client.drop('internal_sdk_error', 'error')
    return undefined
  }
}
