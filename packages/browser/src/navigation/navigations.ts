/** The feature: `init({ …, features: [navigations()] })`. */
import {
  NAVIGATION_OP,
  NAVIGATION_PREFIX,
  type NavigationTrigger,
  STUCK_AFTER_MS,
} from '@sonde/protocol/navigation'
import { observeEntries } from '../page/observe-entries.ts'
import { watchHistory } from '../page/watch-history.ts'
import { watchRequests } from '../page/watch-requests.ts'
import type { EventPayload, Mechanism, NavigationClient, NavigationFeature } from '../types.ts'
import { failureReason } from './failure-reason.ts'
import { followHistory, HISTORY } from './follow-history.ts'
import { judgeDraft, judgeShown, type LeftBy } from './history-verdict.ts'
import { createRecorder, type NavigationRecorder, pathOf } from './recorder.ts'
import { type LooseSpan, toItem } from './spans.ts'
import { attributesOf, type Navigation, type NavigationFacts, phaseOf } from './timeline.ts'
import { createTraffic, endpointOf } from './traffic.ts'

/** What a person did just now, which tells a click from code that navigates by itself. */
type Intent = { readonly trigger: NavigationTrigger; readonly atMs: number }

// From our listener, which runs before the page's, to the router: the same task or one soon after it.
const WINDOW_MS = 100

type NavigationApi = EventTarget & { readonly currentEntry: { readonly index: number } | null }

type Intents = {
  /** Asking uses it up: a navigation that code starts right after one by a click is no click. */
  take(): Intent | undefined
  isFresh(): boolean
  /** Which way the history went last. */
  traversal(): NavigationTrigger
}

function watchIntent(): Intents {
  let last: Intent | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let trigger: NavigationTrigger = 'back'
  const note = (event: Event, why: NavigationTrigger): void => {
    if (!event.isTrusted) return
    last = { trigger: why, atMs: event.timeStamp }
    clearTimeout(timer)
    // A timer, no clock: what the page does in the task of the press is by the press, however slow it is.
    timer = setTimeout(() => (last = undefined), WINDOW_MS)
  }
  for (const type of ['click', 'submit'] as const) addEventListener(type, (event) => note(event, type), true)
  addEventListener('popstate', (event) => note(event, trigger), true)
  // Without the Navigation API forward cannot be told from back.
  const { navigation } = window as unknown as { navigation?: NavigationApi }
  navigation?.addEventListener('currententrychange', (event) => {
    const { from } = event as unknown as { from: { index: number } }
    trigger = navigation.currentEntry!.index > from.index ? 'forward' : 'back'
  })
  return {
    isFresh: () => !!last,
    take() {
      const intent = last
      last = undefined
      return intent
    },
    traversal: () => trigger,
  }
}

// Routers say "done" before React has rendered. A page that then changes nothing was there already.
const RENDERED_WITHIN_MS = 500

/** The first change of the document from now on, or the one that is there already, and the end of the frame that shows it. */
function afterPaint(
  run: (commitMs: number, paintMs: number | undefined, isChanged: boolean) => void,
  isThere?: boolean,
): void {
  const calledMs = performance.now()
  if (document.hidden) return run(calledMs, undefined, true)
  let unchangedMs = calledMs
  const frame = (then: (paintMs: number) => void): void => {
    // A task after the frame's callbacks: style, layout and paint of this frame are then done.
    requestAnimationFrame(() => setTimeout(() => then(performance.now())))
  }
  if (isThere) return frame((paintMs) => run(calledMs, paintMs, true))
  const observer = new MutationObserver(() => {
    stop()
    const commitMs = performance.now()
    frame((paintMs) => run(commitMs, paintMs, true))
  })
  const stop = (): void => {
    observer.disconnect()
    clearTimeout(timer)
  }
  observer.observe(document, { childList: true, characterData: true, subtree: true })
  frame((paintMs) => (unchangedMs = paintMs))
  const timer = setTimeout(() => {
    stop()
    run(calledMs, unchangedMs, false)
  }, RENDERED_WITHIN_MS)
}

export type NavigationOptions = {
  /** What runs in the page. Default: the release, else the file name of the first module script. */
  readonly build?: string
  /** A navigation that takes longer is reported while it goes on. Default: 5000. */
  readonly hungAfterMs?: number
  /** 0…1 of page loads whose navigations are recorded. Default: 1. */
  readonly sampleRate?: number
}

/** What a router's adapter, and the other features of navigations, work with. */
export type Navigations = NavigationRecorder & {
  readonly client: NavigationClient
  readonly build: string | undefined
  /** Code of the page could not be loaded: where no router tells, the navigation under way has failed by that. */
  failed(reason: string): void
  /** Another router than the history tells navigations from now on. */
  take(): void
  /** Sends a span of the recorder, with others that come soon. */
  write(span: LooseSpan): void
}

// Several records may end together; a person who closes the tab costs nothing, as hiding it sends at once.
const SEND_AFTER_MS = 1_000

/** https://wicg.github.io/soft-navigations/ */
type SoftNavigation = PerformanceEntry & {
  readonly navigationId: number
  /** Of its first content, on the screen; Chromium. */
  readonly presentationTime?: number
}

type NavigateEvent = Event & {
  readonly destination: { readonly sameDocument: boolean }
  readonly userInitiated: boolean
}

let active: Navigations | undefined

/** The recorder of this page once `navigations()` runs. */
export const activeNavigations = (): Navigations | undefined => active

export const navigations =
  ({ build, hungAfterMs = STUCK_AFTER_MS, sampleRate = 1 }: NavigationOptions = {}): NavigationFeature =>
  (client) => {
    if (Math.random() >= sampleRate) return
    const intents = watchIntent()
    watchRequests(client)
    watchHistory(client)
    const own = build ?? client.options.release ?? entryName()
    let waiting: LooseSpan[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    /** What the stuck one waited for: its end has to say so too, as it replaces what was reported. */
    let waited: { readonly id: string; readonly facts: NavigationFacts } | undefined

    const flush = (): void => {
      clearTimeout(timer)
      timer = undefined
      if (waiting.length) client.send([toItem(client, waiting)])
      waiting = []
    }
    const write = (span: LooseSpan): void => {
      waiting.push(span)
      timer ??= setTimeout(flush, SEND_AFTER_MS)
    }
    const record = (navigation: Navigation, by?: LeftBy): void => {
      const { id, trace, facts, startMs, intentMs = startMs } = navigation
      facts.build = own
      // The browser knows when content was on the screen. What we see of a frame is its end, and of a page its first change.
      const { presentedMs = 0, commitMs = Infinity } = navigation
      if (presentedMs >= commitMs) navigation.paintMs = navigation.endMs = presentedMs
      const endMs = navigation.endMs ?? startMs
      if (facts.router === HISTORY && facts.outcome === 'committed' && !navigation.isTold) {
        const { outcome, reason } = judgeShown(navigation, by, traffic.seen()) ?? facts
        Object.assign(facts, { outcome, reason })
        if (outcome !== 'committed') {
          const { from, to } = facts
          client.emit('navigation', { state: 'judged', id, from, to, start: startMs, outcome })
        }
      }
      if (facts.provisional) {
        const requests = traffic.waiting()
        waited = {
          id,
          facts: {
            stuck_in: phaseOf(navigation, requests.length > 0),
            waiting_for: requests.map(({ url }) => endpointOf(url)).join(', ') || undefined,
            waits:
              requests
                .map(({ method, url, start }) => `${method} ${endpointOf(url)} ${Math.round(endMs - start)}`)
                .join(', ') || undefined,
          },
        }
      }
      if (waited?.id === id) Object.assign(facts, waited.facts)
      write({
        traceId: trace.traceId,
        spanId: id,
        parentSpanId: trace.sampled ? trace.spanId : undefined,
        op: NAVIGATION_OP,
        prefix: NAVIGATION_PREFIX,
        name: facts.to_route ?? facts.to,
        isError: /err|out|pend/.test(facts.outcome!),
        startMs: intentMs,
        endMs,
        attributes: attributesOf(navigation),
      })
    }

    const read = (entries: PerformanceEntryList): void => {
      for (const entry of entries) {
        const current = recorder.current()
        if (entry.entryType === 'resource') traffic.resource(entry as PerformanceResourceTiming)
        else if (current?.facts.to === pathOf(entry.name)) {
          const { navigationId, presentationTime } = entry as SoftNavigation
          current.facts.soft_navigation_id = navigationId
          current.presentedMs = presentationTime
        }
      }
    }
    const traffic = createTraffic(observeEntries(['resource', 'soft-navigation'], read), intents.isFresh)
    client.on('request', traffic.request)
    client.on('requestEnd', traffic.requestEnd)

    const recorder = createRecorder(client, {
      intent: intents.take,
      painted: afterPaint,
      settled: traffic.settled,
      begin: traffic.begin,
      record,
      judge: (_, by) => judgeDraft(by, traffic.seen()),
      isLoading: () => traffic.seen().isLoading,
      hungAfterMs,
    })
    recorder.show(location.pathname, undefined)
    // Code that sends the browser to another document while a navigation is under way: a reload after a missing
    // chunk, a router that gives up. What a person does is leaving.
    const api = (window as unknown as { navigation?: EventTarget }).navigation
    api?.addEventListener('navigate', (event) => {
      const { destination, userInitiated } = event as NavigateEvent
      if (!destination.sameDocument && !userInitiated) recorder.end('full_load')
    })
    client.on('event', ({ event, hint }) => {
      const navigation = recorder.current()
      if (!navigation || navigation.isDraft || event.type) return
      // What nobody caught before the new page is there may be why it never comes.
      if (isUncaught(event) && navigation.commitMs === undefined)
        traffic.fail({
          outcome: 'unknown',
          reason: failureReason(hint.originalException),
          atMs: performance.now(),
        })
      const { id, facts } = navigation
      event['contexts'] = {
        ...(event['contexts'] as object),
        navigation: { id, outcome: 'pending', ...facts },
      }
    })
    const failed = (reason: string): void =>
      traffic.fail({ outcome: 'errored', reason, atMs: performance.now() })
    const take = followHistory(client, recorder, intents)
    active = { ...recorder, client, build: own, write, failed, take }
    // Last, so that what others write at the last moment is sent too.
    client.on('hide', () => {
      recorder.hide()
      // The features that listen to `hide` come after this one.
      queueMicrotask(flush)
    })
  }

const isUncaught = ({ exception }: EventPayload): boolean =>
  !!(exception as { values?: { mechanism?: Mechanism }[] } | undefined)?.values?.some(
    ({ mechanism }) => mechanism?.handled === false,
  )

/** Bundlers name the entry by its content, so its name tells builds apart. */
export function entryName(): string | undefined {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')
  return script?.src.split('/').pop()
}
