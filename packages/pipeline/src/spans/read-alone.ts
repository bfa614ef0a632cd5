/** Items of spans without an event around them: one span, a container of them, an OTLP request. */
import { clockShiftSec } from '../normalize/clock.ts'
import { spansOfOtlp } from '../otlp/spans-of-otlp.ts'
import { readMetric } from './read-metric.ts'
import { readSpan } from './read-span.ts'
import { readSpanV2 } from './read-span-v2.ts'
import { withoutRepeats } from './repeats.ts'
import type { Span } from './span.ts'
import type { ParsedSpans, ReadSpans } from './span-input.ts'

/** Undefined: nothing in it is a span or a metric. */
export function readAlone(input: ParsedSpans): ReadSpans | undefined {
  const found = readForm(input, clockShiftSec(input.context))
  const { lost, notShown = 0 } = found
  const isSomething = found.spans.length > 0 || (input.form === 'metrics' && lost + notShown > 0)
  if (!isSomething) return undefined
  const { spans, repeated } = withoutRepeats(found.spans)
  const { receivedMs, settings } = input
  return {
    ...input,
    spans: withinReach(spans, receivedMs, settings.retentionDays),
    lost,
    repeated,
    notShown,
    filtered: [],
  }
}

type Found = { readonly spans: readonly Span[]; readonly lost: number; readonly notShown?: number }

function readForm({ form, raw, resources = [] }: ParsedSpans, shiftSec: number): Found {
  if (form === 'otlp') return spansOfOtlp(resources, shiftSec)
  if (form === 'metrics') return readMetrics(listOf(raw.items), shiftSec)
  if (form === 'single') return listed([raw], (each) => readSpan(each, { shiftSec }))
  return listed(listOf(raw.items), (each) => readSpanV2(each, shiftSec))
}

function listed(given: readonly unknown[], readOne: (each: unknown) => Span | undefined): Found {
  const spans = given.flatMap((each) => readOne(each) ?? [])
  return { spans, lost: given.length - spans.length }
}

function readMetrics(given: readonly unknown[], shiftSec: number): Found {
  const read = given.map((each) => readMetric(each, shiftSec))
  const spans = read.flatMap(({ vital }) => vital ?? [])
  const lost = read.filter(({ isBroken }) => isBroken).length
  return { spans, lost, notShown: given.length - spans.length - lost }
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

// As for errors: a minute ahead is a clock that is about right.
const MAX_AHEAD_MS = 60_000
const DAY_MS = 86_400_000

/**
 * A sender whose clock is ahead, or so far behind that its spans would be gone at once, and who does not say when it
 * sent: its last span ended as it was received.
 */
function withinReach(spans: readonly Span[], receivedMs: number, retentionDays: number): readonly Span[] {
  const lastEndMs = spans.reduce((last, { startMs, durationMs }) => Math.max(last, startMs + durationMs), 0)
  const aheadMs = lastEndMs - receivedMs
  if (aheadMs <= MAX_AHEAD_MS && aheadMs >= -retentionDays * DAY_MS) return spans
  return spans.map((span) => ({ ...span, startMs: span.startMs - aheadMs }))
}
