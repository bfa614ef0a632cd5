/** Values as lines, with their levels: uPlot on a canvas. Loaded only once a chart is on the page. */
import uPlot from 'uplot'
import { startOf, type TrendSeries, trendTop } from './chart-series.ts'
import { type ChartEvents, type ChartHandle, drawPlot, type Token } from './plot-frame.ts'

export function drawTrend(
  target: HTMLElement,
  series: TrendSeries,
  format: (value: number) => string,
  events: ChartEvents,
): ChartHandle {
  const top = trendTop(series)
  return drawPlot(
    target,
    series,
    (token) => ({
      data: [
        series.counts.map((_, index) => startOf(series, index + 0.5)),
        ...series.lines.map(({ values }) => [...values]),
      ],
      series: series.lines.map(({ token: colour }) => ({
        stroke: () => token(colour),
        width: 2,
        points: { show: true, size: 5, width: 0, fill: () => token(colour) },
      })),
      rangeY: () => [0, top],
      axisY: { values: (_, ticks) => ticks.map(format) },
      draw: (chart) => drawLevels(chart, series, token),
    }),
    events,
  )
}

function drawLevels(chart: uPlot, { levels }: TrendSeries, token: Token): void {
  const { ctx, bbox } = chart
  const ratio = uPlot.pxRatio
  ctx.save()
  ctx.lineWidth = ratio
  ctx.font = `${10 * ratio}px ${getComputedStyle(document.body).fontFamily}`
  ctx.textAlign = 'right'
  for (const { at, name, token: colour } of levels) {
    const y = Math.round(chart.valToPos(at, 'y', true))
    if (y < bbox.top) continue
    ctx.strokeStyle = token(colour)
    ctx.setLineDash([ratio, 3 * ratio])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    ctx.fillStyle = token('--ink-3')
    // Above it, unless the names of releases are there.
    const isHigh = y < bbox.top + 28 * ratio
    ctx.textBaseline = isHigh ? 'top' : 'bottom'
    ctx.fillText(name, bbox.left + bbox.width, isHigh ? y + 2 * ratio : y - ratio)
  }
  ctx.restore()
}
