/**
 * Web vitals that are sent as metrics: items of a `trace_metric` container whose name is that of a vital. Each becomes
 * what the same vital is as a streamed span, so that both are one row of one page.
 * https://github.com/getsentry/rfcs/pull/158 (names as in its tables and as in its example)
 */
import { isVitalName, type VitalName } from '@sonde/protocol/web-vitals'
import { isObject, type RawObject } from '../normalize/read.ts'
import { hexId } from '../normalize/trace-context.ts'
import { readAttributes, textOf } from './attributes.ts'
import { inMs } from './measurements.ts'
import { readTimes } from './read-span.ts'
import { plainAttributes } from './read-span-v2.ts'
import type { Span } from './span.ts'

const NAME = /^browser\.(?:web_vital\.)?([a-z]+)(?:\.value)?$/
// A metric is of a moment, not of a span: where none was active, the row still has an id.
const NO_SPAN = '0'.repeat(16)

/** `vital`: undefined for a metric that is none. `isBroken`: it is called a vital and cannot be read as one. */
export type ReadMetric = { readonly vital: Span | undefined; readonly isBroken: boolean }

const NOT_A_VITAL: ReadMetric = { vital: undefined, isBroken: false }
const BROKEN: ReadMetric = { vital: undefined, isBroken: true }

export function readMetric(raw: unknown, shiftSec: number): ReadMetric {
  if (!isObject(raw)) return BROKEN
  const name = vitalNameOf(raw)
  if (name === undefined) return NOT_A_VITAL
  const traceId = hexId(raw.trace_id, 32)
  const times = readTimes(raw.timestamp, undefined, shiftSec)
  const value = typeof raw.value === 'number' && Number.isFinite(raw.value) ? raw.value : undefined
  if (traceId === undefined || times === undefined || value === undefined) return BROKEN
  const { attributes } = readAttributes(
    { [`browser.web_vital.${name}.value`]: name === 'cls' ? value : inMs(value, raw.unit) },
    plainAttributes(raw.attributes),
  )
  return { isBroken: false, vital: asSpan(traceId, hexId(raw.span_id, 16), times.startMs, name, attributes) }
}

/** Counters count how often something happened, which no vital is. */
function vitalNameOf({ name, type }: RawObject): VitalName | undefined {
  if (typeof name !== 'string' || type === 'counter') return undefined
  const found = NAME.exec(name)?.[1]
  return isVitalName(found) ? found : undefined
}

function asSpan(
  traceId: string,
  spanId: string | undefined,
  startMs: number,
  name: VitalName,
  attributes: Span['attributes'],
): Span {
  return {
    traceId,
    spanId: spanId ?? NO_SPAN,
    parentSpanId: '',
    segmentId: hexId(textOf(attributes, 'sentry.segment.id'), 16) ?? '',
    isSegment: false,
    isMetric: true,
    startMs,
    durationMs: 0,
    op: `ui.webvital.${name}`,
    name: textOf(attributes, 'sentry.transaction'),
    status: '',
    origin: '',
    attributes,
    measurements: {},
  }
}
