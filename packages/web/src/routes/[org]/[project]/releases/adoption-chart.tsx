import type { AdoptionBasis } from '@sonde/queries'
import { useLocation, useSearchParams } from '@sonde/router'
import type { TimeRange, TrendSeries } from '../../../../charts/chart-series.ts'
import { TrendChart } from '../../../../charts/trend-chart.tsx'
import { formatRateShare } from '../../../../format/format-count.ts'
import { addressText, changeRange } from '../../../../shell/time-range.ts'
import { basisName } from './adoption.ts'

type Props = { readonly series: TrendSeries; readonly basis: AdoptionBasis }

/** Adoption over time; a brush zooms the page to that time. */
export function AdoptionChart({ series, basis }: Props) {
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const zoomTo = ({ fromMs, toMs }: TimeRange): string =>
    pathname + changeRange(params, { range: { start: addressText(fromMs), end: addressText(toMs) } })
  return (
    <div className="release-adoption">
      <TrendChart
        title={`Adoption (% of ${basisName(basis)})`}
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
