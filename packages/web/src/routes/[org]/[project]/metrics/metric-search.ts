/** What the screen of metrics shows, as its address says it; environment, time and filters have their own names. Pure. */
import { METRIC_TYPES, type MetricType } from '@sonde/queries/contract'

export type MetricSearch = {
  readonly query: string
  /** Absent: the list. */
  readonly metric: string | undefined
  /** Absent: of the one that has most points. */
  readonly type: MetricType | undefined
  readonly unit: string | undefined
  readonly measure: string
  /** Empty: everything is one line. */
  readonly groupBy: string
}

const OWN = ['query', 'metric', 'type', 'unit', 'measure', 'group'] as const
type Own = (typeof OWN)[number]

/** What cannot be read is left out: an old link should show something. */
export function readMetricSearch(params: URLSearchParams): MetricSearch {
  const text = (name: Own): string => (params.get(name) ?? '').trim()
  return {
    query: text('query'),
    metric: text('metric') === '' ? undefined : text('metric').slice(0, 200),
    type: METRIC_TYPES.find((each) => each === text('type')),
    unit: params.get('unit') ?? undefined,
    measure: text('measure'),
    groupBy: text('group').slice(0, 200),
  }
}

/** The same screen with something else. */
export function withMetric(
  params: URLSearchParams,
  change: Readonly<Partial<Record<Own, string | undefined>>>,
): string {
  const next = new URLSearchParams(params)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || (value === '' && name !== 'unit')) next.delete(name)
    else next.set(name, value)
  }
  const text = next.toString()
  return text === '' ? '' : `?${text}`
}
