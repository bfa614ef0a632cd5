/** How long a repair rests after a piece of work, so that what arrives keeps its speed. */

/** A machine with two cores takes about so many a second when it does nothing else. */
const FULL_SPEED = 1_000
// Nothing arrives: only so long that whoever waits for the engine or the records gets a turn.
const LEAST_MS = 5
const LONGEST_MS = 10_000
/** At full speed it works an eighth of the time. */
const MOST_RESTS = 7

/** `arrived`: records that the pipeline committed while the work was done. */
export function restAfter(workMs: number, arrived: number): number {
  if (arrived === 0 || workMs <= 0) return LEAST_MS
  const perSec = (arrived * 1000) / workMs
  const rests = MOST_RESTS * Math.min(1, perSec / FULL_SPEED)
  return Math.min(LONGEST_MS, Math.max(LEAST_MS, workMs * rests))
}

export type Pace = {
  /** What was done since the last rest is the piece of work; waiting for something else is none. */
  begin(): void
  rest(): Promise<void>
}

/** `committed`: records that the pipeline has committed, ever. */
export function createPace(committed: () => number, pause: (ms: number) => Promise<void>): Pace {
  let sinceMs = performance.now()
  let before = committed()
  const begin = (): void => {
    sinceMs = performance.now()
    before = committed()
  }
  return {
    begin,
    async rest() {
      await pause(restAfter(performance.now() - sinceMs, committed() - before))
      begin()
    },
  }
}
