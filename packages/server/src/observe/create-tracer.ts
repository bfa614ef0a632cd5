/** Makes spans and hands those that ended to a sink. Whether a trace is of the sample is decided once, where it begins. */
import { randomUUID } from 'node:crypto'
import {
  currentScope,
  errorKind,
  type OpenSpan,
  type SpanContext,
  type SpanKind,
  type SpanStart,
  type SpanValue,
  type Tracer,
} from '@sonde/base'

export type EndedSpan = SpanContext & {
  readonly parentSpanId: string | undefined
  readonly name: string
  readonly kind: SpanKind
  /** Unix milliseconds, with fractions; the length is of a clock that nobody sets. */
  readonly startMs: number
  readonly endMs: number
  readonly attributes: Readonly<Record<string, SpanValue>>
  /** Of what went wrong; undefined: nothing. */
  readonly failure: string | undefined
}

export type TracerOptions = {
  /** Of the traces that begin here, 0 to 1. */
  readonly sample: number
  readonly onEnd: (span: EndedSpan) => void
}

export const newTraceId = (): string => randomUUID().replaceAll('-', '')
const newSpanId = (): string => newTraceId().slice(16)

export function createTracer({ sample, onEnd }: TracerOptions): Tracer {
  const wallMs = createWallClock()
  const open = (start: SpanStart, traceId: string, parentSpanId: string | undefined): OpenSpan => {
    const { name, kind = 'internal' } = start
    const context = { traceId, spanId: newSpanId() }
    const attributes = { ...start.attributes }
    const beganMs = performance.now()
    const startMs = wallMs(beganMs)
    return {
      context,
      set: (more) => void Object.assign(attributes, more),
      end(error) {
        const endMs = startMs + (performance.now() - beganMs)
        const failure = error === undefined ? undefined : (errorKind(error) ?? 'internal')
        onEnd({ ...context, parentSpanId, name, kind, startMs, endMs, attributes, failure })
      },
    }
  }
  return {
    child(start) {
      const parent = currentScope()?.span
      return parent && open(start, parent.traceId, parent.spanId)
    },
    root(start, { traceId = newTraceId(), parent } = {}) {
      if (parent) return open(start, parent.traceId, parent.spanId)
      return isSampled(traceId, sample) ? open(start, traceId, undefined) : undefined
    },
  }
}

// `Date.now` is cut to whole milliseconds.
const SET_BY_MS = 2

/**
 * Unix milliseconds with fractions: all spans are on one line of time, so that none ends after the one around it. A clock that was
 * set is followed.
 */
function createWallClock(): (steadyMs: number) => number {
  let originMs = Date.now() - performance.now()
  return (steadyMs) => {
    if (Math.abs(Date.now() - performance.now() - originMs) > SET_BY_MS)
      originMs = Date.now() - performance.now()
    return originMs + steadyMs
  }
}

/** By the id, as OpenTelemetry's ratio sampler does it: its last eight digits are random whoever made it. */
const isSampled = (traceId: string, sample: number): boolean =>
  Number.parseInt(traceId.slice(-8), 16) < sample * 2 ** 32
