import { useLocation, useSearchParams } from '@sonde/router'
import type { AdoptionBasis } from '@sonde/queries'
import type { TimeRange } from '../../../../charts/chart-series.ts'
import { TrendChart } from '../../../../charts/trend-chart.tsx'
import type { TrendSeries } from '../../../../charts/trend-series.ts'
import { formatRateShare } from '../../../../parts/performance/format-rate.ts'
import { changeRange } from '../../../../shell/time-range.ts'
import { addressText } from '../../../../shell/zoned-time.ts'
import { basisName } from './adoption-share.ts'

type Props = { readonly series: TrendSeries; readonly basis: AdoptionBasis }

/** How a release takes over; a brush narrows the page to that time. */
export function AdoptionChart({ series, basis }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const zoomTo = ({ fromMs, toMs }: TimeRange): string =>
    pathname + changeRange(params, { range: { start: addressText(fromMs), end: addressText(toMs) } })
  return (
    <div className="release-adoption">
      <TrendChart
        title={`Share of ${basisName(basis)}`}
        series={series}
        noun={basis.slice(0, -1)}
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
