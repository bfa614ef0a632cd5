/**
 * Which pieces of our code have run, by V8's own block counters: an input that reaches a new piece is worth changing
 * further. https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#method-takePreciseCoverage
 */
import { type Profiler, Session } from 'node:inspector'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const OURS = pathToFileURL(join(import.meta.dirname, '..', '..', '..', 'packages')).href

export type Coverage = {
  /** Of all so far. */
  readonly pieces: () => number
  /** How many pieces ran for the first time since the last call. */
  take(): number
  /** What the last call found counts as new again. */
  forgetLast(): void
  stop(): void
}

export function startCoverage(): Coverage {
  const session = new Session()
  session.connect()
  const seen = new Set<string>()
  let last: string[] = []
  const post = (method: string, params: object = {}): Profiler.TakePreciseCoverageReturnType => {
    let answer: Profiler.TakePreciseCoverageReturnType | undefined
    let failure: Error | null = null
    // Answers come at once, within the call.
    session.post(method, params, (error, result) => {
      failure = error
      answer = result as Profiler.TakePreciseCoverageReturnType
    })
    if (failure !== null) throw failure
    return answer!
  }
  post('Profiler.enable')
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  const note = (piece: string): void => {
    if (seen.has(piece)) return
    seen.add(piece)
    last.push(piece)
  }
  return {
    pieces: () => seen.size,
    take() {
      last = []
      for (const { url, scriptId, functions } of post('Profiler.takePreciseCoverage').result) {
        if (!url.startsWith(OURS)) continue
        for (const { ranges } of functions)
          for (const { startOffset, endOffset, count } of ranges)
            if (count > 0) note(`${scriptId}:${startOffset}:${endOffset}`)
      }
      return last.length
    },
    forgetLast() {
      for (const piece of last) seen.delete(piece)
      last = []
    },
    stop() {
      post('Profiler.stopPreciseCoverage')
      session.disconnect()
    },
  }
}
