/** Which number a metric alert rule watches: Sentry's dataset and aggregate, our source and measure. Pure. */
import type { MetricRule } from '@sonde/alerts'
import { METRIC_SOURCES } from '@sonde/queries/contract'
import { refuse } from './form.ts'

type Metric = MetricRule['metric']

export type MetricQuery = {
  readonly dataset: string
  readonly aggregate: string
  readonly query: string
}

const TRANSACTION_DATASETS: readonly string[] = ['transactions', 'generic_metrics', 'metrics']
const SPAN_DATASETS: readonly string[] = ['events_analytics_platform', 'spans']
/** What Sentry has no data set for: `sonde.navigations`. */
const OURS = 'sonde.'

/** Without what the data set says already. */
const EVENT_TYPE = /(?:^|\s)\(?(?:event\.type:(?:error|default|transaction)(?:\s+OR\s+)?)+\)?(?=\s|$)/g

/** Throws `InvalidInput`. `eventTypes`: of the data set `events` alone. */
export function readMetricQuery(
  { dataset, aggregate, query }: MetricQuery,
  eventTypes: readonly string[],
): Metric {
  const search = query
    .replaceAll(EVENT_TYPE, ' ')
    .replaceAll(/^\s*AND\s|\s+/g, ' ')
    .trim()
  if (dataset.startsWith(OURS)) {
    const source = METRIC_SOURCES.find((each) => each === dataset.slice(OURS.length))
    return source
      ? { source, measure: aggregate, search: query }
      : refuse('dataset', `${dataset} is not known`)
  }
  if (/^percentage\((?:sessions|users)_crashed,/.test(aggregate))
    refuse(
      'aggregate',
      `${aggregate} is not supported: with "dataset": "${OURS}sessions" it is crash_free_rate(session) or crash_free_rate(user), and thresholds are shares (0.99)`,
    )
  const vital = /^p75\(measurements\.(lcp|inp|cls|fcp|ttfb)\)$/.exec(aggregate)?.[1]
  if (vital !== undefined) return { source: 'vitals', measure: `p75(${vital})`, search }
  if (aggregate.includes('measurements.'))
    refuse(
      'aggregate',
      `${aggregate} is not supported: of web vitals it is p75(measurements.lcp), inp, cls, fcp or ttfb`,
    )
  if (dataset === 'events' && !isOfTransactions(eventTypes)) {
    const measure = ERROR_AGGREGATES.get(aggregate)
    return measure === undefined
      ? refuse('aggregate', `${aggregate} of errors is not supported: it is count() or count_unique(user)`)
      : { source: 'errors', measure, search }
  }
  if (SPAN_DATASETS.includes(dataset)) return { source: 'spans', measure: measureOf(aggregate), search }
  if (dataset === 'events' || TRANSACTION_DATASETS.includes(dataset))
    return {
      source: 'spans',
      measure: measureOf(aggregate),
      search: `is_transaction:true ${search}`.trimEnd(),
    }
  return refuse(
    'dataset',
    `${dataset} is not supported. Supported are events, ${[...TRANSACTION_DATASETS, ...SPAN_DATASETS].join(', ')}`,
  )
}

const isOfTransactions = (eventTypes: readonly string[]): boolean =>
  eventTypes.length > 0 && eventTypes.every((type) => type === 'transaction')

const ERROR_AGGREGATES: ReadonlyMap<string, string> = new Map([
  ['count()', 'count()'],
  ['count_unique(user)', 'count_unique(user)'],
  ['count_unique(tags[sentry:user])', 'count_unique(user)'],
])

/** As measures of spans are written; whether there is one of that name the command says. */
function measureOf(aggregate: string): string {
  if (aggregate.startsWith('apdex('))
    refuse('aggregate', 'apdex() is not supported: failure_rate() and p95(transaction.duration) tell as much')
  const [, field = '', share = ''] = /^percentile\(([^,()]+),\s*0?\.(\d{1,2})\)$/.exec(aggregate) ?? []
  const name = share === '' ? aggregate : `p${share.padEnd(2, '0')}(${field})`
  return name.replace('tags[sentry:user]', 'user')
}

const TRANSACTION = /^is_transaction:true(?:\s+|$)/

export function metricQueryOf({ source, measure, search }: Metric): MetricQuery {
  if (source === 'errors' && measure !== 'chunk_failures()')
    return { dataset: 'events', aggregate: measure, query: search }
  if (source === 'vitals')
    return { dataset: 'generic_metrics', aggregate: measure.replace('(', '(measurements.'), query: search }
  if (source !== 'spans') return { dataset: `${OURS}${source}`, aggregate: measure, query: search }
  return TRANSACTION.test(search)
    ? { dataset: 'transactions', aggregate: measure, query: search.replace(TRANSACTION, '') }
    : { dataset: 'events_analytics_platform', aggregate: measure, query: search }
}
