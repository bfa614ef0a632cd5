/** Names of what a point of a metric has, as searches and Sentry's public API say them; every other name is an attribute. */
import { ExploreError, type Narrowing } from '../explore/bounded-query.ts'
import type { ExploreSubject } from '../explore/explore-spans.ts'
import type { SearchSubject } from '../explore/span-conditions.ts'
import { SHARED_FIELDS, type SpanField } from '../explore/span-fields.ts'
import type { KnownKey, SuggestSubject } from '../explore/span-suggestions.ts'

const text = (sql: string): SpanField => ({ kind: 'text', sql })
const TRACE = text('trace_id')

const FIELDS: ReadonlyMap<string, SpanField> = new Map([
  ['metric.name', text('name')],
  ['metric.type', text('type')],
  ['metric.unit', text('unit')],
  ['value', { kind: 'number', sql: 'value' }],
  ['trace', TRACE],
  ['trace_id', TRACE],
  ['span_id', text('span_id')],
  ...SHARED_FIELDS,
])

export const metricFieldOf = (name: string, isTag = false): SpanField | undefined =>
  isTag ? undefined : FIELDS.get(name)

/** Text alone is looked for in names. */
export const METRIC_SEARCH: SearchSubject = {
  fieldOf: metricFieldOf,
  textCondition: (pattern, bind) => `name ILIKE ${bind(pattern)}`,
}

export const FEWER_POINTS: Narrowing = {
  what: 'points',
  hint: 'Choose a shorter time, or narrow by an attribute.',
}

const COUNTED = new Set(['count()', 'count(value)', 'count(metric.name)'])

/** Single points, and how many there are: what they add up to depends on the type of their metric. */
export const METRIC_ROWS: ExploreSubject = {
  ...METRIC_SEARCH,
  table: 'metrics',
  narrowing: FEWER_POINTS,
  ties: ['name', 'series', 'log_partition', 'log_position', 'item_index', 'row_index'],
  measured: { fieldOf: metricFieldOf, duration: 'value', each: '1', weight: '1' },
  measureOf(written) {
    if (COUNTED.has(written)) return 'count()'
    throw new ExploreError(
      `"${written}" cannot be computed of metrics`,
      'Name the metric with its type and unit, like sum(value,orders,counter,none), or ask for count().',
    )
  },
}

const KEYS: readonly KnownKey[] = [
  { key: 'metric.name', kind: 'text', description: 'Whole name; words alone are looked for anywhere in it' },
  { key: 'metric.type', kind: 'choice', description: 'counter, gauge, distribution, histogram, summary' },
  { key: 'metric.unit', kind: 'text', description: 'As it was sent: s, By, millisecond' },
  { key: 'has', kind: 'key', description: 'The attribute is set at all' },
  { key: 'release', kind: 'text', description: 'Release that sent it' },
  { key: 'environment', kind: 'text', description: 'Where it ran: production, staging, …' },
  { key: 'platform', kind: 'text', description: 'Language or runtime' },
  { key: 'value', kind: 'number', description: 'Of a single point, like >100' },
  { key: 'trace', kind: 'text', description: 'Trace id of an exemplar or measurement' },
  { key: 'user', kind: 'text', description: 'A user, like id:42' },
  { key: 'browser', kind: 'text', description: 'Name of the browser' },
  { key: 'os', kind: 'text', description: 'Operating system' },
  { key: 'sdk.name', kind: 'text', description: 'SDK that sent it' },
  { key: 'sdk.version', kind: 'text', description: 'Its version' },
]

export const METRIC_SUGGESTIONS: SuggestSubject = {
  table: 'metrics',
  fieldOf: metricFieldOf,
  keys: KEYS,
  fixed: new Map([
    [
      'metric.type',
      [
        { value: 'counter', description: 'Counts that only grow' },
        { value: 'gauge', description: 'Levels that go up and down' },
        { value: 'distribution', description: 'Single measurements' },
        { value: 'histogram', description: 'Counts of measurements in buckets' },
        { value: 'summary', description: 'Quantiles that the sender computed' },
      ],
    ],
  ]),
  notOffered: new Set(['trace', 'trace_id', 'span_id', 'timestamp', 'value']),
}
