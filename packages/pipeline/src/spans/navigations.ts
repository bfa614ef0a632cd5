/** The navigation ledger's spans → its rows. Anyone may send such attributes: words that are not ours become empty. */
import {
  NAVIGATION_OP,
  NAVIGATION_OUTCOMES,
  NAVIGATION_PHASES,
  NAVIGATION_PREFIX,
  NAVIGATION_TRIGGERS,
  PREFETCH_OP,
  PREFETCH_PREFIX,
  PREFETCH_STATES,
} from '@sonde/protocol/navigation'
import type { FilterFields, NavigationFields, PrefetchFields, RowOrigin } from '@sonde/stores'
import { numberOf, textOf } from './attributes.ts'
import type { Span } from './span.ts'

type Common = RowOrigin & FilterFields

/** Undefined: the span is none of the ledger's. */
export function navigationOf(span: Span, common: Common): NavigationFields | undefined {
  if (span.op !== NAVIGATION_OP) return undefined
  const { text, number } = reader(span, NAVIGATION_PREFIX)
  const outcome = oneOf(NAVIGATION_OUTCOMES, text('outcome'))
  const fromPath = text('from')
  const toPath = text('to')
  return {
    ...common,
    navigationId: span.spanId,
    traceId: span.traceId,
    timestampMs: span.startMs,
    durationMs: span.durationMs,
    isFinal: outcome !== 'pending' && text('provisional') !== 'true',
    fromRoute: text('from_route') || fromPath,
    toRoute: text('to_route') || toPath || span.name,
    fromPath,
    toPath,
    trigger: oneOf(NAVIGATION_TRIGGERS, text('trigger')),
    outcome,
    reason: text('reason').slice(0, MAX_REASON),
    visibleAfterMs: number('visible_after'),
    phases: Object.fromEntries(
      NAVIGATION_PHASES.flatMap((phase) => {
        const ms = number(`phase.${phase}`)
        return ms === undefined ? [] : [[phase, ms]]
      }),
    ),
    prefetch: oneOf(PREFETCH_STATES, text('prefetch')),
    cache: oneOf(['hit', 'miss', 'bfcache'], text('cache')),
    cacheAgeMs: number('cache_age'),
    bytes: number('bytes'),
    requests: number('requests'),
    build: text('build').slice(0, MAX_WORD),
    router: text('router').slice(0, MAX_WORD),
    waitingFor: text('waiting_for').slice(0, MAX_WAITING),
  }
}

export function prefetchOf(span: Span, common: Common): PrefetchFields | undefined {
  if (span.op !== PREFETCH_OP) return undefined
  const { text, number } = reader(span, PREFETCH_PREFIX)
  const count = (name: string): number => Math.max(0, number(name) ?? 0)
  return {
    ...common,
    prefetchId: span.spanId,
    traceId: span.traceId,
    timestampMs: span.startMs,
    route: text('route') || span.name,
    router: text('router').slice(0, MAX_WORD),
    issued: count('issued'),
    used: count('used'),
    late: count('late'),
    stale: count('stale'),
    wasted: count('wasted'),
    savedMs: count('saved'),
    requests: number('requests'),
    bytes: number('bytes'),
    wastedBytes: number('wasted_bytes'),
  }
}

// An error's type or one of the router's words; and columns that hold few distinct values must stay so.
const MAX_REASON = 120
const MAX_WORD = 200
/** A page that waits for more than some ten endpoints says no more by naming them. */
const MAX_WAITING = 500

function reader({ attributes }: Span, prefix: string) {
  return {
    text: (name: string): string => textOf(attributes, prefix + name),
    number: (name: string): number | undefined => numberOf(attributes, prefix + name),
  }
}

const oneOf = (words: readonly string[], word: string): string => (words.includes(word) ? word : '')
