/**
 * What every chart over time has in common once uPlot draws it: axes, the bar under the pointer, the brush, releases.
 * Colours come from the tokens and are read at each draw, so a change of theme is a redraw.
 */
import uPlot from 'uplot'
import { tickTexts } from './axis-text.ts'
import { barAt, type ChartMarker, type ChartSeries, startOf, type TimeRange } from './chart-series.ts'

export type ChartHandle = {
  readonly resize: () => void
  readonly redraw: () => void
  readonly destroy: () => void
}

export type ChartEvents = {
  /** The bar under the pointer and how far from the left its middle is, in CSS pixels; undefined when none is. */
  readonly onHover: (bar: { readonly index: number; readonly leftPx: number } | undefined) => void
  readonly onBrush: (range: TimeRange) => void
}

export type Token = (name: string) => string
/** What one kind of chart adds to the frame. */
export type PlotLook = {
  /** Times first, then the values of each series. */
  readonly data: uPlot.AlignedData
  readonly series: readonly uPlot.Series[]
  readonly rangeY: uPlot.Scale.Range
  readonly axisY: uPlot.Axis
  /** Above the axes, below the releases. */
  readonly draw?: (chart: uPlot) => void
}

/** A pointer that moved less is a click, not a brush. */
const MIN_BRUSH_PX = 6

export function drawPlot(
  target: HTMLElement,
  series: ChartSeries,
  lookOf: (token: Token) => PlotLook,
  { onHover, onBrush }: ChartEvents,
): ChartHandle {
  const { fromMs, toMs } = series
  const token: Token = (name) => getComputedStyle(target).getPropertyValue(name).trim()
  const look = lookOf(token)
  const size = (): { width: number; height: number } => ({
    width: Math.max(80, target.clientWidth),
    height: Math.max(60, target.clientHeight),
  })
  const axis: uPlot.Axis = {
    stroke: () => token('--ink-3'),
    grid: { stroke: () => token('--line'), width: 1 },
    ticks: { show: false },
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
    gap: 4,
  }
  const plot = new uPlot(
    {
      ...size(),
      ms: 1,
      padding: [8, 20, 0, 0],
      legend: { show: false },
      cursor: {
        y: false,
        points: { show: false },
        drag: { x: true, y: false, setScale: false, dist: MIN_BRUSH_PX },
      },
      select: { show: true, left: 0, top: 0, width: 0, height: 0 },
      scales: { x: { time: true, range: () => [fromMs, toMs] }, y: { range: look.rangeY } },
      series: [{}, ...look.series],
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 64,
          size: 22,
          values: (_, ticks) => tickTexts(ticks, 'local'),
        },
        {
          ...axis,
          space: 28,
          size: (_, texts) => 10 + 7 * Math.max(1, ...(texts ?? []).map((text) => text.length)),
          ...look.axisY,
        },
      ],
      hooks: {
        draw: [(chart) => look.draw?.(chart), (chart) => drawReleases(chart, series, token)],
        setCursor: [
          (chart) => {
            const { left = -1 } = chart.cursor
            const index = left < 0 ? undefined : barAt(series, chart.posToVal(left, 'x'))
            if (index === undefined) return onHover(undefined)
            const middle = chart.valToPos(startOf(series, index + 0.5), 'x')
            return onHover({ index, leftPx: middle + chart.over.offsetLeft })
          },
        ],
        setSelect: [
          (chart) => {
            const { left, width } = chart.select
            if (width < MIN_BRUSH_PX) return
            const range = { fromMs: chart.posToVal(left, 'x'), toMs: chart.posToVal(left + width, 'x') }
            chart.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
            onBrush(range)
          },
        ],
      },
    },
    look.data,
    target,
  )
  return {
    resize: () => plot.setSize(size()),
    redraw: () => plot.redraw(),
    destroy: () => plot.destroy(),
  }
}

/** A dashed line where a release was deployed or first seen, named where there is room. */
function drawReleases(
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
  for (const marker of markers) {
    const { atMs } = marker
    const x = Math.round(chart.valToPos(atMs, 'x', true))
    ctx.setLineDash([3 * ratio, 3 * ratio])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
    const name = nameOf(marker)
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

function nameOf(marker: ChartMarker): string {
  if ('incident' in marker) return shortened(marker.incident, 22)
  const { release, deployedTo } = marker
  return shortened(release, 22) + (deployedTo ? ` → ${shortened(deployedTo, 12)}` : '')
}
