/** What the stages of an item start from, and what each stage of an event adds. */
import type { ItemHeader } from '@sonde/protocol/envelope'
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { ThreadFiles } from '../maps/thread-files.ts'
import type { NormalizeContext } from '../normalize/index.ts'
import type { ProcessingSettings } from '../process/settings-history.ts'

export type EventInput = {
  readonly payload: Uint8Array
  /** Of the log; undefined: the first. */
  readonly partition?: number | undefined
  readonly position: number
  readonly itemIndex: number
  readonly projectId: number
  readonly keyId: number
  /** The envelope's id. */
  readonly eventId: string | undefined
  readonly receivedMs: number
  readonly context: Omit<NormalizeContext, 'eventId' | 'retentionDays'>
  readonly settings: ProcessingSettings
  /** Undefined: frames stay as they came. */
  readonly files?: ItemFiles | undefined
}
/** What an item without an event around it has beside: its header, and what its envelope says of the sender. */
export type ItemInput = EventInput & { readonly header: ItemHeader; readonly envelope: EnvelopeFacts }
export type EnvelopeFacts = Pick<NormalizeContext, 'trace' | 'userAgent' | 'sdkClient'> & {
  readonly sdk?: { readonly name?: string; readonly version?: string } | undefined
}
export type ItemFiles = Pick<ThreadFiles, 'known' | 'takeLacks'>

export type ParsedEvent = EventInput & { readonly raw: unknown }
export type WithEvent = EventInput & { readonly event: NormalizedEvent }
export type GroupedInput = WithEvent & { readonly hashes: readonly string[] }
