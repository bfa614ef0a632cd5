/** Which errors are not worth an event. */
import type { EventPayload, Options } from '../types.ts'
import type { Exception } from './exceptions.ts'

type Pattern = string | RegExp

// "Script error." is what a script of another origin without CORS is reduced to: no message, no place, nothing to mend.
// The ResizeObserver one says that a layout took two frames; browsers dispatch it although nothing failed:
// https://github.com/w3c/csswg-drafts/issues/5023
const NOISE: readonly Pattern[] = [/Script error\.?$/, /ResizeObserver loop/]
// A loop that throws says nothing new; somebody who tries again after some seconds does.
const SAME_WITHIN_MS = 5000

/** True for what is not to be sent: filtered by the options, or the same as the one before. */
export function createErrorFilter(options: Options): (event: EventPayload) => boolean {
  let lastText = ''
  let lastMs = 0
  return (event) => {
    const values = (event['exception'] as { values: Exception[] } | undefined)?.values
    const thrown = values?.[values.length - 1]
    const frames = thrown?.stacktrace?.frames
    const text = thrown ? `${thrown.type}: ${thrown.value}` : String(event['message'])
    const url = frames?.[frames.length - 1]?.filename
    const { ignoreErrors = [], denyUrls, allowUrls } = options
    if (matches(text, [...NOISE, ...ignoreErrors])) return true
    if (url && matches(url, denyUrls)) return true
    if (url && allowUrls && !matches(url, allowUrls)) return true
    const nowMs = Date.now()
    const whole = text + JSON.stringify([frames, event['fingerprint'], event['level']])
    const isSame = whole === lastText && nowMs - lastMs < SAME_WITHIN_MS
    lastText = whole
    lastMs = nowMs
    return isSame
  }
}

/** A string matches anywhere in the text. */
const matches = (text: string, patterns: readonly Pattern[] = []): boolean =>
  patterns.some((pattern) => (typeof pattern === 'string' ? text.includes(pattern) : pattern.test(text)))
