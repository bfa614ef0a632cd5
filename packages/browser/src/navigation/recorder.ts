/**
 * Records client-side navigations. Routers report what happens (`start`, then one `end`); the recorder makes exactly one
 * record of each, and one more while a navigation is stuck or the page is abandoned meanwhile.
 */
import type { NavigationOutcome, NavigationTrigger } from '@sonde/protocol/navigation'
import { randomHex } from '../random-hex.ts'
import type { Client, NavigationSignal } from '../types.ts'
import type { LeftBy, Verdict } from './history-verdict.ts'
import { addLoad, type Navigation, type NavigationFacts, type Work } from './timeline.ts'

// Then nobody waits any more; a record must not stay open for as long as the tab.
const TIMED_OUT_AFTER_MS = 60_000

export type NavigationStart = {
  /** Path of the target; query and fragment are taken off. */
  readonly to: string
  /** Its route template, if known already. */
  readonly route?: string | undefined
  /** The router's name on the wire. */
  readonly router: string
  /** Nobody has told of a navigation: it is kept to itself until there is more to say than that somebody pressed a link. */
  readonly isDraft?: boolean
  /** When the router knows better than the input before it. */
  readonly trigger?: NavigationTrigger | undefined
  /** Time stamp of the input that set it off, of a router that waits before it starts; none of a redirect. */
  readonly intentMs?: number | undefined
  /** As `Navigation.owns`. */
  readonly owns?: Navigation['owns']
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
  /** `isThere`: the new page is in the document already; else its first change is waited for. */
  end(outcome: EndOutcome, reason?: string, isThere?: boolean): void
  /** Ends it; the next navigation is its continuation. */
  redirect(to: string): void
}

export type NavigationRecorder = {
  /** What the page shows without a navigation of ours: the first route, or one that changed under it. */
  show(path: string, route: string | undefined): void
  /** Somebody other than the router knows the template of a path. What the router said stays. */
  name(path: string, route: string): void
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

export type RecorderParts = {
  /** What a person did just now; asking uses it up. */
  readonly intent: () => { readonly trigger: NavigationTrigger; readonly atMs: number } | undefined
  /** Calls once the new page is in the document (`commitMs`) and on the screen; a hidden page is never painted. */
  readonly painted: (
    run: (commitMs: number, paintMs: number | undefined, isChanged: boolean) => void,
    isThere?: boolean,
  ) => void
  /** Calls once the navigation's requests are answered, or with undefined when that takes too long. */
  readonly settled: (navigation: Navigation, run: (settledMs: number | undefined) => void) => void
  /** A navigation begins to be watched. */
  readonly begin: (navigation: Navigation) => void
  readonly record: (navigation: Navigation, by?: LeftBy) => void
  /** How a draft ended, as far as the page shows it; undefined when nothing says that it was a navigation. */
  readonly judge: (draft: Navigation, by?: LeftBy) => Verdict | undefined
  /** Whether it still waits for answers. */
  readonly isLoading: () => boolean
  readonly hungAfterMs: number
}

export function createRecorder(
  client: Pick<Client, 'emit' | 'trace'>,
  parts: RecorderParts,
): NavigationRecorder {
  const { record, hungAfterMs } = parts
  const now = (): number => performance.now()
  let shown: { path: string; route: string | undefined } = { path: '/', route: undefined }
  let current: Navigation | undefined
  let redirected: Navigation | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  const signal = (navigation: Navigation, state: NavigationSignal['state']): void => {
    const { id, startMs: start, endMs, facts } = navigation
    const { from, to, to_route: route, trigger, outcome } = facts
    client.emit('navigation', { state, id, from, to, trigger, route, start, end: endMs, outcome })
  }

  /** The record goes out; nothing more is written into it. */
  const close = (navigation: Navigation, by?: LeftBy): void => {
    if (current !== navigation) return
    current = undefined
    record(navigation, by)
  }

  /** From now on everybody may know of it. */
  const tell = (navigation: Navigation): void => {
    navigation.isGuessed = navigation.isDraft
    navigation.isDraft = false
    // Tracing answers with the trace that the record belongs to.
    signal(navigation, 'start')
    navigation.trace = client.trace
  }

  const dropDraft = (draft: Navigation, by?: LeftBy): void => {
    clearTimeout(timer)
    const verdict = parts.judge(draft, by)
    if (!verdict) return void (current = undefined)
    tell(draft)
    Object.assign(draft.facts, { outcome: verdict.outcome, reason: verdict.reason })
    draft.endMs = verdict.atMs
    signal(draft, 'end')
    close(draft)
  }

  const end = (
    navigation: Navigation | undefined,
    outcome: EndOutcome,
    reason?: string,
    isThere?: boolean,
  ): void => {
    if (!navigation || navigation.facts.outcome || current !== navigation) return
    clearTimeout(timer)
    if (navigation.isDraft) tell(navigation)
    const { facts } = navigation
    facts.outcome = outcome
    facts.reason ??= reason
    navigation.endMs = now()
    const isShown = outcome === 'committed' || outcome === 'errored'
    if (!isShown) {
      signal(navigation, 'end')
      close(navigation)
      return
    }
    shown = { path: facts.to, route: facts.to_route }
    parts.painted((commitMs, paintMs, isChanged) => {
      if (current !== navigation) return
      navigation.isChanged = isChanged
      navigation.commitMs = commitMs
      navigation.paintMs = paintMs
      navigation.endMs = paintMs ?? commitMs
      signal(navigation, 'end')
      parts.settled(navigation, (settledMs) => {
        navigation.settledMs = settledMs
        close(navigation)
      })
    }, isThere)
  }

  /** Whatever is under way makes room. */
  const leave = (by: LeftBy): void => {
    if (current?.isDraft) return dropDraft(current, by)
    if (!current?.facts.outcome) return end(current, 'superseded')
    if (!current.commitMs) signal(current, 'end')
    close(current, by)
  }

  const provisional = (outcome: 'pending' | 'left'): void => {
    if (current) record({ ...current, facts: { ...current.facts, outcome, provisional: true }, endMs: now() })
  }

  const load = (navigation: Navigation | undefined, work: Work): (() => void) => {
    const startMs = now()
    const count = (more: number): void => {
      if (navigation) navigation.open[work] = (navigation.open[work] ?? 0) + more
    }
    count(1)
    return () => {
      count(-1)
      if (navigation && !navigation.facts.outcome) addLoad(navigation, work, startMs, now())
    }
  }

  return {
    show(path, route) {
      shown = { path: pathOf(path), route }
      client.emit('navigation', { state: 'route', id: '', from: '', to: shown.path, route, start: 0 })
    },
    name(path, route) {
      if (shown.path === path) shown.route ??= route
      if (!current) return
      const { facts } = current
      if (facts.from === path) facts.from_route ??= route
      if (facts.to !== path || facts.to_route) return
      facts.to_route = route
      signal(current, 'route')
    },
    shown: () => shown,
    current: () => current,
    end: (outcome, reason) => end(current, outcome, reason),
    load: (work) => load(current, work),
    start({ to, route, router, trigger, intentMs, owns, isDraft = false }) {
      const intent = redirected ? undefined : parts.intent()
      const askedMs = intentMs ?? intent?.atMs
      const startMs = now()
      leave('next')
      const navigation: Navigation = {
        id: randomHex(8),
        trace: client.trace,
        intentMs: askedMs,
        startMs,
        originMs: redirected?.originMs ?? askedMs ?? startMs,
        loads: {},
        open: {},
        isDraft,
        owns,
        facts: {
          trigger: redirected ? 'redirect' : (trigger ?? intent?.trigger ?? 'programmatic'),
          from: shown.path,
          from_route: shown.route,
          to: pathOf(to),
          to_route: route,
          router,
          redirected_from: redirected?.id,
        },
      }
      const { id, facts } = navigation
      redirected = undefined
      if (!isDraft) tell(navigation)
      current = navigation
      parts.begin(navigation)
      timer = setTimeout(() => {
        if (navigation.isDraft) {
          if (!parts.isLoading()) return dropDraft(navigation)
          tell(navigation)
        }
        provisional('pending')
        timer = setTimeout(
          // What a press began is answered, and the address is the same: whatever that was.
          () => end(navigation, navigation.isGuessed && !parts.isLoading() ? 'unknown' : 'timed_out'),
          TIMED_OUT_AFTER_MS - hungAfterMs,
        )
      }, hungAfterMs)
      return {
        id,
        path: facts.to,
        route(template) {
          if (!template || template === facts.to_route) return
          facts.to_route = template
          signal(navigation, 'route')
        },
        load: (work) => load(navigation, work),
        note: (more) => Object.assign(facts, more),
        end: (...how) => end(navigation, ...how),
        redirect(target) {
          if (facts.outcome) return
          facts.redirect_to = target
          end(navigation, 'redirected')
          redirected = navigation
        },
      }
    },
    hide() {
      if (current?.facts.outcome) return leave('hide')
      if (current?.isDraft) {
        if (!parts.isLoading()) return parts.judge(current, 'hide') && dropDraft(current, 'hide')
        tell(current)
      }
      provisional('left')
    },
  }
}

export const pathOf = (url: string): string => url.replace(/^\w+:\/\/[^/]*|[?#][^]*/g, '') || '/'
