/** What a chart of events over time is drawn from, and what its bars are called. Pure. */
export type ChartMarker = ReleaseMarker | IncidentMarker
/** `deployedTo`: an environment; absent: it was first seen then. */
export type ReleaseMarker = {
  readonly release: string
  readonly atMs: number
  readonly deployedTo?: string
}
/** `incident`: what is called so, in words. */
type IncidentMarker = {
  readonly incident: string
  readonly href: string
  readonly atMs: number
}

/** What the column of a table is called that has them. */
export const markersName = (markers: readonly ChartMarker[]): string =>
  markers.some((marker) => 'incident' in marker) ? 'Incidents' : 'Releases'

/** Bars of equal width: the first begins at `fromMs`, the last ends at `toMs`. */
export type ChartSeries = {
  readonly fromMs: number
  readonly toMs: number
  readonly stepMs: number
  readonly counts: readonly number[]
  readonly total: number
  readonly markers: readonly ChartMarker[]
}

export type TimeRange = { readonly fromMs: number; readonly toMs: number }

export const startOf = (series: ChartSeries, index: number): number => series.fromMs + index * series.stepMs

/** Undefined outside the chart. */
export function barAt(series: ChartSeries, atMs: number): number | undefined {
  const index = Math.floor((atMs - series.fromMs) / series.stepMs)
  return index >= 0 && index < series.counts.length ? index : undefined
}

/** A dragged range, widened to whole bars and kept within the chart, so that the next page counts the same bars. */
export function snapRange(series: ChartSeries, aMs: number, bMs: number): TimeRange {
  const last = series.counts.length - 1
  const indexOf = (atMs: number): number =>
    Math.min(last, Math.max(0, Math.floor((atMs - series.fromMs) / series.stepMs)))
  const fromMs = startOf(series, indexOf(Math.min(aMs, bMs)))
  // An end exactly on a bar's edge does not take the next bar.
  const toMs = startOf(series, indexOf(Math.max(aMs, bMs, fromMs + 1) - 1) + 1)
  return { fromMs, toMs }
}

export const markersIn = (series: ChartSeries, index: number): readonly ChartMarker[] =>
  series.markers.filter(({ atMs }) => barAt(series, atMs) === index)

const UNITS = [
  { ms: 86_400_000, one: 'day' },
  { ms: 3_600_000, one: 'hour' },
  { ms: 60_000, one: 'minute' },
  { ms: 1_000, one: 'second' },
] as const

/** `one hour`, `6 hours`, `7 days`: the width of a bar in words. */
export function stepName(stepMs: number): string {
  const unit = UNITS.find(({ ms }) => stepMs % ms === 0) ?? { ms: 1_000, one: 'second' }
  const count = Math.round(stepMs / unit.ms)
  return count === 1 ? `one ${unit.one}` : `${count} ${unit.one}s`
}

/** Values over time, drawn as lines: a percentile, a share. Pure. */
export type TrendLine = {
  /** What it is called: `p75`. */
  readonly name: string
  /** One for each span of the series; null where there is none (as JSON has it), and then the line has a gap. */
  readonly values: readonly (number | null)[]
  /** The token of its colour. */
  readonly token: '--bar' | '--accent' | '--edge' | `--hue-${1 | 2 | 3 | 4 | 5}`
}
/** A value that means something by itself, drawn across: where good ends. */
export type TrendLevel = {
  readonly at: number
  readonly name: string
  readonly token: '--good' | '--bad'
}
/** `counts`: the sample size of each interval. */
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
