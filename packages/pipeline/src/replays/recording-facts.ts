/** What is seen in a segment of a recording. The words are those of Sentry's SDK, in rrweb's events of its own kind. */
import { isObject, lenientNumber, lenientText, type RawObject } from '../normalize/read-fields.ts'
import type { RecordedEvent } from './read-recording.ts'
import { videoTimesOf } from './read-replay-video.ts'

export type RecordingFacts = {
  readonly startedMs: number
  readonly finishedMs: number
  readonly urls: readonly string[]
  readonly clicks: number
  readonly rageClicks: number
  readonly deadClicks: number
  /** What was clicked, as often as it was. */
  readonly rageSelectors: readonly string[]
  readonly deadSelectors: readonly string[]
  readonly navigations: number
  readonly requests: number
  readonly failedRequests: number
  readonly consoleLines: number
  readonly vitals: number
  readonly mutations: number
}

const INCREMENTAL = 3
const META = 4
const CUSTOM = 5
const MUTATION = 0
/** As many clicks as an SDK calls a rage click. */
const RAGE_CLICKS = 3
/** The last is that of mobile SDKs. */
const REQUESTS: ReadonlySet<unknown> = new Set(['resource.fetch', 'resource.xhr', 'resource.http'])
const MAX_URLS = 50
const MAX_URL = 2_000

type Lists = { readonly [Name in 'rageSelectors' | 'deadSelectors']: string[] }
type Counts = {
  -readonly [Name in keyof Omit<RecordingFacts, 'urls' | 'startedMs' | 'finishedMs' | keyof Lists>]: number
}
const MAX_SELECTORS = 100
const MAX_SELECTOR = 300

/** Dead: the page did nothing for seven seconds. Rage: clicked three times and more meanwhile, or at once. */
export function factsOfRecording(events: readonly RecordedEvent[]): RecordingFacts {
  // What the SDK adds says when something of the page began, which may be long before the recording did.
  const timed = events.some(({ type }) => type !== CUSTOM)
    ? events.filter(({ type }) => type !== CUSTOM)
    : events
  let startedMs = Infinity
  let finishedMs = 0
  for (const { timestamp } of timed) {
    startedMs = Math.min(startedMs, timestamp)
    finishedMs = Math.max(finishedMs, timestamp)
  }
  const film = videoTimesOf(events)
  if (film) {
    startedMs = Math.min(startedMs, film.startedMs)
    finishedMs = Math.max(finishedMs, film.startedMs + film.durationMs)
  }
  const urls = new Set<string>()
  const counts: Counts = {
    clicks: 0,
    rageClicks: 0,
    deadClicks: 0,
    navigations: 0,
    requests: 0,
    failedRequests: 0,
    consoleLines: 0,
    vitals: 0,
    mutations: 0,
  }
  const lists: Lists = { rageSelectors: [], deadSelectors: [] }
  for (const { type, data } of events) {
    if (!isObject(data)) continue
    if (type === META) {
      const url = lenientText(data.href)?.slice(0, MAX_URL)
      if (url !== undefined && urls.size < MAX_URLS) urls.add(url)
    } else if (type === INCREMENTAL && data.source === MUTATION) counts.mutations++
    else if (type === CUSTOM && isObject(data.payload)) countCustom(counts, lists, data.tag, data.payload)
  }
  return {
    startedMs: Math.floor(startedMs),
    finishedMs: Math.ceil(finishedMs),
    urls: [...urls],
    ...counts,
    ...lists,
  }
}

function countCustom(counts: Counts, lists: Lists, tag: unknown, payload: RawObject): void {
  const element = (list: string[]): void => {
    const selector = selectorOf(payload.message)
    if (selector !== '' && list.length < MAX_SELECTORS) list.push(selector)
  }
  const data = isObject(payload.data) ? payload.data : {}
  if (tag === 'breadcrumb') {
    const clicked = lenientNumber(data.clickCount)
    switch (payload.category) {
      case 'ui.click':
      // Of fingers on mobile SDKs.
      case 'ui.tap':
        counts.clicks++
        break
      case 'ui.slowClickDetected':
        if (data.endReason !== 'timeout') break
        counts.deadClicks++
        element(lists.deadSelectors)
        if (clicked < RAGE_CLICKS) break
        counts.rageClicks++
        element(lists.rageSelectors)
        break
      case 'ui.multiClick':
        if (clicked < RAGE_CLICKS) break
        counts.rageClicks++
        element(lists.rageSelectors)
        break
      case 'navigation':
        counts.navigations++
        break
      case 'console':
        counts.consoleLines++
        break
    }
  } else if (tag === 'performanceSpan') {
    if (REQUESTS.has(payload.op)) {
      counts.requests++
      const status = lenientNumber(data.statusCode)
      if (status >= 400 || status === 0) counts.failedRequests++
    } else if (payload.op === 'web-vital') counts.vitals++
  }
}

/** Of the path that the SDK tells (`body > main > button#pay`) the element itself. */
function selectorOf(message: unknown): string {
  const path = lenientText(message) ?? ''
  return path
    .slice(path.lastIndexOf(' > ') + 1)
    .replace(/^> /, '')
    .trim()
    .slice(0, MAX_SELECTOR)
}
