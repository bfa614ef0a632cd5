/** Values over time, drawn as lines: a percentile, a share. Pure. */
import type { ChartSeries } from './chart-series.ts'

export type TrendLine = {
  /** What it is called: `p75`. */
  readonly name: string
  /** One for each span of the series; null where there is none (as JSON has it), and then the line has a gap. */
  readonly values: readonly (number | null)[]
  /** The token of its colour. */
  readonly token: '--bar' | '--accent' | '--edge'
}
/** A value that means something by itself, drawn across: where good ends. */
export type TrendLevel = {
  readonly at: number
  readonly name: string
  readonly token: '--good' | '--bad'
}
/** `counts`: how many each span stands on, for the reader to judge by. */
export type TrendSeries = ChartSeries & {
  readonly lines: readonly TrendLine[]
  readonly levels: readonly TrendLevel[]
}

/** Where the chart ends above: room for what was measured and for the first level, so that one sees how far it is. */
export function trendTop({ lines, levels }: Pick<TrendSeries, 'lines' | 'levels'>): number {
  const values = lines.flatMap((line) => line.values).filter((value) => value !== null)
  const first = Math.min(...levels.map(({ at }) => at))
  const top = Math.max(0, ...values, Number.isFinite(first) ? first : 0)
  return top > 0 ? top * 1.12 : 1
}

/** Runs of spans that have a value: each is drawn as one stroke, a run of one as a dot. */
export function trendRuns(values: readonly (number | null)[]): readonly (readonly number[])[] {
  const runs: number[][] = []
  values.forEach((value, index) => {
    if (value === null) return
    const last = runs.at(-1)
    if (last && last.at(-1) === index - 1) last.push(index)
    else runs.push([index])
  })
  return runs
}
