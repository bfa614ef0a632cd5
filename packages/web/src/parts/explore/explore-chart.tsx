import type { ExploreSeries } from '@sonde/queries'
import { useLocation, useSearchParams } from '@sonde/router'
import { useMemo } from 'react'
import type { TimeRange, TrendSeries } from '../../charts/chart-series.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { TrendChart } from '../../charts/trend-chart.tsx'
import { zoomedTo } from '../performance/transaction-search.ts'
import { type ExploreSearch, sortOf } from './explore-search.ts'
import { valueText } from './explore-value.tsx'

/** The measure that the table is sorted by, of all spans that match. A brush writes the time into the address. */
export function ExploreChart({
  series,
  search,
}: {
  readonly series: ExploreSeries
  readonly search: ExploreSearch
}) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const sorted = sortOf(search).field
  const measure = search.measures.includes(sorted) ? sorted : (search.measures[0] ?? 'count()')
  const zoomTo = (range: TimeRange): string => pathname + zoomedTo(params, range)
  // Made once for each answer: a chart is drawn anew when it gets another series.
  const drawn = useMemo((): TrendSeries => {
    const { fromMs, toMs, stepMs, counts, total, values } = series
    const lines = [{ name: measure, values, token: '--accent' as const }]
    return { fromMs, toMs, stepMs, counts, total, markers: [], lines, levels: [] }
  }, [series, measure])
  if (measure === 'count()')
    return <TimeChart title="Spans" noun={['span', 'spans']} series={drawn} zoomTo={zoomTo} />
  return (
    <TrendChart
      title={measure}
      noun="span"
      series={drawn}
      format={(value) => valueText(series.kind, value)}
      zoomTo={zoomTo}
    />
  )
}
