/**
 * Lines out of a container of logs (https://develop.sentry.dev/sdk/telemetry/logs/) or of an OTLP request. What a person
 * wrote is kept as it is; what is longer than a line can be is cut, and the line says so.
 */
import { hexId } from '../normalize/contexts.ts'
import { cleanText, cutText, isObject, lenientNumber, lenientText } from '../normalize/read-fields.ts'
import { parseTimestamp, unreachableByMs } from '../normalize/timestamp.ts'
import type { OtlpLog, OtlpResource } from '../otlp/otlp-request.ts'
import { aroundItems } from '../otlp/semantics.ts'
import { numberOf, plainAttributes, type ReadAttributes, readAttributes } from '../spans/attributes.ts'
import { REMARK_ATTRIBUTE } from '../spans/span.ts'
import { type Log, severityOf } from './log.ts'

// Four times what a browser prints of a message; a stack of 100 frames fits twice.
const MAX_BODY = 32_768
// As many as an OTLP request may hold. SDKs send 100 at once.
const MAX_LOGS = 10_000

/** `lost`: no lines. `tooMany`: behind the last that an item may hold. */
export type FoundLogs = { readonly logs: readonly Log[]; readonly lost: number; readonly tooMany: number }

export function readContainer(items: readonly unknown[], shiftSec: number): FoundLogs {
  const looked = items.slice(0, MAX_LOGS)
  const logs = looked.flatMap((raw) => readLog(raw, shiftSec) ?? [])
  return { logs, lost: looked.length - logs.length, tooMany: items.length - looked.length }
}

/** Undefined: without a text and a time it is no line. */
function readLog(raw: unknown, shiftSec: number): Log | undefined {
  if (!isObject(raw)) return undefined
  const seconds = parseTimestamp(raw.timestamp)
  const body = lenientText(raw.body)
  if (seconds === undefined || body === undefined) return undefined
  return toLog({
    traceId: raw.trace_id,
    spanId: raw.span_id,
    timestampMs: (seconds + shiftSec) * 1000,
    severityNumber: lenientNumber(raw.severity_number),
    severityText: lenientText(raw.level) ?? lenientText(raw.severity_text) ?? '',
    body,
    read: readAttributes(plainAttributes(raw.attributes)),
  })
}

/** Without a time of its own a record is of when it was seen, or came. */
export function logsOfOtlp(
  resources: readonly OtlpResource<OtlpLog>[],
  receivedMs: number,
  shiftSec: number,
): FoundLogs {
  const logs: Log[] = []
  let lost = 0
  for (const resource of resources)
    for (const scope of resource.scopes) {
      const around = aroundItems(scope, resource)
      for (const raw of scope.items) {
        if (raw === undefined) {
          lost++
          continue
        }
        const { eventName, severityText } = raw
        const own = {
          ...(eventName !== '' && { 'event.name': eventName }),
          ...(severityText !== '' && { 'otel.severity_text': severityText }),
        }
        const read = readAttributes(own, raw.attributes, around.attributes)
        const writtenMs = raw.atMs ?? raw.observedMs
        logs.push(
          toLog({
            ...raw,
            timestampMs: writtenMs === undefined ? receivedMs : writtenMs + shiftSec * 1000,
            body: bodyText(raw.body),
            read: { ...read, cut: read.cut || around.cut },
          }),
        )
      }
    }
  return { logs, lost, tooMany: 0 }
}

const bodyText = (body: unknown): string =>
  typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)

type Parts = Pick<OtlpLog, 'traceId' | 'spanId' | 'severityNumber' | 'severityText'> &
  Pick<Log, 'timestampMs' | 'body'> & { readonly read: ReadAttributes }

const MAX_SEQUENCE = 0xffff_ffff

function toLog({ traceId, spanId, severityNumber, severityText, timestampMs, body, read }: Parts): Log {
  const { attributes, cut } = read
  const sequence = Math.trunc(numberOf(attributes, 'sentry.timestamp.sequence') ?? 0)
  const kept = cutText(cleanText(body), MAX_BODY)
  const remark = body.length > MAX_BODY ? 'body_cut' : cut ? 'attributes_cut' : undefined
  return {
    traceId: hexId(traceId, 32) ?? '',
    // SDKs that have no member for it say the active span in an attribute.
    spanId: hexId(spanId, 16) ?? hexId(attributes['sentry.trace.parent_span_id'], 16) ?? '',
    timestampMs,
    sequence: sequence > 0 && sequence <= MAX_SEQUENCE ? sequence : 0,
    ...severityOf(severityNumber, severityText),
    body: kept,
    attributes: remark === undefined ? attributes : { ...attributes, [REMARK_ATTRIBUTE]: remark },
  }
}

/** The last line of an item was written as it was received, where the sender's clock is no use. */
export function withinReach(logs: readonly Log[], receivedMs: number, retentionDays: number): readonly Log[] {
  const lastMs = logs.reduce((last, { timestampMs }) => Math.max(last, timestampMs), 0)
  const aheadMs = unreachableByMs(lastMs, receivedMs, retentionDays)
  return aheadMs === 0 ? logs : logs.map((log) => ({ ...log, timestampMs: log.timestampMs - aheadMs }))
}
