/** The feature: `init({ …, features: [navigations()] })`. */
import { NAVIGATION_OP, NAVIGATION_PREFIX, STUCK_AFTER_MS } from '@sonde/protocol/navigation'
import { watchHistory } from '../page/watch-history.ts'
import { watchRequests } from '../page/watch-requests.ts'
import type { Client, Feature } from '../types.ts'
import { followHistory } from './history-router.ts'
import { watchIntent } from './intent.ts'
import { createLedger, type Ledger, pathOf } from './ledger.ts'
import { afterPaint } from './paint.ts'
import { type LooseSpan, toItem } from './spans.ts'
import { attributesOf, type Navigation } from './timeline.ts'
import { createTraffic } from './traffic.ts'

export type NavigationOptions = {
  /** What runs in the page. Default: the release, else the file name of the first module script. */
  readonly build?: string
  /** A navigation that takes longer is reported while it goes on. Default: 5000. */
  readonly hungAfterMs?: number
  /** 0…1 of page loads whose navigations are recorded. Default: 1. */
  readonly sampleRate?: number
}

/** What a router's adapter, and the other parts of the ledger, work with. */
export type Navigations = Ledger & {
  readonly client: Client
  readonly build: string | undefined
  /** Another router than the history tells navigations from now on. */
  take(): void
  /** Sends a span of the ledger, with others that come soon. */
  write(span: LooseSpan): void
}

// Several records may end together; a person who closes the tab costs nothing, as hiding it sends at once.
const SEND_AFTER_MS = 1_000

/** https://wicg.github.io/soft-navigations/ */
type SoftNavigation = PerformanceEntry & { readonly navigationId: number }

type NavigateEvent = Event & {
  readonly destination: { readonly sameDocument: boolean }
  readonly userInitiated: boolean
}

let active: Navigations | undefined

/** The ledger of this page once `navigations()` runs. */
export const activeNavigations = (): Navigations | undefined => active

export const navigations =
  ({ build, hungAfterMs = STUCK_AFTER_MS, sampleRate = 1 }: NavigationOptions = {}): Feature =>
  (client) => {
    if (Math.random() >= sampleRate) return
    const intents = watchIntent()
    watchRequests(client)
    watchHistory(client)
    const own = build ?? client.options.release ?? entryName()
    let waiting: LooseSpan[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    /** What the one that hung waited for: its end has to say so too, as it replaces what was told. */
    let waited: { readonly id: string; readonly for: string | undefined } | undefined

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
    const record = (navigation: Navigation): void => {
      const { id, trace, facts, startMs, intentMs = startMs, endMs = startMs } = navigation
      facts.build = own
      if (facts.provisional) waited = { id, for: traffic.waiting() }
      if (waited?.id === id) facts.waiting_for = waited.for
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
        const facts = ledger.current()?.facts
        if (entry.entryType === 'resource') traffic.resource(entry as PerformanceResourceTiming)
        else if (facts?.to === pathOf(entry.name))
          facts.soft_navigation_id = (entry as SoftNavigation).navigationId
      }
    }
    const observer = new PerformanceObserver((list) => read(list.getEntries()))
    const traffic = createTraffic(() => read(observer.takeRecords()))
    for (const type of ['resource', 'soft-navigation'])
      if (PerformanceObserver.supportedEntryTypes.includes(type)) observer.observe({ type })
    client.on('request', traffic.request)
    client.on('requestEnd', traffic.requestEnd)

    const ledger = createLedger(client, {
      intent: intents.take,
      painted: afterPaint,
      settled: traffic.settled,
      begin: traffic.begin,
      record,
      hungAfterMs,
    })
    ledger.show(location.pathname, undefined)
    // Code that sends the browser to another document while a navigation is under way: a reload after a missing
    // chunk, a router that gives up. What a person does is leaving.
    const api = (window as unknown as { navigation?: EventTarget }).navigation
    api?.addEventListener('navigate', (event) => {
      const { destination, userInitiated } = event as NavigateEvent
      if (!destination.sameDocument && !userInitiated) ledger.end('full_load')
    })
    client.on('event', ({ event }) => {
      const navigation = ledger.current()
      if (!navigation || event.type) return
      const { id, facts } = navigation
      event['contexts'] = {
        ...(event['contexts'] as object),
        navigation: { id, outcome: 'pending', ...facts },
      }
    })
    const take = followHistory(client, ledger, intents.traversal)
    active = { ...ledger, client, build: own, write, take }
    // Last, so that what others write at the last moment is sent too.
    client.on('hide', () => {
      ledger.hide()
      // The parts of the ledger that listen to `hide` come after this one.
      queueMicrotask(flush)
    })
  }

/** Bundlers name the entry by its content, so its name tells builds apart. */
function entryName(): string | undefined {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]')
  return script?.src.split('/').pop()
}
