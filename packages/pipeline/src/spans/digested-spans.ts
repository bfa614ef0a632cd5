/** What a span item digests to. Crosses threads as data. */
import type { SpanTable, TelemetryRow } from '@sonde/stores'
import type { SampledOut } from '../sampling/sample-spans.ts'
import type { LeftOut } from './span-input.ts'

export type DigestedSpans = LeftOut & {
  readonly position: number
  readonly itemIndex: number
  readonly projectId: number
  readonly keyId: number
  /** 32 lower hex: of the transaction, or made from the item's bytes. The same again is a repetition. */
  readonly eventId: string
  readonly category: 'transaction' | 'span' | 'trace_metric'
  readonly receivedMs: number
  readonly timestampMs: number
  /** Of which its spans are, also those that are left out; as a rule one, at most `MAX_ITEM_RELEASES`. */
  readonly releases: readonly string[]
  /** 1 for a transaction whose root is stored, otherwise 0. */
  readonly transactions: 0 | 1
  /** Spans that are stored, or metrics. */
  readonly spanCount: number
  /** Read, and left out by a rule; what they measured may be in `rows` all the same. */
  readonly sampledOut: readonly SampledOut[]
  /** Lines, joined; as bytes when they came from a worker thread. */
  readonly rows: { readonly [Table in SpanTable]?: TelemetryRow }
}
