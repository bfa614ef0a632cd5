/** Which errors are not worth an event. */
import type { EventPayload, Options } from '../types.ts'
import type { Exception } from './exceptions.ts'

// "Script error." is what a script of another origin without CORS is reduced to: no message, no place, nothing to mend.
// The ResizeObserver one says that a layout took two frames; browsers dispatch it although nothing failed:
// https://github.com/w3c/csswg-drafts/issues/5023
const NOISE = /Script error\.?$|ResizeObserver loop/
// A loop that throws says nothing new; somebody who tries again after some seconds does.
const SAME_WITHIN_MS = 5000

/** True for what is not to be sent: filtered by the options, or the same as the one before. */
export function createErrorFilter(options: Options): (event: EventPayload) => boolean {
  const { ignoreErrors = [], denyUrls, allowUrls } = options
  let lastText = ''
  let lastMs = 0
  return ({ exception, message, level, fingerprint }) => {
    const thrown = (exception as { values: Exception[] } | undefined)?.values.slice(-1)[0]
    const frames = thrown?.stacktrace?.frames
    const url = frames?.slice(-1)[0]!.filename
    const said = thrown ? `${thrown.type}: ${thrown.value}` : (message as string)
    const text = JSON.stringify([said, frames, level, fingerprint])
    const nowMs = Date.now()
    const isSame = text === lastText && nowMs - lastMs < SAME_WITHIN_MS
    lastText = text
    lastMs = nowMs
    return (
      isSame ||
      matches(said, [NOISE, ...ignoreErrors]) ||
      (!!url && (matches(url, denyUrls) || !matches(url, allowUrls ?? [''])))
    )
  }
}

/** A string matches anywhere in the text. */
const matches = (text: string, patterns: readonly (string | RegExp)[] = []): boolean =>
  patterns.some((pattern) =>
    typeof pattern === 'string' ? text.includes(pattern) : text.search(pattern) >= 0,
  )
