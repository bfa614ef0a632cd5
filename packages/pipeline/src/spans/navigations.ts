/** The navigation recorder's spans → rows. Anyone may send such attributes: words that are not ours become empty. */
import { NAVIGATION_OP, NAVIGATION_PREFIX, PREFETCH_OP, PREFETCH_PREFIX } from '@sonde/protocol/navigation'
import {
  type Column,
  fieldOf,
  type FieldOf,
  type FilterFields,
  type NavigationFields,
  type PrefetchFields,
  type RowOrigin,
  TABLES,
  type ValueOf,
} from '@sonde/stores'
import { type Attributes, numberOf, textOf } from './attributes.ts'
import type { Span } from './span.ts'

type Common = RowOrigin & FilterFields

/** Undefined: the span is none of the recorder's. */
export function navigationOf(span: Span, common: Common): NavigationFields | undefined {
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
    fromRoute: sent.fromRoute || sent.fromPath,
    toRoute: sent.toRoute || sent.toPath || span.name,
  }
}

export function prefetchOf(span: Span, common: Common): PrefetchFields | undefined {
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
