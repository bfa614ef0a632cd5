/** The way of log lines, from the bytes of their item to rows. Pure: runs on worker threads. */
import { hash } from 'node:crypto'
import { OTLP_LOGS_ITEM, OTLP_PROTOBUF } from '@sonde/protocol/otlp'
import type { CountedReason, Outcome } from '@sonde/protocol/outcome'
import { encodeLogRow, type FilterFields, type OutcomeFields } from '@sonde/stores'
import { parseEventJson } from '../normalize/index.ts'
import { isObject } from '../normalize/read-fields.ts'
import { clockShiftSec } from '../normalize/timestamp.ts'
import type { OtlpLog, OtlpResource } from '../otlp/otlp-request.ts'
import { readOtlpLogsJson } from '../otlp/read-json.ts'
import { readOtlpLogsProtobuf } from '../otlp/read-protobuf.ts'
import type { Count, ProcessedRows } from '../process/processed.ts'
import { scrubEnvelope, scrubLog } from '../scrub/index.ts'
import { factsOfAttributes } from '../spans/facts-of-attributes.ts'
import { programFilterReason, programOf, releasesOfItem } from '../spans/programs.ts'
import { chain, drop, type Stage } from '../stage-runner.ts'
import type { ItemInput } from '../stages/event-input.ts'
import type { Log } from './log.ts'
import { logsOfOtlp, readContainer, withinReach } from './read-logs.ts'

type ReadLogs = ItemInput & { readonly logs: readonly Log[]; readonly outcomes: readonly OutcomeFields[] }

const read: Stage<ItemInput, ReadLogs> = {
  name: 'read logs',
  run(input) {
    const { payload, header, receivedMs, settings } = input
    const shiftSec = clockShiftSec(input.context)
    let found
    if (header.type === OTLP_LOGS_ITEM) {
      const resources = readOtlpLogs(payload, header['content_type'])
      if (resources === undefined) return drop('invalid', 'bad_otlp')
      found = logsOfOtlp(resources, receivedMs, shiftSec)
    } else {
      const parsed = parseEventJson(payload)
      if (!parsed.ok)
        return drop('invalid', parsed.reason === 'too_large' ? 'too_large' : 'bad_json', parsed.detail)
      const raw = parsed.value
      if (!isObject(raw) || !Array.isArray(raw.items)) return drop('invalid', 'bad_payload')
      found = readContainer(raw.items, shiftSec)
    }
    if (found.logs.length === 0) return drop('invalid', 'bad_payload')
    return {
      ...input,
      logs: withinReach(found.logs, receivedMs, settings.retentionDays),
      outcomes: [
        ...ended(input, 'invalid', 'bad_payload', found.lost),
        ...ended(input, 'invalid', 'too_many_items', found.tooMany),
      ],
    }
  },
}

/** The body of a request in either encoding; undefined when it is none. */
export function readOtlpLogs(
  bytes: Uint8Array,
  contentType: unknown,
): readonly OtlpResource<OtlpLog>[] | undefined {
  if (contentType === OTLP_PROTOBUF) return readOtlpLogsProtobuf(bytes)
  const parsed = parseEventJson(bytes)
  return parsed.ok ? readOtlpLogsJson(parsed.value) : undefined
}

const CATEGORY = 'log_item'

function ended<O extends Outcome>(
  { projectId, keyId, receivedMs: atMs }: ItemInput,
  end: O,
  reason: CountedReason<O>,
  quantity: number,
): readonly OutcomeFields[] {
  return quantity === 0
    ? []
    : [{ atMs, projectId, keyId, outcome: end, reason, category: CATEGORY, quantity }]
}

/** An OTLP request may hold lines of several programs, which the project's filters judge one by one. */
const filter: Stage<ReadLogs, ReadLogs> = {
  name: 'filter logs',
  run(input) {
    const { filters } = input.settings
    const programs = [...Map.groupBy(input.logs, programOf).values()].map((logs) => ({
      logs,
      reason: programFilterReason(logs[0], input.envelope, filters),
    }))
    const kept = programs.filter(({ reason }) => reason === undefined)
    if (kept.length === programs.length) return input
    const [first] = programs
    if (kept.length === 0 && first?.reason !== undefined && programs.length === 1)
      return drop('filtered', first.reason)
    const outcomes = programs.flatMap(({ logs, reason }) =>
      reason === undefined ? [] : ended(input, 'filtered', reason, logs.length),
    )
    const left = new Set(kept.flatMap(({ logs }) => logs))
    return {
      ...input,
      logs: input.logs.filter((log) => left.has(log)),
      outcomes: [...input.outcomes, ...outcomes],
    }
  },
}

const scrub: Stage<ReadLogs, ReadLogs> = {
  name: 'scrub logs',
  run(input) {
    const settings = input.settings.scrub
    return {
      ...input,
      envelope: scrubEnvelope(input.envelope, settings),
      logs: input.logs.map((log) => scrubLog(log, settings)),
    }
  },
}

type ProcessedLogs = { readonly item: ProcessedRows; readonly outcomes: readonly OutcomeFields[] }

const encode: Stage<ReadLogs, ProcessedLogs> = {
  name: 'encode logs',
  run({ logs, outcomes, envelope, ...input }) {
    const { partition, position, itemIndex, projectId, keyId, receivedMs } = input
    const origin = { projectId, receivedMs, logPartition: partition, logPosition: position, itemIndex }
    const releases = new Set<string>()
    const lines = logs.map((log, rowIndex) => {
      // Lines are not sampled: each stands for itself, whatever its trace was kept at.
      const facts: FilterFields = { ...factsOfAttributes(log.attributes, envelope), sampleRate: 1 }
      releases.add(facts.release)
      return encodeLogRow({ ...origin, ...facts, ...log, rowIndex })
    })
    const item = {
      position,
      itemIndex,
      projectId,
      keyId,
      // Lines come again only as the very same bytes, when a sender did not see the answer.
      eventId: hash('sha256', input.payload, 'hex').slice(0, 32),
      category: CATEGORY,
      receivedMs,
      timestampMs: Math.round(logs[0]?.timestampMs ?? receivedMs),
      releases: releasesOfItem(releases),
      counts: countsOf(logs),
      rows: lines.length === 0 ? {} : { logs: lines.join('\n') },
    }
    return { item, outcomes }
  },
}

/** `log_byte`: texts of body and attributes with their names, eight for a number. */
function countsOf(logs: readonly Log[]): readonly Count[] {
  if (logs.length === 0) return []
  return [
    { category: CATEGORY, quantity: logs.length },
    { category: 'log_byte', quantity: logs.reduce((sum, log) => sum + bytesOf(log), 0) },
  ]
}

function bytesOf({ body, attributes }: Log): number {
  let bytes = Buffer.byteLength(body)
  for (const key of Object.keys(attributes)) {
    const value = attributes[key]
    bytes += Buffer.byteLength(key) + (typeof value === 'string' ? Buffer.byteLength(value) : 8)
  }
  return bytes
}

export const LOG_STAGES = chain([read, filter, scrub, encode])
