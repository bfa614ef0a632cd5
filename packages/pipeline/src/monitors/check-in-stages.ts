/**
 * The way of check-ins of monitors, from the bytes of their item to a row. Pure: runs on worker threads.
 * https://develop.sentry.dev/sdk/telemetry/check-ins/
 */
import { hash } from 'node:crypto'
import { normalizeEventId } from '@sonde/protocol/event-id'
import { type CronArrival, encodeCheckInRow, type OutcomeFields } from '@sonde/stores'
import { parseEventJson } from '../normalize/index.ts'
import { createRemarks, rootScope } from '../normalize/meta-remarks.ts'
import { isObject, lenientNumber, lenientText, type RawObject } from '../normalize/read-fields.ts'
import { readReleaseFields } from '../normalize/release.ts'
import type { ProcessedRows } from '../process/processed.ts'
import { chain, drop, type Stage } from '../stage-runner.ts'
import type { ItemInput } from '../stages/event-input.ts'

type ParsedCheckIn = ItemInput & { readonly raw: RawObject }
type EncodedCheckIn = { readonly item: ProcessedRows; readonly outcomes: readonly OutcomeFields[] }

const parse: Stage<ItemInput, ParsedCheckIn> = {
  name: 'parse check-in',
  run(input) {
    const parsed = parseEventJson(input.payload)
    if (!parsed.ok)
      return drop('invalid', parsed.reason === 'too_large' ? 'too_large' : 'bad_json', parsed.detail)
    return isObject(parsed.value) ? { ...input, raw: parsed.value } : drop('invalid', 'bad_payload')
  },
}

const isStatus = (text: string): text is CronArrival['status'] =>
  text === 'ok' || text === 'in_progress' || text === 'error'
/** As ingest allows in keys of records. */
const MAX_ENVIRONMENT = 64
const MAX_DURATION_SEC = 366 * 86_400
const MAX_SDK_CHARS = 100
/** Upstream's is a dozen short fields; longer ones are of something else. */
const MAX_CONFIG_CHARS = 4_096

const encode: Stage<ParsedCheckIn, EncodedCheckIn> = {
  name: 'encode check-in',
  run(input) {
    const {
      partition: logPartition,
      position,
      itemIndex,
      projectId,
      keyId,
      receivedMs,
      raw,
      envelope,
    } = input
    const monitorSlug = slugOf(lenientText(raw.monitor_slug) ?? '')
    const checkInId = normalizeEventId(raw.check_in_id)
    if (monitorSlug === '' || checkInId === undefined) return drop('invalid', 'bad_payload')
    const { release = '', environment = 'production' } = readReleaseFields(rootScope(createRemarks()), raw)
    const status = lenientText(raw.status) ?? ''
    const duration = raw.duration === null ? Number.NaN : lenientNumber(raw.duration)
    const config = isObject(raw.monitor_config) ? JSON.stringify(raw.monitor_config) : ''
    const sdkName = envelope.sdk?.name ?? envelope.sdkClient?.split('/')[0] ?? ''
    const sentConfig = config.length <= MAX_CONFIG_CHARS ? config : ''
    const durationMs = duration >= 0 && duration < MAX_DURATION_SEC ? duration * 1000 : undefined
    const traceId = traceOf(raw)
    const row = encodeCheckInRow({
      projectId,
      receivedMs,
      logPartition,
      logPosition: position,
      itemIndex,
      monitorSlug,
      environment,
      checkInId,
      status: isStatus(status) ? status : 'unknown',
      durationMs,
      release,
      traceId,
      sdkName: sdkName.slice(0, MAX_SDK_CHARS),
      monitorConfig: sentConfig,
    })
    return {
      item: {
        position,
        itemIndex,
        projectId,
        keyId,
        eventId: repeatIdOf(input),
        category: 'monitor',
        receivedMs,
        timestampMs: receivedMs,
        releases: release === '' ? [] : [release],
        counts: [{ category: 'monitor', quantity: 1 }],
        rows: { check_ins: row },
        ...(isStatus(status) && {
          checkIn: {
            slug: monitorSlug,
            environment: environment.slice(0, MAX_ENVIRONMENT),
            checkInId,
            status,
            ...(durationMs !== undefined && { durationMs }),
            release,
            traceId,
            config: sentConfig,
          },
        }),
      },
      outcomes: [],
    }
  },
}

const MAX_SLUG = 50

/** As upstream does: lower case, `[a-z0-9_-]`, whatever else stands between becomes one hyphen, 50 characters. */
function slugOf(name: string): string {
  let slug = ''
  for (const letter of name.toLowerCase()) {
    if (slug.length === MAX_SLUG) break
    const isKept = (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9') || letter === '_'
    if (isKept) slug += letter
    else if (slug !== '' && !slug.endsWith('-')) slug += '-'
  }
  return slug.endsWith('-') ? slug.slice(0, -1) : slug
}

function traceOf({ contexts }: RawObject): string {
  const trace = isObject(contexts) ? contexts.trace : undefined
  return (isObject(trace) ? normalizeEventId(trace.trace_id) : undefined) ?? ''
}

/** A run that names itself by zeros says the same each time; when its envelope was sent tells two of them apart. */
function repeatIdOf({ payload, context, receivedMs }: ItemInput): string {
  const sent = context.sentAtMs ?? receivedMs
  return hash('sha256', `check-in ${hash('sha256', payload, 'hex')} ${sent}`, 'hex').slice(0, 32)
}

export const CHECK_IN_STAGES = chain([parse, encode])
