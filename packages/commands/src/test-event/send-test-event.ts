/** Sends a sample event to one's own door, so that "does it work?" is answered by what really happened. */
import type { ProjectScope } from '@sonde/access'

/**
 * Resolves when the door has answered: with `ok` the event is durable, and visible within about a second. Never
 * throws. Whoever calls it has opened the scope with `event:write`: who may only look makes nothing.
 */
export type SendTestEvent = (scope: ProjectScope) => Promise<SentTestEvent>

export type SentTestEvent =
  | { readonly ok: true; readonly eventId: string }
  /** `message` is for people: the door's own words, or what to do. */
  | { readonly ok: false; readonly message: string }
