import uPlot from 'uplot'
import type { ChartSeries } from './chart-series.ts'

/** A dashed line where a release was deployed or first seen, named where there is room. */
export function drawReleases(
  chart: uPlot,
  { markers }: Pick<ChartSeries, 'markers'>,
  token: (name: string) => string,
): void {
  const { ctx, bbox } = chart
  const ratio = uPlot.pxRatio
  ctx.save()
  ctx.strokeStyle = token('--attention')
  ctx.fillStyle = token('--ink-2')
  ctx.lineWidth = ratio
  ctx.font = `${10 * ratio}px ${getComputedStyle(document.body).fontFamily}`
  ctx.textBaseline = 'top'
  ctx.textAlign = 'left'
  let freeFrom = bbox.left
  for (const { release, atMs, deployedTo } of markers) {
    const x = Math.round(chart.valToPos(atMs, 'x', true))
    ctx.setLineDash([3 * ratio, 3 * ratio])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    const name = shortened(release, 22) + (deployedTo ? ` → ${shortened(deployedTo, 12)}` : '')
    const width = ctx.measureText(name).width + 6 * ratio
    const left = x + width < bbox.left + bbox.width ? x + 3 * ratio : x - width
    if (left < freeFrom) continue
    ctx.fillText(name, left, bbox.top)
    freeFrom = left + width
  }
  ctx.restore()
}

const shortened = (text: string, max: number): string =>
  text.length > max ? `${text.slice(0, max - 1)}…` : text
