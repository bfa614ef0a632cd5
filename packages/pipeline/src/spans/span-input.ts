/** What the stages of a span item start from, and what each adds. */
import type { ItemHeader } from '@sonde/protocol/envelope'
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { OutcomeReason } from '@sonde/protocol/outcome'
import type { RawObject } from '../normalize/read.ts'
import type { OtlpResource } from '../otlp/otlp-request.ts'
import type { EventInput } from '../stages/event-input.ts'
import type { EnvelopeFacts } from './facts-of-attributes.ts'
import type { Span } from './span.ts'

/**
 * `transaction`: a root with its children in one event. `single`: a span that stands alone. `container`: a list of them.
 * `otlp`: an OpenTelemetry request. `metrics`: a container of metrics, of which some are vitals.
 */
export type SpanForm = 'transaction' | 'single' | 'container' | 'otlp' | 'metrics'

export type SpanInput = EventInput & { readonly header: ItemHeader; readonly envelope: EnvelopeFacts }
/** `raw`: the item's JSON, empty for `otlp`, which has `resources` instead. */
export type ParsedSpans = SpanInput & {
  readonly form: SpanForm
  readonly raw: RawObject
  readonly resources?: readonly OtlpResource[]
}
/** The event is that of a transaction. */
export type ReadSpans = ParsedSpans &
  LeftOut & {
    readonly spans: readonly Span[]
    readonly event?: NormalizedEvent
  }

/** What stood in the item and is not stored; none is counted twice. */
export type LeftOut = {
  /** No spans: without ids or a start. */
  readonly lost: number
  /** Spans that stood there before. */
  readonly repeated: number
  /** Metrics that no screen shows. */
  readonly notShown: number
  /** Of a program that the project's filters do not want, beside others. */
  readonly filtered: readonly { readonly reason: OutcomeReason<'filtered'>; readonly spans: number }[]
}
