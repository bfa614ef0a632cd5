/** Spans → rows of the tables that answer for them. Vitals and the ledger have tables of their own beside `spans`. */
import {
  encodeNavigationRow,
  encodePrefetchRow,
  encodeSpanRow,
  encodeVitalRow,
  type FilterFields,
  type RowOrigin,
  SERVER_RATE_ATTRIBUTE,
  type SpanTable,
} from '@sonde/stores'
import { navigationOf, prefetchOf } from './navigations.ts'
import type { Span, SpanFacts } from './span.ts'
import type { SpanForm } from './span-input.ts'
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
/** Lines of each table, joined; a table without rows is absent. */
export type SpanRows = { readonly [Table in SpanTable]?: string }

/** A metric is a vital or nothing: it took no time of its own that a trace could show. */
export function encodeSpans(list: readonly SpanWithFacts[], origin: RowOrigin, form: SpanForm): SpanRows {
  const lines: { [Table in SpanTable]: string[] } = { spans: [], vitals: [], navigations: [], prefetches: [] }
  for (const { span, facts, sampling } of list) {
    if (sampling?.withMeasured && !sampling.isKept) continue
    const { segmentName, ...filters } = facts
    const sampleRate = filters.sampleRate * (sampling?.withMeasured ? sampling.rate : 1)
    const common: RowOrigin & FilterFields = { ...origin, ...filters, sampleRate }
    const navigation = navigationOf(span, common)
    const prefetch = prefetchOf(span, common)
    for (const vital of vitalsOf(span, facts)) {
      const { atMs: timestampMs, ...rest } = vital
      lines.vitals.push(encodeVitalRow({ ...common, ...rest, timestampMs }))
    }
    if (form === 'metrics') continue
    if (navigation) lines.navigations.push(encodeNavigationRow(navigation))
    else if (prefetch) lines.prefetches.push(encodePrefetchRow(prefetch))
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
function spanColumns({ measurements, ...span }: Span, serverRate?: number) {
  const sampled = serverRate === undefined ? undefined : { [SERVER_RATE_ATTRIBUTE]: serverRate }
  return { ...span, attributes: { ...measurements, ...span.attributes, ...sampled } }
}
