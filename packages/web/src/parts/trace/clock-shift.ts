/**
 * Clocks of machines differ, by milliseconds or by hours. A request cannot arrive before it was sent, and its answer
 * cannot arrive before it was made: a span of another service that breaks this is shifted into what called it. Pure.
 */
import type { OutlineSpan } from '@sonde/queries'

/** What called: already placed. */
type Caller = {
  readonly span: Pick<OutlineSpan, 'op' | 'durationMs'>
  readonly service: number
  readonly shiftMs: number
  readonly startMs: number
  readonly endMs: number
}

/** Clocks that are set over the network agree by about this much; moving by less would be noise. */
const TOLERANCE_MS = 1
/** Calls that wait for their answer. A queue's consumer or a page that a server rendered may begin when all is over. */
const WAITS = /^(?:http\.client|grpc(?:\.client)?|rpc(?:\.client)?|websocket\.client)$/

/**
 * Milliseconds to add to the span's times. Of one service the first shift that fits is used again, so that its spans
 * keep their distances. `known` is filled.
 */
export function placeClock(
  span: Pick<OutlineSpan, 'startMs' | 'durationMs'>,
  service: number,
  caller: Caller | undefined,
  known: Map<number, number>,
): number {
  if (caller === undefined) return known.get(service) ?? 0
  if (caller.service === service) return caller.shiftMs
  const { durationMs } = span
  // A call that was given up is shorter than what it called.
  const isWithin = WAITS.test(caller.span.op) && durationMs <= caller.span.durationMs
  const latestMs = isWithin
    ? caller.endMs - durationMs
    : WAITS.test(caller.span.op)
      ? caller.endMs
      : Number.POSITIVE_INFINITY
  const fits = (shiftMs: number): boolean =>
    span.startMs + shiftMs >= caller.startMs - TOLERANCE_MS &&
    span.startMs + shiftMs <= latestMs + TOLERANCE_MS
  for (const shiftMs of [0, known.get(service), caller.shiftMs])
    if (shiftMs !== undefined && fits(shiftMs)) return shiftMs
  // The way there and the way back are taken to be as long.
  const startMs = isWithin ? (caller.startMs + latestMs) / 2 : caller.startMs
  const shiftMs = startMs - span.startMs
  known.set(service, shiftMs)
  return shiftMs
}
