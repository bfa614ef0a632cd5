import type { TransactionPoint } from '@sonde/queries'
import { useLocation, useSearchParams } from '@sonde/router'
import { useMemo } from 'react'
import type { ChartMarker, TimeRange, TrendLine } from '../../charts/chart-series.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { TrendChart } from '../../charts/trend-chart.tsx'
import { formatRateShare } from '../../format/format-count.ts'
import { formatDuration } from '../../format/format-time.ts'
import { zoomedTo } from './transaction-search.ts'

export type ShownSeries = {
  readonly fromMs: number
  readonly toMs: number
  readonly stepMs: number
  readonly points: readonly (TransactionPoint | undefined)[]
  readonly total: number
  readonly markers: readonly ChartMarker[]
}

const PERCENTILES = [
  { name: 'p95', token: '--accent' },
  { name: 'p75', token: '--bar' },
  { name: 'p50', token: '--edge' },
] as const satisfies readonly Pick<TrendLine, 'name' | 'token'>[]

const TRANSACTIONS = ['transaction', 'transactions'] as const
type Props = {
  readonly series: ShownSeries
  /** What is counted: one of them, many. */
  readonly noun?: readonly [one: string, many: string]
}

/** Throughput, duration and failure rate; a brush over one of them zooms the whole page. */
export function TransactionCharts({ series, noun = TRANSACTIONS }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const zoomTo = (range: TimeRange): string => pathname + zoomedTo(params, range)
  const drawn = useMemo(() => drawnOf(series), [series])
  return (
    <div className="transaction-charts">
      <TimeChart title="Throughput" noun={noun} series={drawn.counts} zoomTo={zoomTo} />
      <TrendChart
        title="Duration"
        noun={noun[0]}
        series={drawn.durations}
        format={formatDuration}
        zoomTo={zoomTo}
        actions={<Legend />}
      />
      <TrendChart
        title="Failure rate"
        noun={noun[0]}
        series={drawn.failures}
        format={formatRateShare}
        zoomTo={zoomTo}
      />
    </div>
  )
}

/** Memoized per response: a chart is drawn again when it gets another series. */
function drawnOf({ points, ...window }: ShownSeries) {
  const counts = { ...window, counts: points.map((point) => point?.count ?? 0) }
  const lineOf = (name: 'p50' | 'p75' | 'p95' | 'failureRate') => points.map((point) => point?.[name] ?? null)
  return {
    counts,
    durations: {
      ...counts,
      levels: [],
      lines: PERCENTILES.map((line) => ({ ...line, values: lineOf(line.name) })),
    },
    failures: {
      ...counts,
      levels: [],
      lines: [{ name: 'failed', token: '--bar' as const, values: lineOf('failureRate') }],
    },
  }
}

function Legend() {
  return (
    <span className="chart-legend">
      {PERCENTILES.map(({ name, token }) => (
        <span key={name}>
          <svg viewBox="0 0 12 4" width="12" height="4" aria-hidden="true" focusable="false">
            <path className={`trend-line trend-line${token}`} d="M1 2L11 2" />
          </svg>{' '}
          {name}
        </span>
      ))}
    </span>
  )
}
