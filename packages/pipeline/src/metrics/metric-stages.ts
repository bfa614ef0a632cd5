/** The way of metrics, from the bytes of their item to rows. Pure: runs on worker threads. */
import { hash } from 'node:crypto'
import { OTLP_METRICS_ITEM, OTLP_PROTOBUF } from '@sonde/protocol/otlp'
import type { CountedReason, Outcome } from '@sonde/protocol/outcome'
import { encodeMetricRow, type FilterFields, type OutcomeFields } from '@sonde/stores'
import { parseEventJson } from '../normalize/index.ts'
import { isObject } from '../normalize/read-fields.ts'
import { clockShiftSec } from '../normalize/timestamp.ts'
import type { OtlpMetric } from '../otlp/otlp-metrics.ts'
import type { OtlpResource } from '../otlp/otlp-request.ts'
import { readOtlpMetricsJson } from '../otlp/read-metrics-json.ts'
import { readOtlpMetricsProtobuf } from '../otlp/read-metrics-protobuf.ts'
import type { ProcessedRows } from '../process/processed.ts'
import { scrubAttributes, scrubEnvelope } from '../scrub/index.ts'
import { factsOfAttributes } from '../spans/facts-of-attributes.ts'
import { programFilterReason, programOf, releasesOfItem } from '../spans/programs.ts'
import { chain, drop, type Stage } from '../stage-runner.ts'
import type { ItemInput } from '../stages/event-input.ts'
import type { Metric } from './metric.ts'
import { metricsOfOtlp, readContainer, withinReach } from './read-metrics.ts'

type ReadMetrics = ItemInput & {
  readonly metrics: readonly Metric[]
  readonly vitals: number
  readonly outcomes: readonly OutcomeFields[]
}

const read: Stage<ItemInput, ReadMetrics> = {
  name: 'read metrics',
  run(input) {
    const { payload, header, receivedMs, settings } = input
    const shiftSec = clockShiftSec(input.context)
    let found
    if (header.type === OTLP_METRICS_ITEM) {
      const resources = readOtlpMetrics(payload, header['content_type'])
      if (resources === undefined) return drop('invalid', 'bad_otlp')
      found = metricsOfOtlp(resources, receivedMs, shiftSec)
    } else {
      const parsed = parseEventJson(payload)
      if (!parsed.ok)
        return drop('invalid', parsed.reason === 'too_large' ? 'too_large' : 'bad_json', parsed.detail)
      const raw = parsed.value
      if (!isObject(raw) || !Array.isArray(raw.items)) return drop('invalid', 'bad_payload')
      found = readContainer(raw.items, shiftSec)
    }
    const { metrics, empty, vitals } = found
    if (metrics.length + empty + vitals === 0) return drop('invalid', 'bad_payload')
    return {
      ...input,
      metrics: withinReach(metrics, receivedMs, settings.retentionDays),
      vitals,
      outcomes: [
        ...ended(input, 'invalid', 'bad_payload', found.lost),
        ...ended(input, 'invalid', 'too_many_items', found.tooMany),
        ...takenWithoutRow(input, empty),
      ],
    }
  },
}

/** The body of a request in either encoding; undefined when it is none. */
function readOtlpMetrics(
  bytes: Uint8Array,
  contentType: unknown,
): readonly OtlpResource<OtlpMetric>[] | undefined {
  if (contentType === OTLP_PROTOBUF) return readOtlpMetricsProtobuf(bytes)
  const parsed = parseEventJson(bytes)
  return parsed.ok ? readOtlpMetricsJson(parsed.value) : undefined
}

const CATEGORY = 'trace_metric'

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

/** Points that say that nothing was recorded. */
const takenWithoutRow = (
  { projectId, keyId, receivedMs: atMs }: ItemInput,
  quantity: number,
): readonly OutcomeFields[] =>
  quantity === 0
    ? []
    : [{ atMs, projectId, keyId, outcome: 'accepted', reason: '', category: CATEGORY, quantity }]

/** An OTLP request may hold metrics of several programs, which the project's filters judge one by one. */
const filter: Stage<ReadMetrics, ReadMetrics> = {
  name: 'filter metrics',
  run(input) {
    const { filters } = input.settings
    const outcomes = [...input.outcomes]
    const metrics: Metric[] = []
    for (const program of Map.groupBy(input.metrics, programOf).values()) {
      const reason = programFilterReason(program[0], input.envelope, filters)
      if (reason === undefined) metrics.push(...program)
      else outcomes.push(...ended(input, 'filtered', reason, program.length))
    }
    return { ...input, metrics, outcomes }
  },
}

const scrub: Stage<ReadMetrics, ReadMetrics> = {
  name: 'scrub metrics',
  run(input) {
    const settings = input.settings.scrub
    return {
      ...input,
      envelope: scrubEnvelope(input.envelope, settings),
      metrics: input.metrics.map((metric) => scrubAttributes(metric, settings)),
    }
  },
}

/** `vitals`: how many of the item's metrics are read as such. */
type ProcessedMetrics = {
  readonly item: ProcessedRows
  readonly outcomes: readonly OutcomeFields[]
  readonly vitals: number
}

const encode: Stage<ReadMetrics, ProcessedMetrics> = {
  name: 'encode metrics',
  run({ metrics, vitals, outcomes, envelope, ...input }) {
    const { partition, position, itemIndex, projectId, keyId, receivedMs } = input
    const origin = { projectId, receivedMs, logPartition: partition, logPosition: position, itemIndex }
    const releases = new Set<string>()
    const allSeries: string[] = []
    const lines = metrics.map((metric, rowIndex) => {
      // Each stands for itself, whatever its trace was kept at.
      const facts: FilterFields = { ...factsOfAttributes(metric.attributes, envelope), sampleRate: 1 }
      releases.add(facts.release)
      const series = metric.isSeries ? seriesOf(metric) : ''
      allSeries.push(series)
      return encodeMetricRow({ ...origin, ...facts, ...metric, series, rowIndex })
    })
    const item: ProcessedRows = {
      position,
      itemIndex,
      projectId,
      keyId,
      // Metrics come again only as the very same bytes, when a sender did not see the answer.
      eventId: hash('sha256', input.payload, 'hex').slice(0, 32),
      category: CATEGORY,
      receivedMs,
      timestampMs: Math.round(metrics[0]?.timestampMs ?? receivedMs),
      releases: releasesOfItem(releases),
      counts: metrics.length === 0 ? [] : [{ category: CATEGORY, quantity: metrics.length }],
      rows: lines.length === 0 ? {} : { metrics: lines.join('\n') },
      ...(allSeries.some((each) => each !== '') && { series: allSeries }),
    }
    return { item, outcomes, vitals }
  },
}

/** Two points are of one series when everything but time and value is the same. */
function seriesOf({ name, type, unit, temporality, attributes }: Metric): string {
  const pairs = Object.entries(attributes).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return hash('sha256', JSON.stringify([name, type, unit, temporality, pairs]), 'hex').slice(0, 16)
}

export const METRIC_STAGES = chain([read, filter, scrub, encode])
