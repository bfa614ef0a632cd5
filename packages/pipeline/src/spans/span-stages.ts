/**
 * The way of spans, from the bytes of their item to rows. Pure: runs on worker threads. A transaction's event is
 * normalised, filtered and scrubbed like an error.
 */
import { hash } from 'node:crypto'
import { normalizeEventId } from '@sonde/protocol/event-id'
import { OTLP_PROTOBUF, OTLP_TRACES_ITEM } from '@sonde/protocol/otlp'
import { foundEvents } from '../detect/found-events.ts'
import { normalizeEvent, parseEventJson } from '../normalize/index.ts'
import { isObject, type RawObject } from '../normalize/read-fields.ts'
import type { OtlpResource } from '../otlp/otlp-request.ts'
import { readOtlpJson } from '../otlp/read-json.ts'
import { readOtlpProtobuf } from '../otlp/read-protobuf.ts'
import { scrubEnvelope, scrubEvent, scrubSpan } from '../scrub/index.ts'
import { chain, drop, type Dropped, type Stage } from '../stage-runner.ts'
import type { ItemInput } from '../stages/event-input.ts'
import { filterReason } from '../stages/filter.ts'
import { encodeSpans, type SpanWithFacts } from './encode-spans.ts'
import { factsOfAttributes, factsOfEvent } from './facts-of-attributes.ts'
import { programFilterReason, programOf, releasesOfItem } from './programs.ts'
import { readAlone, SPAN_V2_CONTENT_TYPE, withoutRepeats } from './read-alone.ts'
import { readTransaction } from './read-span.ts'
import { sampleSpans, type Sampling } from './sample-spans.ts'
import { countsOf } from './span-outcomes.ts'
import type { LeftOut, ParsedSpans, ProcessedSpans, ReadSpans, Span, SpanForm } from './span.ts'

const parse: Stage<ItemInput, ParsedSpans> = {
  name: 'parse spans',
  run(input) {
    if (input.header.type === OTLP_TRACES_ITEM) return parseOtlp(input)
    const parsed = parseEventJson(input.payload)
    if (!parsed.ok)
      return drop('invalid', parsed.reason === 'too_large' ? 'too_large' : 'bad_json', parsed.detail)
    const raw = parsed.value
    return isObject(raw) ? { ...input, raw, form: formOf(input, raw) } : drop('invalid', 'bad_payload')
  },
}

function parseOtlp(input: ItemInput): ParsedSpans | Dropped {
  const resources = readOtlp(input.payload, input.header['content_type'])
  if (resources === undefined) return drop('invalid', 'bad_otlp')
  return { ...input, raw: {}, form: 'otlp', resources }
}

/** Old SDKs and proxies lose the content type; a list of items speaks for itself. */
function formOf({ header }: ItemInput, raw: RawObject): SpanForm {
  if (header.type === 'transaction') return 'transaction'
  if (header.type === 'trace_metric') return 'metrics'
  return header['content_type'] === SPAN_V2_CONTENT_TYPE || Array.isArray(raw.items) ? 'container' : 'single'
}

const read: Stage<ParsedSpans, ReadSpans> = {
  name: 'read spans',
  run(input) {
    const result = input.form === 'transaction' ? readEvent(input) : readAlone(input)
    return result ?? drop('invalid', input.form === 'metrics' ? 'bad_payload' : 'bad_span')
  },
}

function readEvent(input: ParsedSpans): ReadSpans | undefined {
  const { retentionDays } = input.settings
  const event = normalizeEvent(input.raw, { ...input.context, eventId: repeatIdOf(input), retentionDays })
  const found = readTransaction(input.raw, event)
  if (found === undefined) return undefined
  const { spans, repeated } = withoutRepeats([found.segment, ...found.children])
  return { ...input, event, spans, lost: found.lost, repeated, filtered: [] }
}

const filter: Stage<ReadSpans, ReadSpans> = { name: 'filter spans', run: filterSpans }

const scrub: Stage<ReadSpans, ReadSpans> = {
  name: 'scrub spans',
  run(input) {
    const settings = input.settings.scrub
    return {
      ...input,
      ...(input.event && { event: scrubEvent(input.event, settings) }),
      envelope: scrubEnvelope(input.envelope, settings),
      spans: input.spans.map((span) => scrubSpan(span, settings)),
    }
  },
}

const sample: Stage<ReadSpans, ReadSpans & Sampling> = {
  name: 'sample spans',
  run: (input) => ({ ...input, ...sampleSpans(withFacts(input), input.form, input.settings.sampling) }),
}

const CATEGORIES: { readonly [form in SpanForm]: 'transaction' | 'span' | 'trace_metric' } = {
  transaction: 'transaction',
  single: 'span',
  container: 'span',
  otlp: 'span',
  metrics: 'trace_metric',
}

const encode: Stage<ReadSpans & Sampling, ProcessedSpans> = {
  name: 'encode spans',
  run(input) {
    const { partition, position, itemIndex, projectId, keyId, receivedMs, spans, form, list, sampledOut } =
      input
    const { lost, repeated, filtered } = input
    const left = sampledOut.reduce((sum, each) => sum + each.spans, 0)
    const isLeft = sampledOut.some(({ transactions }) => transactions === 1)
    const origin = { projectId, receivedMs, logPartition: partition, logPosition: position, itemIndex }
    const category = CATEGORIES[form]
    const transactions = form === 'transaction' && !isLeft ? 1 : 0
    const item = {
      position,
      itemIndex,
      projectId,
      keyId,
      eventId: repeatIdOf(input),
      category,
      receivedMs,
      timestampMs: Math.round(spans[0]?.startMs ?? receivedMs),
      releases: releasesOf(list),
      counts: countsOf(category, { transactions, spans: spans.length - left }),
      rows: encodeSpans(list, origin, form, input.event),
    }
    const found = isLeft ? [] : foundEvents(input, item.eventId, list)
    return { item, found, lost, repeated, filtered, sampledOut }
  },
}

const releasesOf = (list: readonly SpanWithFacts[]): readonly string[] =>
  releasesOfItem(new Set(list.map(({ facts }) => facts.release)))

/** From what scrubbing left: a route or a user's name may hold a secret like anything else. */
function withFacts({ spans, event, envelope, context }: ReadSpans): readonly SpanWithFacts[] {
  const shared = event && factsOfEvent(event, spans[0]?.attributes ?? {}, context.trace)
  return spans.map((span) => ({ span, facts: shared ?? factsOfAttributes(span.attributes, envelope) }))
}

/**
 * What tells that an item came before: a transaction has an id; other spans come again only as the very same bytes,
 * when a sender did not see the answer.
 */
function repeatIdOf({ eventId, header, payload, raw }: ItemInput & { readonly raw: RawObject }): string {
  const own = header.type === 'transaction' ? (eventId ?? normalizeEventId(raw.event_id)) : undefined
  return own ?? hash('sha256', payload, 'hex').slice(0, 32)
}

export const SPAN_STAGES = chain([parse, read, filter, scrub, sample, encode])

/** The project's filters, for spans. An item is of one program and is dropped whole; an OTLP request may be of several. */
function filterSpans(input: ReadSpans): ReadSpans | Dropped {
  const programs = input.form === 'otlp' ? [...Map.groupBy(input.spans, programOf).values()] : [input.spans]
  const judged = programs.map((spans) => ({ spans, reason: reasonOf(input, spans) }))
  const kept = judged.filter(({ reason }) => reason === undefined)
  if (kept.length === judged.length) return input
  const filtered = judged.flatMap(({ spans, reason }): LeftOut['filtered'] =>
    reason === undefined ? [] : [{ reason, spans: spans.length }],
  )
  const [first] = filtered
  if (kept.length === 0 && first !== undefined) return drop('filtered', first.reason)
  return { ...input, spans: kept.flatMap(({ spans }) => spans), filtered }
}

function reasonOf(input: ReadSpans, spans: readonly Span[]) {
  const { event, envelope, settings } = input
  return event
    ? filterReason(event, settings.filters)
    : programFilterReason(spans[0], envelope, settings.filters)
}

/** The body of an OTLP request in either encoding; undefined when it is none. */
export function readOtlp(bytes: Uint8Array, contentType: unknown): readonly OtlpResource[] | undefined {
  if (contentType === OTLP_PROTOBUF) return readOtlpProtobuf(bytes)
  const parsed = parseEventJson(bytes)
  return parsed.ok ? readOtlpJson(parsed.value) : undefined
}
