/** The part of a trace's time that is looked at, as the address has it, and where times lie in it. Pure. */

/** Milliseconds after the trace's begin. */
export type TimeWindow = { readonly fromMs: number; readonly toMs: number }

/** Closer one cannot look: a microsecond is what SDKs measure. */
const LEAST_MS = 0.01
const FORM = /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/

export const wholeOf = (lengthMs: number): TimeWindow => ({ fromMs: 0, toMs: Math.max(LEAST_MS, lengthMs) })

/** `120.5-340`: undefined when nothing, or nothing that can be read, is said. */
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

/** Where a time stands: 0 at the window's begin, 1 at its end. */
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
