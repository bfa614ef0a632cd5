/**
 * The kinds of items that have no issue: which stages each goes through, from the bytes of the item to rows of telemetry
 * tables. A new kind of data is an entry here, its table in `ROW_TABLES` (packages/stores/src/telemetry/tables), and
 * `handling: 'stored'` in `ITEM_KINDS` (packages/protocol/src/item-kinds.ts).
 */
import type { ItemType } from '@sonde/protocol/item-kinds'
import type { OutcomeFields } from '@sonde/stores'
import { LOG_STAGES } from '../logs/log-stages.ts'
import { isMissingFiles, type MissingFiles } from '../maps/file-requests.ts'
import { METRIC_STAGES } from '../metrics/metric-stages.ts'
import { CHECK_IN_STAGES } from '../monitors/check-in-stages.ts'
import { PROFILE_STAGES } from '../profiles/profile-stages.ts'
import { processReplayVideo } from '../replays/process-replay-video.ts'
import { RECORDING_STAGES, REPLAY_EVENT_STAGES } from '../replays/replay-stages.ts'
import { SESSION_STAGES } from '../sessions/session-stages.ts'
import { spansThatEnd } from '../spans/span-outcomes.ts'
import { SPAN_STAGES } from '../spans/span-stages.ts'
import { type Dropped, isDropped, type StageTimes } from '../stage-runner.ts'
import type { ItemInput } from '../stages/event-input.ts'
import { otlpExceptions } from './otlp-exceptions.ts'
import type { ProcessedEvent, ProcessedRows } from './processed.ts'

/** `outcomes`: of what ended in the stages. What `item` counts ends when it is committed. */
export type RowsResult = {
  readonly item: ProcessedRows
  readonly outcomes: readonly OutcomeFields[]
  /** Events that nobody sent: what detectors found in it. */
  readonly found?: readonly ProcessedEvent[]
}
type RowStages = (input: ItemInput, times: StageTimes) => RowsResult | Dropped | MissingFiles

const spans = (input: ItemInput, times: StageTimes): RowsResult | Dropped => {
  const result = SPAN_STAGES.run(input, times)
  return isDropped(result)
    ? result
    : { item: result.item, outcomes: spansThatEnd(result), found: result.found }
}

/** Vitals among them are rows of their pages; all end as one item. */
const metrics: RowStages = (input, times) => {
  const result = METRIC_STAGES.run(input, times)
  if (isDropped(result) || result.vitals === 0) return result
  const { item, outcomes } = result
  const vitals = spans(input, times)
  if (isDropped(vitals)) {
    const { projectId, keyId, receivedMs: atMs, category } = item
    const end = { atMs, projectId, keyId, ...vitals.dropped, category, quantity: result.vitals }
    return { item, outcomes: [...outcomes, end] }
  }
  const quantity = [...item.counts, ...vitals.item.counts].reduce((sum, each) => sum + each.quantity, 0)
  return {
    item: {
      ...item,
      releases: [...new Set([...item.releases, ...vitals.item.releases])],
      counts: quantity === 0 ? [] : [{ category: item.category, quantity }],
      rows: { ...item.rows, ...vitals.item.rows },
    },
    outcomes: [...outcomes, ...vitals.outcomes],
  }
}

const logs: RowStages = (input, times) => LOG_STAGES.run(input, times)
/** With an error event for each exception that it tells of. */
const withExceptions =
  (stages: RowStages): RowStages =>
  (input, times) => {
    const result = stages(input, times)
    if (isDropped(result) || isMissingFiles(result)) return result
    const thrown = otlpExceptions(input, times)
    if (isMissingFiles(thrown)) return thrown
    return {
      ...result,
      outcomes: [...result.outcomes, ...thrown.outcomes],
      found: [...(result.found ?? []), ...thrown.found],
    }
  }

const sessions: RowStages = (input, times) => SESSION_STAGES.run(input, times)

const profiles: RowStages = (input, times) => PROFILE_STAGES.run(input, times)
const replayEvents: RowStages = (input, times) => REPLAY_EVENT_STAGES.run(input, times)
const recordings: RowStages = (input, times) => RECORDING_STAGES.run(input, times)
const checkIns: RowStages = (input, times) => CHECK_IN_STAGES.run(input, times)

const ROW_ITEMS: { readonly [Type in ItemType]?: RowStages } = {
  transaction: spans,
  span: spans,
  trace_metric: metrics,
  otel_metrics_data: metrics,
  otel_traces_data: withExceptions(spans),
  log: logs,
  otel_logs_data: withExceptions(logs),
  session: sessions,
  sessions,
  profile: profiles,
  profile_chunk: profiles,
  profile_chunk_ui: profiles,
  replay_event: replayEvents,
  replay_recording: recordings,
  replay_video: processReplayVideo,
  check_in: checkIns,
}

/** Undefined: its items become events, or are counted. */
export const rowStagesOf = (type: string): RowStages | undefined =>
  Object.hasOwn(ROW_ITEMS, type) ? ROW_ITEMS[type as ItemType] : undefined
