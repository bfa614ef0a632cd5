import { normalize } from '../normalize.ts'
import type { CaptureContext, Client, EventPayload } from '../types.ts'
import { debugImages } from './debug-ids.ts'
import { isError } from './describe.ts'
import { exceptionsOf } from './exceptions.ts'
import type { Frame } from './stack.ts'

/** `place`: where it was captured or thrown, for what has no stack of its own. */
export function captureThrown(
  client: Client,
  thrown: unknown,
  context: CaptureContext = {},
  place?: Frame[],
): string | undefined {
  const { mechanism = { type: 'generic', handled: true } } = context
  // What a listener was given holds what was thrown.
  const { error, reason } = thrown instanceof Event ? (thrown as { error?: unknown; reason?: unknown }) : {}
  const original = error ?? reason ?? thrown
  const values = exceptionsOf(original, mechanism, place)
  const event: EventPayload = { exception: { values }, ...debugImages(values) }
  if (original instanceof Object && !isError(original)) event['extra'] = { thrown: normalize(original) }
  return client.capture(event, { originalException: original }, context)
}
