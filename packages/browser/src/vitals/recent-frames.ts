/**
 * Events and long animation frames of late: `web-vitals` names the slow interaction, these say what the time went into.
 * https://web.dev/articles/optimize-inp
 */
import { observeEntries } from '../page/observe-entries.ts'

// Of the order of a few seconds of typing. What made an interaction slow comes within a frame or two of it.
const MAX_KEPT = 60
// web-vitals' number: shorter ones are never the INP of a page that has a problem.
const MIN_EVENT_MS = 40
// Durations are rounded to 8 ms, so events of one frame end up to so far from each other.
const SAME_FRAME_MS = 8
// From pressing to the click; nobody presses something else meanwhile.
const PRESS_MS = 500

export type Phases = {
  readonly inputDelay: number
  readonly processing: number
  readonly presentation: number
}

export type RecentFrames = {
  /** Of an interaction by its entries; handlers of other events in the same frame count as processing. */
  phases(entries: readonly PerformanceEventTiming[]): Phases
  /** What was pressed for the interaction that began then, also when it has left the document since. */
  pressed(startMs: number): Node | undefined
  /** The script that ran longest between these times, in a frame that was long. */
  longestScript(startMs: number, endMs: number): PerformanceScriptTiming | undefined
}

export function keepRecentFrames(): RecentFrames {
  const events: PerformanceEventTiming[] = []
  const frames: PerformanceLongAnimationFrameTiming[] = []
  let press: Event | undefined
  for (const type of ['pointerdown', 'click', 'keydown'])
    addEventListener(type, (event) => (press = event), { capture: true, passive: true })
  const take = (entries: PerformanceEntryList): void => {
    for (const entry of entries) {
      const kept: PerformanceEntry[] = entry.entryType === 'event' ? events : frames
      if (kept.push(entry) > MAX_KEPT) kept.shift()
    }
  }
  const takeHeldBack = observeEntries(['event', 'long-animation-frame'], take, {
    buffered: true,
    durationThreshold: MIN_EVENT_MS,
  })
  return {
    phases(entries) {
      takeHeldBack()
      const { startTime, duration } = entries[0]!
      const paintMs = startTime + duration
      const inFrame = events
        .filter((event) => Math.abs(event.startTime + event.duration - paintMs) <= SAME_FRAME_MS)
        .concat(entries)
      const fromMs = Math.max(startTime, Math.min(...inFrame.map((event) => event.processingStart)))
      // A handler may go on after the paint (`alert`), and rounding may put the paint before it.
      const endMs = Math.max(paintMs, fromMs)
      const toMs = Math.min(endMs, Math.max(...inFrame.map((event) => event.processingEnd)))
      return { inputDelay: fromMs - startTime, processing: toMs - fromMs, presentation: endMs - toMs }
    },
    pressed: (startMs) =>
      press && Math.abs(press.timeStamp - startMs) < PRESS_MS ? (press.target as Node) : undefined,
    longestScript(startMs, endMs) {
      takeHeldBack()
      let longest: PerformanceScriptTiming | undefined
      let longestMs = 0
      for (const frame of frames) {
        if (frame.startTime > endMs || frame.startTime + frame.duration < startMs) continue
        for (const script of frame.scripts) {
          const ms = script.startTime + script.duration - Math.max(startMs, script.startTime)
          if (ms > longestMs) {
            longest = script
            longestMs = ms
          }
        }
      }
      return longest
    },
  }
}
