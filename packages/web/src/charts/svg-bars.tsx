import { barAt, type ChartSeries } from './chart-series.ts'

const BAR = 8
const GAP = 2
const HEIGHT = 100

/** The chart as the server draws it: bars and releases, stretched to its place. */
export function SvgBars({ series }: { readonly series: ChartSeries }) {
  const { counts, markers } = series
  const peak = Math.max(...counts, 1)
  const width = counts.length * (BAR + GAP)
  return (
    <svg
      className="chart-svg"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      {counts.map((count, index) => {
        if (count === 0) return null
        const size = Math.max(2, (count / peak) * HEIGHT)
        return (
          <rect key={index} x={index * (BAR + GAP) + GAP / 2} y={HEIGHT - size} width={BAR} height={size} />
        )
      })}
      {markers.map(({ atMs }, index) => {
        const x = (((barAt(series, atMs) ?? 0) + 0.5) * width) / counts.length
        return <line key={index} className="chart-release" x1={x} x2={x} y1="0" y2={HEIGHT} />
      })}
    </svg>
  )
}
