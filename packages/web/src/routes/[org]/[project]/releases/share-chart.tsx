import { useLocation, useSearchParams } from '@sonde/router'
import type { TimeRange, TrendSeries } from '../../../../charts/chart-series.ts'
import { TrendChart } from '../../../../charts/trend-chart.tsx'
import { formatRateShare } from '../../../../format/format-count.ts'
import { addressText, changeRange } from '../../../../shell/time-range.ts'

type Props = {
  readonly title: string
  readonly series: TrendSeries
  /** Of what: one of them. */
  readonly noun: string
}

/** Shares of releases over time; a brush zooms the page to that time. */
export function ShareChart({ title, series, noun }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const zoomTo = ({ fromMs, toMs }: TimeRange): string =>
    pathname + changeRange(params, { range: { start: addressText(fromMs), end: addressText(toMs) } })
  return (
    <div className="release-adoption">
      <TrendChart
        title={title}
        series={series}
        noun={noun}
        format={formatRateShare}
        zoomTo={zoomTo}
        actions={<LineNames series={series} />}
      />
    </div>
  )
}

function LineNames({ series: { lines } }: Pick<Props, 'series'>) {
  return (
    <span className="chart-legend">
      {lines.map(({ name, token }) => (
        <span key={name}>
          <svg viewBox="0 0 12 4" width="12" height="4" aria-hidden="true" focusable="false">
            <path className={`trend-line trend-line${token}`} d="M1 2L11 2" />
          </svg>{' '}
          <bdi>{name}</bdi>
        </span>
      ))}
    </span>
  )
}
