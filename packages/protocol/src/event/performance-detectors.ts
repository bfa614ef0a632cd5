/**
 * The detectors of performance issues: what each looks for, what a project may set, and what helps against what it finds.
 * Types and defaults are Sentry's where it has the detector (https://docs.sentry.io/product/issues/issue-details/performance-issues/).
 */
import { STUCK_AFTER_MS } from '../navigation.ts'
import { PERFORMANCE_TYPES, type PerformanceType } from './issue-category.ts'

export type Threshold = {
  /** In the API and in the settings' JSON. */
  readonly key: string
  readonly label: string
  readonly unit: 'ms' | 'bytes' | 'count'
  readonly value: number
  readonly min: number
  readonly max: number
}
export type DetectorInfo = {
  readonly name: string
  readonly when: string
  /** Two sentences at most. */
  readonly advice: string
  readonly thresholds: readonly Threshold[]
}

// Longer than any request that somebody waits for.
const MAX_MS = 600_000
const ms = (key: string, label: string, value: number, min = 1): Threshold => ({
  key,
  label,
  unit: 'ms',
  value,
  min,
  max: MAX_MS,
})
const count = (key: string, label: string, value: number): Threshold => ({
  key,
  label,
  unit: 'count',
  value,
  // One alone is no repetition.
  min: 2,
  max: 1000,
})
const bytes = (key: string, label: string, value: number): Threshold => ({
  key,
  label,
  unit: 'bytes',
  value,
  min: 1024,
  max: 1024 ** 3,
})

export const DETECTORS: { readonly [Type in PerformanceType]: DetectorInfo } = {
  performance_n_plus_one_db_queries: {
    name: 'N+1 Query',
    when: 'SELECTs that differ in values alone, under one parent, one after the other.',
    advice:
      'Load all rows with one query: a JOIN, WHERE … IN (…), or the preload option of your ORM. Then look at the trace again: the queries should be one.',
    thresholds: [count('min_count', 'Queries', 5), ms('min_total_ms', 'Total duration', 50)],
  },
  performance_n_plus_one_api_calls: {
    name: 'N+1 API Call',
    when: 'Requests to the same address but for ids and query, under one parent, one after the other.',
    advice:
      'Ask for all of them with one request, if the API takes a list of ids. Otherwise send the requests at the same time.',
    thresholds: [count('min_count', 'Requests', 10), ms('min_total_ms', 'Total duration', 300)],
  },
  performance_slow_db_query: {
    name: 'Slow DB Query',
    when: 'One query takes long.',
    advice:
      'Run it with EXPLAIN and look for a scan of a whole table: an index on the columns of WHERE and ORDER BY usually helps. Select only the columns and rows that are used.',
    thresholds: [ms('min_duration_ms', 'Duration', 1000)],
  },
  performance_large_http_payload: {
    name: 'Large HTTP payload',
    when: 'One answer is large.',
    advice:
      'Return fewer fields and page the list. Check that the answer is compressed (Content-Encoding: br or gzip).',
    thresholds: [bytes('min_bytes', 'Size of the answer', 1024 * 1024)],
  },
  performance_render_blocking_asset_span: {
    name: 'Large Render Blocking Asset',
    when: 'A script or style sheet blocks the first rendering.',
    advice:
      'Load the script with defer or async, or the style sheet that is not needed at once after the first rendering. Split what is needed from what is not.',
    thresholds: [ms('min_duration_ms', 'Duration', 500)],
  },
  performance_consecutive_db_queries: {
    name: 'Consecutive DB Queries',
    when: 'Different SELECTs run one after the other under one parent, and those without WHERE need no answer of another.',
    advice:
      'Start the queries that need no answer of another at the same time (Promise.all, asyncio.gather), each on its own connection. Or join them into one.',
    thresholds: [
      count('min_count', 'Different queries', 2),
      ms('min_saved_ms', 'Time that could be saved', 100),
    ],
  },
  performance_consecutive_http: {
    name: 'Consecutive HTTP',
    when: 'Different requests are sent one after the other under one parent, each of them slow.',
    advice:
      'Send the requests that need no answer of another at the same time (Promise.all, asyncio.gather). Where one needs another’s answer, let the server combine them.',
    thresholds: [
      count('min_count', 'Requests', 3),
      ms('min_duration_ms', 'Duration of each', 500),
      ms('min_saved_ms', 'Time that could be saved', 2000),
    ],
  },
  performance_uncompressed_assets: {
    name: 'Uncompressed Asset',
    when: 'A script or style sheet is as large on the wire as in memory, and takes long.',
    advice:
      'Compress text on the server or in the CDN (Content-Encoding: br or gzip). Check that the type of the file is on its list of types to compress.',
    thresholds: [bytes('min_bytes', 'Size', 500 * 1024), ms('min_duration_ms', 'Duration', 300)],
  },
  performance_slow_page_data: {
    name: 'Slow Page Data',
    when: 'A navigation waits long for the data of the page.',
    advice:
      'Start what the page loads at the same time, and cache or prefetch what many visitors ask for. The trace shows which request of the server took the time.',
    thresholds: [ms('min_duration_ms', 'Wait for page data', 1000)],
  },
  performance_hung_navigation: {
    name: 'Route load hangs',
    when: 'A navigation is still under way after a long wait, runs into its time limit, or is left by the person meanwhile.',
    advice:
      'Give the request that is named here a time limit, and let the route show an error or what it has when it ends. Nothing on the network means a promise of the page itself: look for one that no branch resolves.',
    thresholds: [ms('min_duration_ms', 'Wait', STUCK_AFTER_MS, 1000)],
  },
  performance_long_animation_frame: {
    name: 'Long Animation Frame',
    when: 'One frame keeps the main thread busy for long: nothing that is pressed is answered meanwhile.',
    advice:
      'Split the work into tasks of less than 50 ms (scheduler.yield), or move it to a worker. The profile of the page, or the script named here, says which work it was.',
    thresholds: [ms('min_duration_ms', 'Duration', 500, 50)],
  },
  performance_layout_thrashing: {
    name: 'Layout Thrashing',
    when: 'The script of a long frame makes the browser compute styles and layout again and again while it runs.',
    advice:
      'Read sizes and positions (offsetHeight, getBoundingClientRect) before you write styles: the other way round forces a layout each time. Batch the writes in one requestAnimationFrame.',
    thresholds: [ms('min_forced_ms', 'Forced style and layout', 100)],
  },
}

export type DetectorRule = { readonly isOn: boolean; readonly thresholds: Readonly<Record<string, number>> }
/** What a project changed. A detector that is missing is on, a threshold that is missing as by default. */
export type DetectorRules = { readonly [Type in PerformanceType]?: DetectorRule }

export const isPerformanceType = (text: string): text is PerformanceType =>
  (PERFORMANCE_TYPES as readonly string[]).includes(text)

/** From JSON. Never throws: what makes no sense is as by default. In the order of the types, so that equal rules are equal text. */
export function detectorRulesFrom(stored: unknown): DetectorRules {
  const given = fieldsOf(stored)
  return Object.fromEntries(
    PERFORMANCE_TYPES.flatMap((type) => {
      const { isOn, thresholds } = fieldsOf(given[type])
      const numbers = fieldsOf(thresholds)
      const changed = DETECTORS[type].thresholds.flatMap(({ key, value, min, max }) => {
        const own = numbers[key]
        const isGood = typeof own === 'number' && own >= min && own <= max && own !== value
        return isGood ? [[key, own] as const] : []
      })
      if (isOn !== false && changed.length === 0) return []
      return [[type, { isOn: isOn !== false, thresholds: Object.fromEntries(changed) }]]
    }),
  )
}

/** What is in force; undefined: the detector is off. */
export function thresholdsOf(
  rules: DetectorRules,
  type: PerformanceType,
): Readonly<Record<string, number>> | undefined {
  const rule = rules[type]
  if (rule?.isOn === false) return undefined
  return Object.fromEntries(
    DETECTORS[type].thresholds.map(({ key, value }) => [key, rule?.thresholds[key] ?? value]),
  )
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
