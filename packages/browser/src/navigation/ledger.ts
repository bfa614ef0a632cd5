/**
 * The book of client-side navigations. Routers tell it what happens (`start`, then one `end`); it makes
 * exactly one record of each, and one more while a navigation hangs or the page is left meanwhile.
 */
import type { NavigationOutcome, NavigationTrigger } from '@sonde/protocol/navigation'
import type { NavigationSignal, TraceState } from '../types.ts'
import { addLoad, type Navigation, type NavigationFacts, type Work } from './timeline.ts'

// A person waits about this long before giving up; Sonde's own router gives up at 3.8 s.
export const HUNG_AFTER_MS = 5_000
// Then nobody waits any more; a record must not stay open for as long as the tab.
const TIMED_OUT_AFTER_MS = 60_000

export type NavigationStart = {
  /** Path of the target; query and fragment are taken off. */
  readonly to: string
  /** Its route template, if known already. */
  readonly route?: string | undefined
  /** The router's name on the wire. */
  readonly router: string
  /** When the router knows better than the input before it. */
  readonly trigger?: NavigationTrigger | undefined
}

/** How a router tells that a navigation is over. Anything after the first end is ignored. */
export type EndOutcome = Exclude<NavigationOutcome, 'pending' | 'left'>

/** A navigation under way, for the router that started it. */
export type OpenNavigation = {
  readonly id: string
  readonly path: string
  /** The template became known. */
  route(template: string | undefined): void
  /** A load begins; call what it returns when it has ended. */
  load(work: Work): () => void
  note(facts: NavigationFacts): void
  end(outcome: EndOutcome, reason?: string): void
  /** Ends it; the next navigation is its continuation. */
  redirect(to: string): void
}

export type Ledger = {
  /** What the page shows without a navigation of ours: the first route, or one that changed under it. */
  show(path: string, route: string | undefined): void
  /** What is shown, and the template if a router told it. */
  shown(): { readonly path: string; readonly route: string | undefined }
  start(start: NavigationStart): OpenNavigation
  /** The one under way or being settled. */
  current(): Navigation | undefined
  /** Ends the one under way, for whoever did not start it. */
  end(outcome: EndOutcome, reason?: string): void
  /** A load of the navigation under way begins, if one is; call what it returns when it has ended. */
  load(work: Work): () => void
  /** The page is hidden or left. */
  hide(): void
}

export type LedgerEnvironment = {
  readonly nowMs: () => number
  readonly newId: () => string
  /** Returns what cancels it. */
  readonly after: (ms: number, run: () => void) => () => void
  /** What a person did just now; asking uses it up. */
  readonly intent: () => { readonly trigger: NavigationTrigger; readonly atMs: number } | undefined
  /** Calls once the new page is in the document (`commitMs`) and on the screen; a hidden page is never painted. */
  readonly painted: (run: (commitMs: number, paintMs: number | undefined) => void) => void
  /** Calls once the navigation's requests are answered, or with undefined when that takes too long. */
  readonly settled: (navigation: Navigation, run: (settledMs: number | undefined) => void) => void
  readonly trace: () => TraceState
  readonly emit: (signal: NavigationSignal) => void
  readonly record: (navigation: Navigation, isProvisional: boolean) => void
  readonly hungAfterMs: number
}

export function createLedger(environment: LedgerEnvironment): Ledger {
  const { nowMs, after, emit } = environment
  let shown: { path: string; route: string | undefined } = { path: '/', route: undefined }
  let current: Navigation | undefined
  let redirected: Navigation | undefined
  let cancelTimer: (() => void) | undefined

  const signal = (navigation: Navigation, state: NavigationSignal['state']): void => {
    const { id, from, to, route, trigger, startMs: start, paintMs, endMs, outcome } = navigation
    emit({ state, id, from, to, trigger, route, start, end: paintMs ?? endMs, outcome })
  }

  /** The record goes out; nothing more is written into it. */
  const close = (navigation: Navigation): void => {
    if (current !== navigation) return
    current = undefined
    environment.record(navigation, false)
  }

  const end = (navigation: Navigation, outcome: EndOutcome, reason?: string): void => {
    if (navigation.outcome || current !== navigation) return
    cancelTimer?.()
    navigation.outcome = outcome
    navigation.endMs = nowMs()
    if (reason) navigation.facts = { ...navigation.facts, reason }
    if (outcome !== 'committed' && outcome !== 'errored') {
      signal(navigation, 'end')
      close(navigation)
      return
    }
    shown = { path: navigation.to, route: navigation.route }
    environment.painted((commitMs, paintMs) => {
      if (current !== navigation) return
      navigation.commitMs = commitMs
      navigation.endMs = paintMs ?? commitMs
      if (paintMs !== undefined) navigation.paintMs = paintMs
      signal(navigation, 'end')
      environment.settled(navigation, (settledMs) => {
        if (settledMs !== undefined) navigation.settledMs = settledMs
        close(navigation)
      })
    })
  }

  /** Whatever is under way makes room. */
  const leave = (): void => {
    if (!current) return
    if (!current.outcome) return end(current, 'superseded')
    if (current.paintMs === undefined) signal(current, 'end')
    close(current)
  }

  const provisional = (outcome: 'pending' | 'left'): void => {
    if (current) environment.record({ ...current, outcome, endMs: nowMs() }, true)
  }

  const load = (navigation: Navigation | undefined, work: Work): (() => void) => {
    const loadStartMs = nowMs()
    return () => navigation && !navigation.outcome && addLoad(navigation, work, loadStartMs, nowMs())
  }

  return {
    show(path, route) {
      shown = { path: pathOf(path), route }
      const startMs = 0
      emit({ state: 'route', id: '', from: '', to: shown.path, route, start: startMs })
    },
    shown: () => shown,
    current: () => current,
    end: (outcome, reason) => current && end(current, outcome, reason),
    load: (work) => load(current, work),
    start({ to, route, router, trigger }) {
      const intent = environment.intent()
      leave()
      const before = redirected
      redirected = undefined
      const startMs = nowMs()
      const id = environment.newId()
      const intentMs = before ? undefined : intent?.atMs
      // The signal comes first: tracing answers it with the trace that the record belongs to.
      const head = { id, from: shown.path, to: pathOf(to), route, start: startMs }
      const why = before ? 'redirect' : (trigger ?? intent?.trigger ?? 'programmatic')
      emit({ state: 'start', trigger: why, ...head })
      const { traceId, spanId, sampled } = environment.trace()
      const navigation: Navigation = {
        id,
        traceId,
        parentSpanId: sampled ? spanId : undefined,
        router,
        trigger: why,
        from: head.from,
        fromRoute: shown.route,
        to: head.to,
        route,
        intentMs,
        startMs,
        originMs: before?.originMs ?? intentMs ?? startMs,
        redirectedFrom: before?.id,
        loads: {},
        facts: {},
      }
      current = navigation
      cancelTimer = after(environment.hungAfterMs, () => {
        provisional('pending')
        cancelTimer = after(TIMED_OUT_AFTER_MS - environment.hungAfterMs, () => end(navigation, 'timed_out'))
      })
      return {
        id,
        path: navigation.to,
        route(template) {
          if (!template || template === navigation.route) return
          navigation.route = template
          signal(navigation, 'route')
        },
        load: (work) => load(navigation, work),
        note: (facts) => void (navigation.facts = { ...navigation.facts, ...facts }),
        end: (outcome, reason) => end(navigation, outcome, reason),
        redirect(target) {
          if (navigation.outcome) return
          navigation.facts = { ...navigation.facts, redirect_to: target }
          end(navigation, 'redirected')
          redirected = navigation
        },
      }
    },
    hide() {
      if (current?.outcome) leave()
      else provisional('left')
    },
  }
}

export const pathOf = (url: string): string => url.replace(/^\w+:\/\/[^/]*|[?#].*$/g, '') || '/'
