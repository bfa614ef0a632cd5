/** The words of the screen for what the SDK reports. The values themselves: packages/protocol/src/navigation.ts. */
import type {
  NavigationOutcome,
  NavigationPhase,
  NavigationTrigger,
  PrefetchState,
} from '@sonde/protocol/navigation'
import { STOCK_ROUTER_PREFIX } from '@sonde/protocol/navigation'
import type { NavigationDetail } from '@sonde/queries'
import { formatDuration } from '../../../../format/format-time.ts'

type Words = { readonly name: string; readonly about: string }

/** In the order of their time. */
export const PHASE_WORDS: { readonly [Phase in NavigationPhase]: Words } = {
  intent: { name: 'Input', about: 'Input delay before the router started' },
  match: { name: 'Match', about: 'From the start of the router to the first load' },
  data: { name: 'Data', about: 'Waiting for page data, where it took longer than the code' },
  chunk: { name: 'Code', about: 'Waiting for code and styles, where that took longer than the data' },
  commit: { name: 'Render', about: 'From loaded to DOM commit' },
  paint: { name: 'Paint', about: 'From DOM commit to paint' },
  settled: { name: 'Settling', about: 'After paint, until its requests finish' },
}

export const OUTCOME_WORDS: { readonly [Outcome in NavigationOutcome]: string } = {
  committed: 'completed',
  redirected: 'redirected',
  superseded: 'superseded',
  aborted: 'aborted',
  errored: 'errored',
  timed_out: 'timed out',
  full_load: 'hard navigation',
  left: 'abandoned',
  pending: 'pending',
  unknown: 'not known',
}

/** Outcomes that count as failed. */
export const FAILED_OUTCOMES = [
  'errored',
  'timed_out',
  'pending',
  'left',
  'full_load',
] as const satisfies NavigationOutcome[]

export const TRIGGER_WORDS: { readonly [Trigger in NavigationTrigger]: string } = {
  click: 'Link or button',
  submit: 'Form',
  back: 'Back',
  forward: 'Forward',
  redirect: 'Redirect',
  programmatic: 'Programmatic',
}

export const PREFETCH_WORDS: { readonly [State in PrefetchState]: Words } = {
  used: { name: 'Hit', about: 'The prefetch had completed before the navigation' },
  late: { name: 'Late', about: 'The prefetch was still in flight when the navigation started' },
  stale: { name: 'Stale', about: 'Prefetched, but older than its stale time and fetched again' },
  wasted: { name: 'Unused', about: 'Prefetched but never used' },
  none: { name: 'Not prefetched', about: 'Nothing was prefetched' },
}

/** Undefined for an unknown value. */
export const wordOf = <Text>(words: Readonly<Record<string, Text>>, key: string): Text | undefined =>
  Object.hasOwn(words, key) ? words[key] : undefined

/** Why a router handed a navigation to the browser, in words, and what to do about it. */
type HardNavigationReason = {
  readonly title: string
  readonly why: string
  readonly todo: string
}

const REASONS: Readonly<Record<string, HardNavigationReason>> = {
  timeout: {
    title: 'Data request timed out',
    why: 'The router waits some seconds for page data, then lets the browser load the page.',
    todo: 'Open the traces of these routes to see what the server does, then check network latency.',
  },
  network: {
    title: 'No response for page data',
    why: 'The request failed without a response: offline, a dropped connection, or a blocker.',
    todo: 'Many at once point to an outage or a proxy, single ones to users’ connections. Compare by connection and country.',
  },
  server: {
    title: 'Server error',
    why: 'The server, or a proxy in front of it, responded to the data request with an error (5xx).',
    todo: 'See “Failed data requests” for their status and the issue on the server.',
  },
  build: {
    title: 'New release deployed',
    why: 'The server runs another build than the tab, so the page is reloaded. This is expected.',
    todo: 'Nothing to fix. Many of them mean frequent releases or long-lived tabs.',
  },
  chunk: {
    title: 'Code could not be loaded',
    why: 'A code file of the route was missing, usually because a deploy removed it.',
    todo: 'Keep the files of previous releases for as long as tabs stay open; see the card about old builds.',
  },
  'no-route': {
    title: 'No matching route',
    why: 'The URL matches no route of the router: it belongs to another application or does not exist.',
    todo: 'Use plain links to other applications. If the route should exist, the tab may run an older build.',
  },
  'content-type': {
    title: 'Unexpected response',
    why: 'The response was not page data: a sign-in page, a proxy’s page, or cached HTML.',
    todo: 'Check what is between browser and server on these routes: expired sessions, captive portals, caches.',
  },
  json: {
    title: 'Malformed data response',
    why: 'The response was truncated or corrupted in transit.',
    todo: 'Check for proxies that truncate long responses, and for servers that stop mid-response.',
  },
  origin: {
    title: 'Redirected to another site',
    why: 'The data request was redirected to another origin, which only the browser can follow.',
    todo: 'Nothing, if intended (external sign-in, payment). Otherwise check the redirect.',
  },
}

const UNKNOWN_REASON: HardNavigationReason = {
  title: 'Unknown reason',
  why: 'Code on the page sent the browser to another document during a navigation.',
  todo: 'Look for location.assign, location.reload and links without the router. Report the reason with activeNavigations()?.end("full_load", "…").',
}

/** A reason of another router is shown as it is. */
export function explainHardNavigation(reason: string): HardNavigationReason {
  if (reason === '') return UNKNOWN_REASON
  const known = Object.hasOwn(REASONS, reason) ? REASONS[reason] : undefined
  return (
    known ?? {
      title: reason,
      why: 'Reported by the router.',
      todo: 'See the router’s documentation.',
    }
  )
}

export const KNOWN_REASONS = Object.keys(REASONS)

/** How one navigation ended, in a sentence. */
type Ended = Pick<
  NavigationDetail,
  'outcome' | 'reason' | 'visibleAfterMs' | 'durationMs' | 'waitingFor' | 'router'
>

export function describeNavigation({
  outcome,
  reason,
  visibleAfterMs,
  durationMs,
  waitingFor,
  router,
}: Ended): string {
  const after = formatDuration(visibleAfterMs ?? durationMs)
  const waiting = waitingFor === '' ? '' : `, waiting for ${waitingFor}`
  switch (outcome) {
    case 'committed':
      return `Visible after ${after}.${waitingFor === '' ? '' : ` Stuck waiting for ${waitingFor}.`}`
    case 'pending':
      return `Still pending after ${after}${waiting}. No end was reported; the tab was probably closed.`
    case 'left':
      return `Abandoned after ${after}${waiting}.`
    case 'timed_out':
      return `Timed out after ${after}${waiting}.`
    case 'full_load':
      return `Hard navigation after ${after}: ${lowerFirst(explainHardNavigation(reason).title)}.`
    case 'unknown':
      if (router.startsWith(STOCK_ROUTER_PREFIX))
        return `Outcome not known: reported by Sentry’s SDK alone. Its idle span took ${after} and ${IDLE_ENDS[reason] ?? 'does not say why it ended'}.`
      return `How it ended is not known: the page did not show it (${after}). A router adapter of the SDK reports it.`
    case 'errored':
      return `Error page after ${after}${reason === '' ? '' : ` (${reason})`}.`
    default: {
      const words = wordOf(OUTCOME_WORDS, outcome) ?? 'unknown outcome'
      return `${words.charAt(0).toUpperCase()}${words.slice(1)} after ${after}${reason === '' ? '' : ` (${reason})`}.`
    }
  }
}

/** Why Sentry’s SDK ended the span of a navigation. https://github.com/getsentry/sentry-javascript (idleSpan) */
const IDLE_ENDS: Readonly<Record<string, string>> = {
  idleTimeout: 'ended when nothing was requested for a second',
  finalTimeout: 'was cut at the SDK’s limit of 30 s',
  heartbeatFailed: 'was cut: a request did not end in time',
  documentHidden: 'was cut: the tab was hidden or closed',
  cancelled: 'was cut by the next navigation',
  interactionInterrupted: 'was cut by the next navigation',
  externalFinish: 'was ended by code of the page',
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
