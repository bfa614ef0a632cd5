/** Time as a parameter: tests move it, production reads the system's. */
export type Clock = { nowMs(): number }

export const systemClock: Clock = { nowMs: () => Date.now() }

/** A clock that stands still until told otherwise. */
export function fixedClock(startMs: number): Clock & { advance(ms: number): void } {
  let nowMs = startMs
  return {
    nowMs: () => nowMs,
    advance(ms) {
      nowMs += ms
    },
  }
}
