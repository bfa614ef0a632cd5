/**
 * The navigation recorder on the wire: what a record may say, and under which names. A record is one span
 * of a v2 span container, so every Sentry-compatible server takes it in; docs/internals/reporter-wire.md
 * describes each attribute with an envelope as it was sent.
 */

/** `sentry.op` of the spans below. */
export const NAVIGATION_OP = 'ui.navigation'
export const PREFETCH_OP = 'ui.prefetch'
export const PAGE_DATA_FAILURE_OP = 'ui.page_data_failure'
export const CHUNK_FAILURE_OP = 'ui.chunk_failure'
export const TAB_OP = 'ui.tab'

/**
 * After this a person takes a page for broken, so the reporter tells of a load that takes longer while it goes on, and
 * the screens call it stuck.
 */
export const STUCK_AFTER_MS = 5_000

/** How often the reporter says that a visible tab is still there. */
export const TAB_BEAT_MS = 4 * 60_000

/** What set a navigation off. */
export const NAVIGATION_TRIGGERS = [
  /** A click, tap or key on a link or button, at most 100 ms before. */
  'click',
  /** A form was sent. */
  'submit',
  /** The history went back. */
  'back',
  /** The history went forward. */
  'forward',
  /** The navigation before it was redirected here. */
  'redirect',
  /** Code, without a person who had just done something. */
  'programmatic',
] as const
export type NavigationTrigger = (typeof NAVIGATION_TRIGGERS)[number]

/**
 * Lengths in ms. `intent`, `match`, the longer of `data` and `chunk`, `commit` and `paint` follow each
 * other and end at what the user sees; `settled` comes after it. What could not be measured is absent.
 */
export const NAVIGATION_PHASES = [
  /** From the person's input (its time stamp) to the router's start. */
  'intent',
  /** From the start until the route is known and its loads begin. */
  'match',
  /** Page data: from the first load's start to the last one's end. */
  'data',
  /** Code of the route: from the first chunk's start to the last one's end. */
  'chunk',
  /** From everything loaded to the new page being in the document. */
  'commit',
  /** From the document's change to the picture of it on the screen. */
  'paint',
  /** From that picture until the requests the navigation started are answered, and those they started. */
  'settled',
] as const
export type NavigationPhase = (typeof NAVIGATION_PHASES)[number]

/** How a navigation ended. `pending` alone is no end: a later span with the same id replaces it. */
export const NAVIGATION_OUTCOMES = [
  /** The new page was shown. */
  'committed',
  /** Ended by a redirect; its target has a record of its own. */
  'redirected',
  /** Another navigation took its place before it was shown. */
  'superseded',
  /** Given up while nothing took its place: blocked, cancelled. */
  'aborted',
  /** An error page or boundary was shown instead. */
  'errored',
  /** Still not there after 60 s; nobody looks any further. */
  'timed_out',
  /** Handed to the browser, which loads the whole page. */
  'full_load',
  /** The page was hidden or left while it was still under way. Replaced if it ends after all. */
  'left',
  /** Still under way after 5 s: reported so that a load that never ends is seen. */
  'pending',
  /** Nobody who told of it saw how it ended. Neither a failure nor a page that was shown. */
  'unknown',
] as const
export type NavigationOutcome = (typeof NAVIGATION_OUTCOMES)[number]

/** What fetching ahead did for a navigation. */
export const PREFETCH_STATES = [
  /** It was there when the navigation began. */
  'used',
  /** It was under way, and the navigation waited for the rest. */
  'late',
  /** It was there but too old, and fetched again. */
  'stale',
  /** It was never needed; only in summaries. */
  'wasted',
  /** Nothing was fetched ahead. */
  'none',
] as const
/** In the place of a router's name, of page loads that speculation rules had prepared: each is issued and used. */
export const SPECULATION_RULES = 'speculation_rules'
export type PrefetchState = (typeof PREFETCH_STATES)[number]

/** Why a chunk of code or a style sheet of the page could not be loaded. */
const CHUNK_FAILURE_KINDS = [
  /** Gone, and the site has another build now: the tab is older than the last deployment. */
  'old_build',
  /** Gone, although the site still serves this very build. */
  'not_found',
  /** The site answers, but not for this file: a blocker, a policy or an extension. */
  'blocked',
  /** The browser says it is offline. */
  'offline',
  /** Nothing of the site answers. */
  'unreachable',
  /** The server failed (5xx). */
  'server',
  /** The file is there and could not be run, or can be had again now. */
  'unknown',
] as const
export type ChunkFailureKind = (typeof CHUNK_FAILURE_KINDS)[number]

/** Why page data could not be had. */
const PAGE_DATA_FAILURE_KINDS = ['offline', 'network', 'client_error', 'server_error'] as const
export type PageDataFailureKind = (typeof PAGE_DATA_FAILURE_KINDS)[number]

/** On every span of the recorder: Unix milliseconds at which the document began, which tells tabs and page loads apart. */
export const PAGE_START_ATTRIBUTE = 'sonde.page_start'

/**
 * `sentry.op` of the root span that Sentry's browser SDKs make of a navigation by themselves. Its end is no end of the
 * navigation: the span ends when nothing was requested for a while, or with the next one. docs/decisions/0065
 */
export const STOCK_NAVIGATION_OP = 'navigation'
/** Who told of a navigation by such a span: this, and the span's origin, stand in place of the router's name. */
export const STOCK_ROUTER_PREFIX = 'sentry:'
/** Integrations with such a name add the recorder to Sentry's SDK: its own spans tell of the same navigations. */
export const RECORDER_INTEGRATION_PREFIX = 'Sonde'
/** On a root span: the record that tells of the same navigation. */
export const NAVIGATION_ID_ATTRIBUTE = 'sonde.navigation.id'

/** Prefixes of attribute names; the rest of each name is a key of the types below. */
export const NAVIGATION_PREFIX = 'sonde.navigation.'
export const PREFETCH_PREFIX = 'sonde.prefetch.'
export const PAGE_DATA_FAILURE_PREFIX = 'sonde.page_data.'
export const CHUNK_FAILURE_PREFIX = 'sonde.chunk.'
export const TAB_PREFIX = 'sonde.tab.'

/** Attributes of a navigation span, without the prefix. Times are whole milliseconds. */
export type NavigationAttributes = {
  readonly trigger: NavigationTrigger
  readonly outcome: NavigationOutcome
  /** A later span with the same id may replace this one. */
  readonly provisional?: true
  /** While it hangs or is left: endpoints that have not answered, `/api/orders/[id], /api/cart`. */
  readonly waiting_for?: string
  /** With it: the phase it was in, and its requests with the milliseconds they had been open, `GET /api/cart 4810, …`. */
  readonly stuck_in?: NavigationPhase
  readonly waits?: string
  /** Route templates; absent where no route is known. */
  readonly from_route?: string
  readonly to_route?: string
  /** Paths, without query and fragment. */
  readonly from: string
  readonly to: string
  /** From the input, or the call, to the picture; over all redirects that led here. */
  readonly visible_after?: number
  /** Span id of the navigation that was redirected here. */
  readonly redirected_from?: string
  /** Where this one was redirected to: route template, or path where none is known. */
  readonly redirect_to?: string
  /** More on the outcome, in the router's words: `timeout`, `chunk`, `blocked`, an error's type. */
  readonly reason?: string
  readonly prefetch?: PrefetchState
  /** Milliseconds between the end of the fetch ahead and the navigation's start. */
  readonly prefetch_lead?: number
  /** Page data came out of the router's cache, or the whole page out of the back/forward cache. */
  readonly cache?: 'hit' | 'miss' | 'bfcache'
  readonly cache_age?: number
  /** Bytes over the network for data and code, and how many requests that were. */
  readonly bytes?: number
  readonly requests?: number
  /** What runs in the page: the release, or the entry script's file name. */
  readonly build?: string
  /** The router that told it, `history` for the default adapter. */
  readonly router: string
  /** `navigationId` of the soft-navigation entry that the browser made for it. */
  readonly soft_navigation_id?: number
} & { readonly [Phase in NavigationPhase as `phase.${Phase}`]?: number }
