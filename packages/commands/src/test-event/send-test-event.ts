/** Sends a sample event to one's own door, so that "does it work?" is answered by what really happened. */
import type { Grant } from '@sonde/access'

/**
 * Resolves when the door has answered: with `ok` the event is durable, and visible within about a second. Never
 * throws. Who may only look makes nothing.
 */
export type SendTestEvent = (grant: Grant<'event:write', 'project'>) => Promise<SentTestEvent>

export type SentTestEvent =
  | { readonly ok: true; readonly eventId: string }
  /** `message` is for people: the door's own words, or what to do. */
  | { readonly ok: false; readonly message: string }
