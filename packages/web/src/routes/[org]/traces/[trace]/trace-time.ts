/** The time axis of a trace: the zoomed window, ticks, vitals as marks, the minimap, usual durations. Pure. */
import type { VitalThresholds } from '@sonde/protocol/web-vitals'
import { formatDuration, formatShift } from '../../../../format/format-time.ts'
import type { TraceRows } from '../../../../parts/trace/packed-trace.ts'

/** The part of the time that is shown, in milliseconds from the trace's start. */
export type TimeWindow = { readonly fromMs: number; readonly toMs: number }

/** The closest zoom: SDKs measure microseconds. */
const LEAST_MS = 0.01
const FORM = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/

export const wholeOf = (lengthMs: number): TimeWindow => ({ fromMs: 0, toMs: Math.max(LEAST_MS, lengthMs) })

/** `120.5-340`: undefined when there is none, or none that can be parsed. */
export function readWindow(text: string | null | undefined, lengthMs: number): TimeWindow | undefined {
  const [, from, to] = FORM.exec(text ?? '') ?? []
  return from === undefined ? undefined : windowBetween(Number(from), Number(to), lengthMs)
}

/** In either order, within the trace. Undefined: all of it, or a point. */
export function windowBetween(oneMs: number, otherMs: number, lengthMs: number): TimeWindow | undefined {
  const fromMs = Math.max(0, Math.min(oneMs, otherMs))
  const toMs = Math.min(lengthMs, Math.max(oneMs, otherMs))
  if (!(toMs - fromMs >= LEAST_MS) || (fromMs <= 0 && toMs >= lengthMs)) return undefined
  return { fromMs, toMs }
}

export const writeWindow = ({ fromMs, toMs }: TimeWindow): string =>
  `${Number(fromMs.toFixed(3))}-${Number(toMs.toFixed(3))}`

/** Around a span, with a tenth of room at each side. */
export function windowAround(startMs: number, durationMs: number, lengthMs: number): TimeWindow | undefined {
  const roomMs = Math.max(durationMs * 0.1, LEAST_MS)
  return windowBetween(startMs - roomMs, startMs + durationMs + roomMs, lengthMs)
}

/** Place of a time: 0 at the start of the window, 1 at its end. */
export const placeIn = ({ fromMs, toMs }: TimeWindow, atMs: number): number =>
  (atMs - fromMs) / (toMs - fromMs)

/** Round times, at most `most` of them, for the ruler. */
export function ticksOf({ fromMs, toMs }: TimeWindow, most: number): number[] {
  const least = (toMs - fromMs) / Math.max(1, most)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power
  const ticks: number[] = []
  for (let at = Math.ceil(fromMs / step); at * step <= toMs; at++)
    ticks.push(Number((at * step).toPrecision(12)))
  return ticks.length > most + 1 ? ticks.slice(0, most + 1) : ticks
}

/** A bar of the minimap: lane from the top, first and last column. */
type MinimapRun = {
  readonly lane: number
  readonly from: number
  readonly to: number
  /** Index of the service. */
  readonly service: number
}

export const MINIMAP_COLUMNS = 300
export const MINIMAP_LANES = 12
const EMPTY = -1

/** At most columns × lanes runs, whatever the number of spans. Of several spans in one place the longest is drawn. */
export function minimapRuns(rows: TraceRows, lengthMs: number): MinimapRun[] {
  const cells = new Int32Array(MINIMAP_COLUMNS * MINIMAP_LANES).fill(EMPTY)
  const byLength = Array.from({ length: rows.count }, (_, row) => row).toSorted(
    (a, b) => (rows.durationsMs[a] ?? 0) - (rows.durationsMs[b] ?? 0),
  )
  const columnOf = (ms: number): number =>
    Math.min(MINIMAP_COLUMNS - 1, Math.max(0, Math.floor((ms / Math.max(lengthMs, 1e-9)) * MINIMAP_COLUMNS)))
  for (const row of byLength) {
    const lane = Math.min(rows.depths[row] ?? 0, MINIMAP_LANES - 1)
    const startMs = rows.startsMs[row] ?? 0
    const last = columnOf(startMs + (rows.durationsMs[row] ?? 0))
    const at = lane * MINIMAP_COLUMNS
    cells.fill(rows.services[row] ?? 0, at + columnOf(startMs), at + last + 1)
  }
  const runs: MinimapRun[] = []
  for (let lane = 0; lane < MINIMAP_LANES; lane++) {
    let from = 0
    for (let column = 1; column <= MINIMAP_COLUMNS; column++) {
      const at = lane * MINIMAP_COLUMNS
      const service = cells[at + from] ?? EMPTY
      if (column < MINIMAP_COLUMNS && cells[at + column] === service) continue
      if (service !== EMPTY) runs.push({ lane, from, to: column, service })
      from = column
    }
  }
  return runs
}

export type TimeMark = {
  readonly text: string
  readonly atMs: number
  readonly rating: 'good' | 'fair' | 'poor'
}

type Vital = {
  readonly name: string
  readonly value: number
  readonly thresholds: VitalThresholds
  readonly atMs: number | null
}

export function vitalMark({ name, value, thresholds: [good, poor] }: Omit<Vital, 'atMs'>) {
  const rating = value <= good ? ('good' as const) : value > poor ? ('poor' as const) : ('fair' as const)
  return {
    text: `${name.toUpperCase()} ${name === 'cls' ? formatShift(value) : formatDuration(value)}`,
    rating,
  }
}

/** Only vitals with a place on the axis. */
export const timeMarks = (vitals: readonly Vital[]): TimeMark[] =>
  vitals.flatMap((vital) => (vital.atMs === null ? [] : [{ ...vitalMark(vital), atMs: vital.atMs }]))

/** Marks that are closer than this part of the width share one label. */
const BESIDE = 0.2

/** Labels that would overlap share the place of the first and have the worst of their ratings. */
export function labelled(window: TimeWindow, marks: readonly TimeMark[]) {
  const order = ['good', 'fair', 'poor'] as const
  const labels: { place: number; text: string; rating: TimeMark['rating'] }[] = []
  for (const { text, atMs, rating } of marks.toSorted((a, b) => a.atMs - b.atMs)) {
    const place = placeIn(window, atMs)
    if (place < 0 || place > 1) continue
    const last = labels.at(-1)
    if (last && place - last.place < BESIDE) {
      last.text += ` · ${text}`
      if (order.indexOf(rating) > order.indexOf(last.rating)) last.rating = rating
    } else labels.push({ place, text, rating })
  }
  return labels
}

/** How a span compares with the usual duration of its kind, in words. */
/** A span is slow beyond this factor and beyond the p95, not when it is one of the slower half. */
const SLOW_FACTOR = 1.5
/** A factor of a tiny duration says nothing. */
const SLOW_BY_MS = 5

export function slownessText(
  durationMs: number,
  { p75Ms, p95Ms }: { readonly p75Ms: number; readonly p95Ms: number },
): { readonly text: string; readonly isSlow: boolean } {
  const isSlow = durationMs > p95Ms && durationMs > p75Ms * SLOW_FACTOR && durationMs - p75Ms > SLOW_BY_MS
  const p75 = formatDuration(p75Ms)
  if (!isSlow || p75Ms <= 0) return { text: `usual p75: ${p75}`, isSlow }
  const factor = durationMs / p75Ms
  if (factor >= 1000) return { text: `usual p75: ${p75}`, isSlow }
  return { text: `${factor < 10 ? factor.toFixed(1) : Math.round(factor)}× the usual p75 (${p75})`, isSlow }
}
