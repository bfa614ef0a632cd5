/** What of an event says that it is noise. */
import type { NormalizedEvent } from '@sonde/protocol/event'

export type Classified = Pick<
  NormalizedEvent,
  'breadcrumbs' | 'contexts' | 'exception' | 'extra' | 'logentry' | 'platform' | 'request' | 'tags' | 'type'
>
