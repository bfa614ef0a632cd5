/** Counts as bars: uPlot on a canvas. Loaded only once a chart is on the page. */
import uPlot from 'uplot'
import { formatCount } from '../format/format-count.ts'
import { type ChartSeries, startOf } from './chart-series.ts'
import { type ChartEvents, type ChartHandle, drawPlot } from './plot-frame.ts'

export type { ChartEvents, ChartHandle }

/** 1, 2, 5, 10, 20, 50, …: events are whole. */
const WHOLE_STEPS = Array.from({ length: 12 }, (_, power) =>
  [1, 2, 5].map((digit) => digit * 10 ** power),
).flat()

export function drawChart(target: HTMLElement, series: ChartSeries, events: ChartEvents): ChartHandle {
  const { counts } = series
  const bars = uPlot.paths.bars?.({ size: [0.86, 64], align: 1, gap: 1 })
  return drawPlot(
    target,
    series,
    (token) => ({
      data: [counts.map((_, index) => startOf(series, index)), [...counts]],
      series: [
        {
          fill: () => token('--bar'),
          width: 0,
          points: { show: false },
          ...(bars && { paths: bars }),
        },
      ],
      rangeY: (_, __, max) => [0, Math.max(1, max * 1.08)],
      axisY: { incrs: WHOLE_STEPS, values: (_, ticks) => ticks.map(formatCount) },
    }),
    events,
  )
}
