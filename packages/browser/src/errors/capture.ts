import { normalize } from '../normalize.ts'
import type { CaptureContext, Client, EventPayload } from '../types.ts'
import { debugImages } from './debug-ids.ts'
import { isError } from './describe.ts'
import { exceptionsOf } from './exceptions.ts'
import type { Frame } from './stack.ts'

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
