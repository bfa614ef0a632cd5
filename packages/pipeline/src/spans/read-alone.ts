/** Items of spans without an event around them: one span, a container of them, an OTLP request. */
import { clockShiftSec } from '../normalize/clock.ts'
import { spansOfOtlp } from '../otlp/spans-of-otlp.ts'
import { readSpan } from './read-span.ts'
import { readSpanV2 } from './read-span-v2.ts'
import type { Span } from './span.ts'
import type { ParsedSpans, ReadSpans } from './span-input.ts'

/** Undefined: nothing in it is a span. */
export function readAlone(input: ParsedSpans): ReadSpans | undefined {
  const { spans, lost } = readForm(input, clockShiftSec(input.context))
  if (spans.length === 0) return undefined
  const { receivedMs, settings } = input
  return { ...input, spans: withinReach(spans, receivedMs, settings.retentionDays), lost }
}

type Found = { readonly spans: readonly Span[]; readonly lost: number }

function readForm({ form, raw, resources = [] }: ParsedSpans, shiftSec: number): Found {
  if (form === 'otlp') return spansOfOtlp(resources, shiftSec)
  if (form === 'single') return listed([raw], (each) => readSpan(each, { shiftSec }))
  return listed(Array.isArray(raw.items) ? raw.items : [], (each) => readSpanV2(each, shiftSec))
}

function listed(given: readonly unknown[], readOne: (each: unknown) => Span | undefined): Found {
  const spans = given.flatMap((each) => readOne(each) ?? [])
  return { spans, lost: given.length - spans.length }
}

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
