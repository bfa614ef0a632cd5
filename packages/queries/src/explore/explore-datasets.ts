/** What Explore's API can be asked for: one dataset for each kind of rows, all in the same shapes. */
import type { Grant } from '@sonde/access'
import { errorsAlone, EVENT_ROWS } from '../events/event-rows.ts'
import { LOG_ROWS } from '../logs/log-fields.ts'
import { exploreMetrics, exploreMetricSeries } from '../metrics/explore-metrics.ts'
import { FUNCTION_ROWS } from '../profiles/function-fields.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type ExploreSeries, exploreSeries, type ExploreSeriesInput } from './explore-series.ts'
import {
  type ExploreInput,
  exploreSpans,
  type ExploreSubject,
  type ExploreTable,
  SPAN_ROWS,
} from './explore-spans.ts'

type Deps = Pick<QueryDeps, 'records' | 'telemetry' | 'clock'>
type ReadGrant = Grant<'event:read', 'org' | 'project'>

export type ExploreDataset = {
  /** As answers name it; the others are what clients called it before, or call it elsewhere. */
  readonly name: string
  readonly aliases: readonly string[]
  /** When none is asked for. */
  readonly fields: readonly string[]
  /** Both throw `SearchError` and `ExploreError`. */
  readonly table: (deps: Deps, grant: ReadGrant, input: ExploreInput) => Promise<ExploreTable>
  readonly series: (deps: Deps, grant: ReadGrant, input: ExploreSeriesInput) => Promise<ExploreSeries>
}

const of = (subject: ExploreSubject): Pick<ExploreDataset, 'table' | 'series'> => ({
  table: (deps, grant, input) => exploreSpans(deps, grant, input, subject),
  series: (deps, grant, input) => exploreSeries(deps, grant, input, subject),
})

export const EXPLORE_DATASETS: readonly ExploreDataset[] = [
  {
    name: 'errors',
    // What Sentry calls `discover`, and takes for granted, has transactions too: here those are spans.
    aliases: ['', 'error', 'discover'],
    fields: ['id', 'title', 'project', 'timestamp'],
    table: (deps, grant, input) => exploreSpans(deps, grant, errorsAlone(input), EVENT_ROWS),
    series: (deps, grant, input) => exploreSeries(deps, grant, errorsAlone(input), EVENT_ROWS),
  },
  {
    name: 'spans',
    aliases: ['spansIndexed', 'spansMetrics'],
    fields: ['id', 'span.op', 'span.description', 'span.duration', 'transaction', 'timestamp', 'trace'],
    ...of(SPAN_ROWS),
  },
  {
    name: 'ourlogs',
    aliases: ['logs'],
    fields: ['id', 'timestamp', 'severity', 'message', 'trace'],
    ...of(LOG_ROWS),
  },
  {
    name: 'tracemetrics',
    aliases: ['metrics'],
    fields: ['timestamp', 'metric.name', 'metric.type', 'metric.unit', 'value', 'trace'],
    table: exploreMetrics,
    series: exploreMetricSeries,
  },
  {
    name: 'profile_functions',
    aliases: ['profileFunctions'],
    fields: ['function', 'package', 'count()', 'p75(function.duration)', 'sum(function.duration)'],
    ...of(FUNCTION_ROWS),
  },
]
