import { barAt } from './chart-series.ts'
import { trendRuns, type TrendSeries, trendTop } from './trend-series.ts'

const STEP = 10
const HEIGHT = 100

/** The lines as the server draws them, with levels and releases, stretched to their place. */
export function SvgTrend({ series }: { readonly series: TrendSeries }) {
  const { counts, lines, levels, markers } = series
  const top = trendTop(series)
  const width = counts.length * STEP
  const x = (index: number): number => (index + 0.5) * STEP
  const y = (value: number): number => HEIGHT - (value / top) * HEIGHT
  return (
    <svg
      className="chart-svg"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {levels
        .filter(({ at }) => at <= top)
        .map(({ name, at, token }) => (
          <line key={name} className={`trend-level${token}`} x1="0" x2={width} y1={y(at)} y2={y(at)} />
        ))}
      {lines.map(({ name, values, token }) =>
        trendRuns(values).map((run) => {
          const points = run.map((index) => `${x(index)} ${y(values[index] ?? 0)}`)
          // A stroke of no length with round ends is a dot, whatever the picture is stretched to.
          const path = `M${points.join('L')}${run.length === 1 ? `L${points[0]}` : ''}`
          return <path key={`${name} ${run[0]}`} className={`trend-line trend-line${token}`} d={path} />
        }),
      )}
      {markers.map(({ atMs }, index) => {
        const at = x(barAt(series, atMs) ?? 0)
        return <line key={index} className="chart-release" x1={at} x2={at} y1="0" y2={HEIGHT} />
      })}
    </svg>
  )
}
