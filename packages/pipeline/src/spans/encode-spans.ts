/** Spans → rows of the tables that answer for them. Vitals and the ledger have tables of their own beside `spans`. */
import {
  NAVIGATION_OP,
  NAVIGATION_PREFIX,
  PREFETCH_OP,
  PREFETCH_PREFIX,
  TAB_OP,
  TAB_PREFIX,
} from '@sonde/protocol/navigation'
import { pathTemplate } from '@sonde/protocol/path-template'
import {
  type Column,
  encodeNavigationRow,
  encodePrefetchRow,
  encodeSpanRow,
  encodeTabRow,
  encodeVitalRow,
  fieldOf,
  type FieldOf,
  type FilterFields,
  type NavigationFields,
  type PrefetchFields,
  type RowOrigin,
  SERVER_RATE_ATTRIBUTE,
  TABLES,
  type TabFields,
  type ValueOf,
} from '@sonde/stores'
import { type Attributes, numberOf, textOf } from './attributes.ts'
import { normalizedSpan } from './normalized-span.ts'
import type { Span, SpanFacts, SpanForm } from './span.ts'
import { stockNavigationOf, type StockEvent } from './stock-navigation.ts'
import { vitalsOf } from './vitals.ts'

export type SpanWithFacts = {
  readonly span: Span
  readonly facts: SpanFacts
  /** Absent: no rule samples it. */
  readonly sampling?: SpanSampling
}
/** What a rule decided. */
export type SpanSampling = {
  readonly rate: number
  readonly isKept: boolean
  /** What the span measured shares its fate; otherwise it is kept, at the sender's rate. */
  readonly withMeasured: boolean
}
/** What a span fills. */
type SpanTable = 'spans' | 'vitals' | 'navigations' | 'prefetches' | 'tabs'
/** Lines of each table, joined; a table without rows is absent. */
export type SpanRows = { readonly [Table in SpanTable]?: string }

/**
 * A metric is a vital or nothing: it took no time of its own that a trace could show. `event`: that of a transaction.
 */
export function encodeSpans(
  list: readonly SpanWithFacts[],
  origin: RowOrigin,
  form: SpanForm,
  event?: StockEvent,
): SpanRows {
  const lines: { [Table in SpanTable]: string[] } = {
    spans: [],
    vitals: [],
    navigations: [],
    prefetches: [],
    tabs: [],
  }
  const roots = new Map(list.flatMap(({ span }) => (span.isSegment ? [[span.spanId, span] as const] : [])))
  for (const { span, facts, sampling } of list) {
    if (sampling?.withMeasured && !sampling.isKept) continue
    const { segmentName, ...filters } = facts
    const sampleRate = filters.sampleRate * (sampling?.withMeasured ? sampling.rate : 1)
    const common: RowOrigin & FilterFields = { ...origin, ...filters, sampleRate }
    const navigation = navigationOf(span, common)
    const prefetch = prefetchOf(span, common)
    const tab = tabOf(span, common)
    for (const vital of vitalsOf(span, facts, roots.get(span.segmentId || span.parentSpanId))) {
      const { atMs: timestampMs, ...rest } = vital
      lines.vitals.push(encodeVitalRow({ ...common, ...rest, timestampMs }))
    }
    if (form === 'metrics') continue
    const stock = stockNavigationOf(span, facts, event)
    if (stock) lines.navigations.push(encodeNavigationRow({ ...common, ...stock }))
    if (navigation) lines.navigations.push(encodeNavigationRow(navigation))
    else if (prefetch) lines.prefetches.push(encodePrefetchRow(prefetch))
    else if (tab) lines.tabs.push(encodeTabRow(tab))
    else if (sampling === undefined)
      lines.spans.push(encodeSpanRow({ ...common, ...spanColumns(span), segmentName }))
    else if (sampling.isKept) {
      const own = { ...common, sampleRate: filters.sampleRate * sampling.rate }
      lines.spans.push(encodeSpanRow({ ...own, ...spanColumns(span, sampling.rate), segmentName }))
    }
  }
  return Object.fromEntries(
    Object.entries(lines).flatMap(([table, rows]) => (rows.length === 0 ? [] : [[table, rows.join('\n')]])),
  )
}

/** Measurements lie among the numbers: what has a unit was made milliseconds before. */
function spanColumns({ measurements, links = [], ...span }: Span, serverRate?: number) {
  const sampled = serverRate === undefined ? undefined : { [SERVER_RATE_ATTRIBUTE]: serverRate }
  return {
    ...span,
    ...normalizedSpan(span),
    attributes: { ...measurements, ...span.attributes, ...sampled },
    ...(links.length > 0 && {
      linkTraceIds: links.map(({ traceId }) => traceId),
      linkSpanIds: links.map(({ spanId }) => spanId),
      linkAttributes: links.map(({ attributes }) => JSON.stringify(attributes)),
    }),
  }
}

/** The navigation recorder's spans → rows. Anyone may send such attributes: words that are not ours become empty. */
type Common = RowOrigin & FilterFields

/** Undefined: the span is none of the recorder's. */
function navigationOf(span: Span, common: Common): NavigationFields | undefined {
  if (span.op !== NAVIGATION_OP) return undefined
  const sent = fromAttributes(TABLES.navigations.columns, span.attributes, NAVIGATION_PREFIX)
  const isProvisional = textOf(span.attributes, `${NAVIGATION_PREFIX}provisional`) === 'true'
  return {
    ...common,
    ...sent,
    navigationId: span.spanId,
    traceId: span.traceId,
    timestampMs: span.startMs,
    durationMs: span.durationMs,
    isFinal: sent.outcome !== 'pending' && !isProvisional,
    fromRoute: sent.fromRoute || pathTemplate(sent.fromPath),
    toRoute: sent.toRoute || pathTemplate(sent.toPath || span.name),
  }
}

function prefetchOf(span: Span, common: Common): PrefetchFields | undefined {
  if (span.op !== PREFETCH_OP) return undefined
  const sent = fromAttributes(TABLES.prefetches.columns, span.attributes, PREFETCH_PREFIX)
  return {
    ...common,
    ...sent,
    prefetchId: span.spanId,
    traceId: span.traceId,
    timestampMs: span.startMs,
    route: sent.route || span.name,
  }
}

function tabOf(span: Span, common: Common): TabFields | undefined {
  if (span.op !== TAB_OP) return undefined
  return {
    ...common,
    ...fromAttributes(TABLES.tabs.columns, span.attributes, TAB_PREFIX),
    pageId: span.spanId,
    startedMs: span.startMs,
    timestampMs: span.startMs + span.durationMs,
    isRecovered: textOf(span.attributes, `${TAB_PREFIX}recovered`) === 'true',
  }
}

type Sent<Columns extends readonly Column[]> = {
  readonly [C in Columns[number] as C extends { attribute: string } ? FieldOf<C> : never]: ValueOf<C>
}

/** The columns that say which attribute fills them. */
function fromAttributes<Columns extends readonly Column[]>(
  columns: Columns,
  attributes: Attributes,
  prefix: string,
): Sent<Columns> {
  const found = columns.flatMap((column) =>
    column.attribute === undefined
      ? []
      : [[fieldOf(column), valueOf(column, attributes, prefix + column.attribute)] as const],
  )
  return Object.fromEntries(found) as Sent<Columns>
}

/** A number that is absent is null where the column has that, otherwise 0; so is a count below 0. */
function valueOf({ type, words, maxLength }: Column, attributes: Attributes, name: string) {
  if (type.startsWith('Nullable')) return numberOf(attributes, name)
  if (!type.includes('String')) return Math.max(0, numberOf(attributes, name) ?? 0)
  const text = textOf(attributes, name).slice(0, maxLength)
  return words === undefined || words.includes(text) ? text : ''
}
