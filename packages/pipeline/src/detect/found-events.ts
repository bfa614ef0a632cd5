/** What detectors found in an item of spans → events of issues. Nobody sent them: they have no outcome and no quota. */
import { hash } from 'node:crypto'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { DETECTORS } from '@sonde/protocol/performance-detectors'
import { groupByRules } from '../group/group-by-rules.ts'
import type { ProcessedEvent } from '../process/processed.ts'
import type { SpanWithFacts } from '../spans/encode-spans.ts'
import type { ReadSpans, Span } from '../spans/span.ts'
import { encodeEvent } from '../stages/encode.ts'
import { detect, MAX_FOUND } from './detectors.ts'
import { endOf, type Found, type FoundIn } from './found.ts'
import { segmentsOf } from './segments-alone.ts'

const MAX_TITLE = 256
const MAX_NAME = 1000

/**
 * The same each time the record is processed: ids are made from the transaction's, or of spans that are sent alone from the
 * item's. `list`: what sampling left.
 */
export function foundEvents(
  input: ReadSpans,
  itemId: string,
  list: readonly SpanWithFacts[],
): readonly ProcessedEvent[] {
  if (input.form === 'metrics') return []
  const parts =
    input.form === 'transaction'
      ? input.event
        ? [{ id: input.event.event_id, event: input.event, spans: input.spans }]
        : []
      : segmentsOf(itemId, list, input.receivedMs)
  const found: ProcessedEvent[] = []
  for (const { id, event: source, spans } of parts) {
    for (const one of detect(spans, input.settings.detectors)) {
      if (found.length === MAX_FOUND) return found
      const made = eventOf(one, id, source, spans)
      const { event, hashes } = groupByRules(made, input.settings.grouping, input.receivedMs)
      found.push(encodeEvent({ ...input, event, hashes }))
    }
  }
  return found
}

function eventOf(found: Found, sourceId: string, source: FoundIn, spans: readonly Span[]): NormalizedEvent {
  const { type, op, description } = found
  const route = found.route ?? source.transaction ?? ''
  const fingerprint = [type, op, description, route]
  const title = `${DETECTORS[type].name}: ${description}`.slice(0, MAX_TITLE)
  const { platform, timestamp, received, release, dist, environment, tags, user, request, sdk } = source
  const shared = { release, dist, environment, tags, user, request, sdk }
  return {
    ...(Object.fromEntries(
      Object.entries(shared).filter(([, value]) => value !== undefined),
    ) as Partial<NormalizedEvent>),
    event_id: hash(
      'sha256',
      `found ${found.eventKey ?? sourceId} ${found.eventKey === undefined ? fingerprint.join('\n') : type}`,
      'hex',
    ).slice(0, 32),
    type,
    platform,
    level: found.level ?? 'info',
    timestamp,
    received,
    ...(route !== '' && { transaction: route }),
    fingerprint,
    logentry: { formatted: title },
    contexts: { ...source.contexts, evidence: evidenceOf(found, source.event_id, spans) },
    derived: { title, culprit: route, metadata: { title, value: description.slice(0, MAX_TITLE) } },
  }
}

/** What the page shows; its reader is `packages/web/src/parts/event/evidence.ts`. */
function evidenceOf(found: Found, transaction: string | undefined, spans: readonly Span[]) {
  const { op, description, count, totalMs, savedMs, thresholds, parentSpanId } = found
  const parent = spans.find(({ spanId }) => spanId === parentSpanId)
  const firstMs = found.spans[0]?.startMs ?? 0
  const lastMs = found.spans.reduce((last, span) => Math.max(last, endOf(span)), firstMs)
  return {
    type: 'evidence',
    operation: op,
    description,
    times: count,
    total_ms: tenths(totalMs),
    ...(savedMs !== undefined && { saved_ms: tenths(savedMs) }),
    shown_ms: tenths(lastMs - firstMs),
    thresholds,
    ...found.facts,
    ...(transaction !== undefined && { transaction }),
    ...(parent && {
      parent: `${parent.op} ${parent.name}`.slice(0, MAX_TITLE),
      parent_span_id: parent.spanId,
    }),
    spans: found.spans.map((span) => ({
      span_id: span.spanId,
      description: span.name.slice(0, MAX_NAME),
      after_ms: tenths(span.startMs - firstMs),
      duration_ms: tenths(span.durationMs),
    })),
  }
}

const tenths = (value: number): number => Math.round(value * 10) / 10
