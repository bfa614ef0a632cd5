import type { NavigationSummary } from '@sonde/queries'
import { useLocation, useSearchParams } from '@sonde/router'
import type { ChartMarker, TimeRange } from '../../../../charts/chart-series.ts'
import { useMemo } from 'react'
import { TrendChart } from '../../../../charts/trend-chart.tsx'
import { formatShare } from '../../../../format/format-count.ts'
import { formatDuration } from '../../../../format/format-duration.ts'
import { changeRange } from '../../../../shell/time-range.ts'
import { addressText } from '../../../../shell/zoned-time.ts'
import { timesTrend, troubleTrend } from './navigation-trends.ts'

type Props = {
  readonly trend: NavigationSummary['trend']
  readonly markers: readonly ChartMarker[]
}

/** Times and troubles over time, with the builds and deploys that came; a brush narrows the whole screen. */
export function NavigationCharts({ trend, markers }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  // Another series is drawn anew, so the same one must stay the same.
  const times = useMemo(() => timesTrend(trend, markers), [trend, markers])
  const troubles = useMemo(() => troubleTrend(trend, markers), [trend, markers])
  const zoomTo = ({ fromMs, toMs }: TimeRange): string =>
    pathname + changeRange(params, { range: { start: addressText(fromMs), end: addressText(toMs) } })
  return (
    <div className="nav-charts">
      <TrendChart
        title="Seen after"
        series={times}
        noun="navigation"
        format={formatDuration}
        zoomTo={zoomTo}
        actions={<LineKey lines={LINES} />}
      />
      <TrendChart title="In trouble" series={troubles} noun="navigation" format={percent} zoomTo={zoomTo} />
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
