/** What an event is called, once its frames say something else than before. */
import type { NormalizedEvent } from '@sonde/protocol/event'
import { culpritOf, metadataOf, titleOf } from '../normalize/title.ts'

/** `before`: the event from whose frames its title was made. A culprit that the SDK named stays. */
export function withOwnTitle(event: NormalizedEvent, before: NormalizedEvent): NormalizedEvent {
  const { derived } = event
  const title = derived.title === titleOf(before) ? titleOf(event) : derived.title
  const culprit = derived.culprit === culpritOf(before) ? culpritOf(event) : derived.culprit
  return { ...event, derived: { ...derived, title, culprit, metadata: metadataOf(event) } }
}
