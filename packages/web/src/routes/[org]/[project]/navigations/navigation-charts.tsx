import type { NavigationSummary } from '@sonde/queries'
import { useLocation, useSearchParams } from '@sonde/router'
import { useMemo } from 'react'
import type { ChartMarker, TimeRange } from '../../../../charts/chart-series.ts'
import { TrendChart } from '../../../../charts/trend-chart.tsx'
import { formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'
import { changeRange } from '../../../../shell/time-range.ts'
import { addressText } from '../../../../shell/zoned-time.ts'
import { failureTrend, timesTrend } from './navigation-figures.ts'

type Props = {
  readonly trend: NavigationSummary['trend']
  readonly markers: readonly ChartMarker[]
}

/** Time to visible and failures over time, with builds and deploys as markers; a brush zooms the whole screen. */
export function NavigationCharts({ trend, markers }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  // A new object is drawn again: the same series must keep its identity.
  const times = useMemo(() => timesTrend(trend, markers), [trend, markers])
  const failures = useMemo(() => failureTrend(trend, markers), [trend, markers])
  const zoomTo = ({ fromMs, toMs }: TimeRange): string =>
    pathname + changeRange(params, { range: { start: addressText(fromMs), end: addressText(toMs) } })
  return (
    <div className="nav-charts">
      <TrendChart
        title="Time to visible"
        series={times}
        noun="navigation"
        format={formatDuration}
        zoomTo={zoomTo}
        actions={<LineKey lines={LINES} />}
      />
      <TrendChart
        title="Failed or abandoned"
        series={failures}
        noun="navigation"
        format={percent}
        zoomTo={zoomTo}
      />
    </div>
  )
}

const LINES = [
  ['p50', 'edge'],
  ['p75', 'accent'],
  ['p95', 'bar'],
] as const

function LineKey({ lines }: { readonly lines: typeof LINES }) {
  return (
    <span className="nav-line-key">
      {lines.map(([name, token]) => (
        <span key={name}>
          <svg viewBox="0 0 12 4" aria-hidden="true">
            <path className={`trend-line trend-line--${token}`} d="M0 2H12" />
          </svg>{' '}
          {name}
        </span>
      ))}
    </span>
  )
}

const percent = (share: number): string => formatShare(share, 1)
