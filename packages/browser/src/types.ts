/** What the parts of the reporter say to each other. Wire shapes follow https://develop.sentry.dev/sdk/data-model/. */

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
export type Hint = { readonly originalException?: unknown; readonly mechanism?: Mechanism }
export type Mechanism = { type: string; handled: boolean; data?: Record<string, Primitive> }

/** One item of an envelope: its header and its payload, before it is written as text. */
export type Item = readonly [header: { type: string; [field: string]: unknown }, payload: unknown]

/** The trace that whatever happens now belongs to. A navigation brings a new one. */
export type TraceState = {
  traceId: string
  /** Of the root span when tracing is on; otherwise made up once per trace. */
  spanId: string
  parentSpanId?: string
  sampled?: boolean
  /** Route template or path, and which of the two (`transaction_info.source`). */
  name?: string
  source?: 'route' | 'url'
  /** Frozen when it came from the server's meta tags or Server-Timing. */
  dsc?: Record<string, string>
}

export type Client = {
  readonly options: Options
  readonly scope: Scope
  trace: TraceState
  /** Adds scope and trace, asks `beforeSend`, sends. The id, or undefined when it was dropped. Never throws. */
  capture(event: EventPayload, hint?: Hint): string | undefined
  /** Sends items as one envelope (transport limits apply). Never throws. */
  send(items: readonly Item[], trace?: Record<string, string>): void
  /** Counts what was not sent, for the client report. */
  drop(reason: string, category: string, quantity?: number): void
  on<K extends keyof Signals>(name: K, listener: (value: Signals[K]) => void): void
  emit<K extends keyof Signals>(name: K, value: Signals[K]): void
}

/** Everything the parts tell each other; a part that nobody listens to costs nothing. */
export type Signals = {
  breadcrumb: Breadcrumb
  /** An event that is about to be sent; listeners may add to it. */
  event: { event: EventPayload; hint: Hint }
  /** A fetch or XMLHttpRequest of the page is about to start; `headers` may be added to. */
  request: PageRequest
  requestEnd: PageRequest
  history: { from: string; to: string; kind: 'push' | 'replace' | 'pop' }
  /** A client-side navigation started, got its route template, ended (navigation ledger → tracing, vitals). */
  navigation: NavigationSignal
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
  headers: Record<string, string>
}

export type NavigationSignal = {
  readonly state: 'start' | 'route' | 'end'
  readonly id: string
  readonly from: string
  readonly to: string
  /** Route template of `to`, when known. */
  readonly route?: string
  /** Milliseconds of `performance.now()`. */
  readonly start: number
  readonly end?: number
  readonly outcome?: string
}

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
  readonly release?: string
  readonly environment?: string
  readonly dist?: string
  /** 0…1 of errors. */
  readonly sampleRate?: number
  /** 0…1 of page loads and navigations. */
  readonly tracesSampleRate?: number
  readonly ignoreErrors?: readonly (string | RegExp)[]
  readonly allowUrls?: readonly (string | RegExp)[]
  readonly denyUrls?: readonly (string | RegExp)[]
  readonly beforeSend?: (event: EventPayload, hint: Hint) => EventPayload | null
  readonly beforeBreadcrumb?: (breadcrumb: Breadcrumb) => Breadcrumb | null
  readonly tracePropagationTargets?: readonly (string | RegExp)[]
  readonly propagateTraceparent?: boolean
  readonly features?: readonly Feature[]
}
