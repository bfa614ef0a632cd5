/** What the parts of the reporter say to each other. Wire shapes follow https://develop.sentry.dev/sdk/data-model/. */

import type { Parcel } from './transport/transport.ts'

/** `init` calls each feature once, in the order given. What is not imported is not in the bundle. */
export type Feature = (client: Client) => void

export type Primitive = string | number | boolean | null | undefined
export type Level = 'fatal' | 'error' | 'warning' | 'info' | 'debug'

export type Breadcrumb = {
  /** Seconds since 1970; set when missing. */
  timestamp?: number
  type?: string
  category?: string
  level?: Level
  message?: string
  data?: Record<string, unknown>
}

/** An `event` or `transaction` payload as it goes on the wire; every field is optional. */
export type EventPayload = Record<string, unknown> & { event_id?: string; type?: 'transaction' }

/** What an event was made from; never sent. */
export type Hint = { readonly originalException?: unknown }
/** How an exception reached the reporter: `mechanism` of https://develop.sentry.dev/sdk/data-model/event-payloads/exception/. */
export type Mechanism = {
  type: string
  handled: boolean
  synthetic?: boolean | undefined
  source?: string
  exception_id?: number
  parent_id?: number
  is_exception_group?: boolean | undefined
  data?: Record<string, Primitive>
}

/** What one capture adds to the scope's values; wins over them. */
export type CaptureContext = {
  user?: Record<string, unknown> | null
  tags?: Record<string, Primitive>
  contexts?: Record<string, Record<string, unknown>>
  extra?: Record<string, unknown>
  level?: Level
  fingerprint?: string[]
  mechanism?: Mechanism
}

/** One item of an envelope: its header and its payload, before it is written as text. */
export type Item = readonly [header: { type: string; [field: string]: unknown }, payload: unknown]

/** The trace that whatever happens now belongs to. A navigation brings a new one. */
export type TraceState = {
  traceId: string
  /** Of the root span when tracing is on; otherwise made up once per trace. */
  spanId: string
  parentSpanId?: string
  sampled?: boolean
  /** Route template, path or a name of the app's, and which of them (`transaction_info.source`). */
  name?: string
  source?: 'route' | 'url' | 'custom'
  /** The number that decided, and the rate it was compared with; as text, both travel in baggage. */
  sampleRand?: string
  sampleRate?: number
  /** Of the navigation it was made for. */
  navigationId?: string | undefined
  /** Frozen when it came from the server's meta tags or Server-Timing. */
  dsc?: Record<string, string>
}

export type Client = {
  readonly options: Options
  readonly dsn: Dsn
  readonly transport: Transport
  readonly scope: Scope
  trace: TraceState
  lastEventId?: string
  /** Set by the feature `tabs`: this tab, over its page loads, and this page load. */
  tab?: { readonly id: string; readonly page: string }
  /** Adds scope and trace, asks `beforeSend`, sends. The id, or undefined when it was dropped. Never throws. */
  capture(event: EventPayload, hint?: Hint, context?: CaptureContext): string | undefined
  /**
   * Sends items as one envelope (transport limits apply). `trace` is the envelope header's dynamic sampling context.
   * While the page is hidden it goes out by `sendBeacon`. Never throws.
   */
  send(items: readonly Item[], trace?: Record<string, string>, eventId?: string): void
  /** Counts what was not sent, for the client report. */
  drop(reason: string, category: string, quantity?: number): void
  on<K extends keyof Signals>(name: K, listener: (value: Signals[K]) => void): void
  /** A listener that throws costs the others nothing. */
  emit<K extends keyof Signals>(name: K, value: Signals[K]): void
  /** Whether a request to this URL is the reporter's own, which is never reported. */
  owns(url: string): boolean
  /** Resolves when nothing waits or is under way any more: true; false after `timeoutMs`. */
  flush(timeoutMs?: number): Promise<boolean>
  /** As `flush`; afterwards nothing is captured or sent. */
  close(timeoutMs?: number): Promise<boolean>
}

/** What the features of navigations need of a client: ours, or one around the client of another SDK. */
export type NavigationClient = Pick<Client, 'on' | 'emit' | 'send' | 'owns' | 'trace' | 'tab'> & {
  readonly options: Pick<Options, 'release' | 'dist' | 'environment' | 'sendIp'>
  readonly scope: Pick<Scope, 'user'>
  /** Who says so on the wire, if not this package. */
  readonly sdk?: { readonly name: string; readonly version: string }
}

/** A `Feature` that needs no more than that. */
export type NavigationFeature = (client: NavigationClient) => void

/** Brings envelopes to the server; features need it only to keep what could not be sent. */
export type Transport = Pick<Client, 'send' | 'drop' | 'owns' | 'flush'> & {
  /** Sends what waits at once: the page may not live to see an answer. */
  leave(): void
  /** False when no server was reached. Anything that a server answers settles the matter. */
  post(parcel: Parcel): Promise<boolean>
  /** Whether a rate limit stands against it. */
  isHeld(parcel: Parcel): boolean
  lose(reason: string, lost: Parcel['lost']): void
  /** Where parcels go that could not be sent; `add` says whether it took it. */
  store?: { add(parcel: Parcel): boolean; drain(): void }
}

/** Parts of `https://key@host/path/42`. */
export type Dsn = {
  readonly publicKey: string
  readonly projectId: string
  /** `https://host/path`, without a slash at the end. */
  readonly origin: string
  /** The number in a host of the form `o123.…`. */
  readonly orgId?: string | undefined
  /** `de` in a host of the form `o123.ingest.de.…`. */
  readonly region?: string | undefined
}

/** Everything the parts tell each other; a part that nobody listens to costs nothing. */
export type Signals = {
  /** Kept when the feature `breadcrumbs` is there. `data` has to be safe to write as JSON. */
  breadcrumb: Breadcrumb
  /** An event that is about to be sent; listeners may add to it. */
  event: { event: EventPayload; hint: Hint }
  /** A fetch or XMLHttpRequest of the page is about to start; `headers` may be added to. Needs `watchRequests`. */
  request: PageRequest
  requestEnd: PageRequest
  /** Needs `watchHistory`. */
  history: { from: string; to: string; kind: 'push' | 'replace' | 'pop' }
  /** A page load or navigation has a new trace, `client.trace` from now on; `start` in milliseconds of `performance.now()`. */
  trace: { readonly trace: TraceState; readonly start: number }
  /** A client-side navigation started, got its route template, ended (navigation recorder → tracing, vitals). */
  navigation: NavigationSignal
  /** An error page or boundary is shown for this error. */
  errorShown: unknown
  /** A file of code could not be loaded, on the way to this route or path; empty: Safari names no file. */
  chunkFailed: { readonly url: string; readonly to: string | undefined }
  /** The page is hidden or left: the last chance to send. */
  hide: undefined
}

export type PageRequest = {
  readonly kind: 'fetch' | 'xhr'
  readonly method: string
  readonly url: string
  /** Milliseconds of `performance.now()`. */
  readonly start: number
  end?: number
  status?: number
  error?: unknown
  /** What the page set; what a listener of `request` adds is sent. */
  readonly headers: Headers
}

export type NavigationSignal = {
  /** `judged`: after its end, the page showed that it was no success. */
  readonly state: 'start' | 'route' | 'end' | 'judged'
  readonly id: string
  readonly from: string
  readonly to: string
  /** `redirect` goes on with what the navigation before it began. */
  readonly trigger?: string | undefined
  /** Route template of `to`, when known. */
  readonly route?: string | undefined
  /** Milliseconds of `performance.now()`. */
  readonly start: number
  readonly end?: number | undefined
  readonly outcome?: string | undefined
}

/** What is put into it has to be safe to write as JSON. */
export type Scope = {
  user?: Record<string, unknown> | null
  tags: Record<string, Primitive>
  contexts: Record<string, Record<string, unknown>>
  extra: Record<string, unknown>
  breadcrumbs: Breadcrumb[]
}

export type Options = {
  /** `https://key@host/1`. Needed also with a tunnel: it names project and key. */
  readonly dsn: string
  /** Same-origin path that takes envelopes (R1), usually `/monitoring`. */
  readonly tunnel?: string
  /** With a tunnel: try the ingest endpoint of the DSN first, the tunnel only when that is blocked. */
  readonly preferDirect?: boolean
  /** Organization for the tunnel's `o` (R2) when the DSN's host does not name one. */
  readonly org?: string
  readonly release?: string
  readonly environment?: string
  readonly dist?: string
  /** May the server store the visitor's address? Default: no. */
  readonly sendIp?: boolean
  /** 0…1 of errors. */
  readonly sampleRate?: number
  /** 0…1 of page loads and navigations. */
  readonly tracesSampleRate?: number
  readonly ignoreErrors?: readonly (string | RegExp)[]
  readonly allowUrls?: readonly (string | RegExp)[]
  readonly denyUrls?: readonly (string | RegExp)[]
  /** Errors and transactions (`event.type`) pass through; null drops one. If it throws, the event is dropped. */
  readonly beforeSend?: (event: EventPayload, hint: Hint) => EventPayload | null
  readonly beforeBreadcrumb?: (breadcrumb: Breadcrumb) => Breadcrumb | null
  readonly tracePropagationTargets?: readonly (string | RegExp)[]
  readonly propagateTraceparent?: boolean
  readonly features?: readonly Feature[]
}
