/** The context `evidence` of a performance issue's event, as `packages/pipeline/src/detect/found-events.ts` writes it. Pure. */
import type { JsonObject, NormalizedEvent } from '@sonde/protocol/event'
import type { PerformanceType } from '@sonde/protocol/issue-category'
import { DETECTORS, isPerformanceType, type Threshold } from '@sonde/protocol/performance-detectors'

export type EvidenceSpan = {
  readonly spanId: string
  readonly description: string
  /** After the first one began; undefined in events of before. */
  readonly afterMs: number | undefined
  readonly durationMs: number
}
export type Evidence = {
  readonly type: PerformanceType
  readonly op: string
  readonly description: string
  readonly times: number
  readonly totalMs: number
  readonly savedMs: number | undefined
  /** From the first span's start to the last one's end. */
  readonly shownMs: number
  readonly parent: string | undefined
  readonly parentSpanId: string | undefined
  readonly thresholds: readonly (Threshold & { readonly inForce: number })[]
  readonly spans: readonly EvidenceSpan[]
  /** Of a navigation that hung. */
  readonly navigation: HungNavigation | undefined
}
/** Empty where nobody said. */
export type HungNavigation = {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly outcome: string
  readonly phase: string
  readonly trigger: string
  readonly router: string
  readonly requests: readonly { readonly name: string; readonly waitedMs: number | undefined }[]
}

/** Undefined: the event is of no performance issue. An SDK may send such a context: what makes no sense is left out. */
export function evidenceOf({
  type,
  contexts,
}: Pick<NormalizedEvent, 'type' | 'contexts'>): Evidence | undefined {
  const context = contexts?.['evidence']
  if (!isPerformanceType(type) || !context) return undefined
  const text = (name: string): string | undefined =>
    typeof context[name] === 'string' ? context[name] : undefined
  const spans = (Array.isArray(context['spans']) ? context['spans'] : []).flatMap(
    (each) => spanOf(each) ?? [],
  )
  const lastMs = spans.reduce((last, each) => Math.max(last, (each.afterMs ?? 0) + each.durationMs), 0)
  return {
    type,
    op: text('operation') ?? '',
    description: text('description') ?? '',
    times: numberOf(context, 'times') ?? spans.length,
    totalMs: numberOf(context, 'total_ms') ?? 0,
    savedMs: numberOf(context, 'saved_ms'),
    shownMs: Math.max(lastMs, numberOf(context, 'shown_ms') ?? 0),
    parent: text('parent'),
    parentSpanId: text('parent_span_id'),
    thresholds: thresholdsIn(type, context['thresholds']),
    spans,
    navigation: navigationOf(context['navigation']),
  }
}

function navigationOf(raw: unknown): HungNavigation | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined
  const told = raw as JsonObject
  const text = (...names: readonly string[]): string => {
    const found = names.map((name) => told[name]).find((value) => typeof value === 'string' && value !== '')
    return typeof found === 'string' ? found : ''
  }
  const id = text('id')
  if (!/^[0-9a-f]{16}$/.test(id)) return undefined
  const requests = Array.isArray(told['requests']) ? told['requests'] : []
  return {
    id,
    from: text('from_route', 'from'),
    to: text('to_route', 'to'),
    outcome: text('outcome'),
    phase: text('phase'),
    trigger: text('trigger'),
    router: text('router'),
    requests: requests.flatMap((each) => {
      if (typeof each !== 'object' || each === null || Array.isArray(each)) return []
      const { name } = each
      return typeof name === 'string' ? [{ name, waitedMs: numberOf(each, 'waited_ms') }] : []
    }),
  }
}

function thresholdsIn(type: PerformanceType, given: unknown): Evidence['thresholds'] {
  if (typeof given !== 'object' || given === null) return []
  return DETECTORS[type].thresholds.flatMap((threshold) => {
    const inForce = numberOf(given as JsonObject, threshold.key)
    return inForce === undefined ? [] : [{ ...threshold, inForce }]
  })
}

function spanOf(raw: unknown): EvidenceSpan | undefined {
  if (typeof raw !== 'object' || raw === null) return undefined
  const span = raw as JsonObject
  const { span_id: spanId, description } = span
  if (typeof spanId !== 'string') return undefined
  return {
    spanId,
    description: typeof description === 'string' ? description : '',
    afterMs: numberOf(span, 'after_ms'),
    durationMs: numberOf(span, 'duration_ms') ?? 0,
  }
}

const numberOf = (from: JsonObject, name: string): number | undefined =>
  typeof from[name] === 'number' ? from[name] : undefined
