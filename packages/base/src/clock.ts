/** Time as a parameter: tests move it, production reads the system's. */
export type Clock = {
  /** Unix milliseconds, as the system has them: somebody may set that clock, forward or back. */
  nowMs(): number
  /** Milliseconds since some moment, which nobody sets: for how long something takes. Absent: `nowMs` serves. */
  steadyMs?(): number
}

export const systemClock: Clock = { nowMs: () => Date.now(), steadyMs: () => performance.now() }

/** For durations and deadlines within this process; says nothing of the date, and nothing to another process. */
export const steadyMs = (clock: Clock): number => clock.steadyMs?.() ?? clock.nowMs()

/** A clock that stands still until told otherwise. */
export function fixedClock(
  startMs: number,
): Required<Clock> & { advance(ms: number): void; set(nowMs: number): void } {
  let nowMs = startMs
  let steady = 0
  return {
    nowMs: () => nowMs,
    steadyMs: () => steady,
    advance(ms) {
      nowMs += ms
      steady += ms
    },
    /** As somebody sets the clock of a machine: no time passes. */
    set(wantedMs) {
      nowMs = wantedMs
    },
  }
}
