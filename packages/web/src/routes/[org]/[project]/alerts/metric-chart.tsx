import type { MetricPreview, MetricRule } from '@sonde/alerts'
import { measureText, valueText } from '@sonde/alerts/contract'
import { useLocation } from '@sonde/router'
import type { ChartMarker, TrendLevel, TrendLine } from '../../../../charts/chart-series.ts'
import { TrendChart } from '../../../../charts/trend-chart.tsx'

type Props = {
  readonly rule: Pick<MetricRule, 'metric' | 'compare' | 'trigger' | 'resolve'>
  readonly chart: MetricPreview
  readonly markers: readonly ChartMarker[]
}

/** The metric with what it is compared with: a level, or a line where that changes. */
export function MetricChart({ rule, chart, markers }: Props) {
  const { pathname } = useLocation()
  const { metric, compare, trigger, resolve } = rule
  const lines: readonly TrendLine[] = [
    { name: 'value', values: chart.values, token: '--accent' },
    ...(compare === 'static'
      ? []
      : [{ name: 'threshold', values: chart.thresholds, token: '--edge' as const }]),
  ]
  const fires: TrendLevel = { at: trigger, name: 'fires', token: '--bad' }
  const levels: readonly TrendLevel[] =
    compare === 'static'
      ? [fires, ...(resolve === null ? [] : [{ at: resolve, name: 'resolves', token: '--good' as const }])]
      : []
  return (
    <TrendChart
      title={measureText(metric)}
      noun={NOUNS[metric.source]}
      series={{ ...chart, markers, lines, levels }}
      format={(value) => valueText(metric, value)}
      // Its time is that of the incident or of the preview: there is nothing to zoom to.
      zoomTo={() => pathname}
    />
  )
}

const NOUNS: Readonly<Record<MetricRule['metric']['source'], string>> = {
  errors: 'event',
  spans: 'span',
  vitals: 'page view',
  navigations: 'navigation',
  page_data: 'failure',
  chunks: 'failure',
  prefetches: 'request',
  sessions: 'session',
  logs: 'line',
  profile_functions: 'profile',
  outcomes: 'item',
  metrics: 'point',
}
