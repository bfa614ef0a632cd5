/** Rows of what took time: spans, and the web vitals among them. What each column is for: docs/internals/telemetry-schema.md. */

/** Where a row came from and when; tells a repeated batch from a repeated span. */
export type RowOrigin = {
  readonly projectId: number
  readonly receivedMs: number
  readonly logPosition: number
  readonly itemIndex: number
}

/** What screens filter by; the same columns on spans and vitals. Empty: nobody said. */
export type FilterFields = {
  readonly release: string
  readonly environment: string
  readonly platform: string
  readonly sdkName: string
  readonly sdkVersion: string
  /** As of errors: `id:42`, `email:…`. */
  readonly userKey: string
  readonly browser: string
  readonly os: string
  /** `mobile`, `tablet`, `desktop`. */
  readonly device: string
  /** Two letters. */
  readonly country: string
  /** Effective connection type: `4g`, `3g`, … */
  readonly connection: string
  /** Share of traces that the sender keeps, 0 < rate ≤ 1: a row stands for `1 / sampleRate`. */
  readonly sampleRate: number
}

export type SpanFields = RowOrigin &
  FilterFields & {
    readonly isSegment: boolean
    readonly op: string
    /** Name of the root: the route template where it is known. */
    readonly segmentName: string
    /** Unix milliseconds with a fraction. */
    readonly startMs: number
    readonly durationMs: number
    readonly traceId: string
    readonly spanId: string
    readonly parentSpanId: string
    readonly segmentId: string
    readonly name: string
    readonly status: string
    readonly origin: string
    readonly attributes: Readonly<Record<string, string | number>>
  }

export type VitalFields = RowOrigin &
  FilterFields & {
    /** `lcp`, `inp`, `cls`, `fcp`, `ttfb`. */
    readonly name: string
    readonly route: string
    /** One page load or soft navigation: of several values of one vital the last final one counts. */
    readonly pageId: string
    readonly timestampMs: number
    /** Milliseconds; CLS has no unit. */
    readonly value: number
    readonly isFinal: boolean
    readonly traceId: string
    readonly spanId: string
    readonly element: string
    readonly source: string
    readonly attribution: Readonly<Record<string, string | number>>
  }

/** One client-side navigation (packages/protocol/src/navigation.ts says what each word means). Absent is undefined. */
export type NavigationFields = RowOrigin &
  FilterFields & {
    /** 16 lower hex. A later row with the same id replaces this one, unless this one is final and that one is not. */
    readonly navigationId: string
    readonly traceId: string
    readonly timestampMs: number
    readonly durationMs: number
    readonly isFinal: boolean
    /** Route templates, paths where none is known. */
    readonly fromRoute: string
    readonly toRoute: string
    readonly fromPath: string
    readonly toPath: string
    readonly trigger: string
    readonly outcome: string
    readonly reason: string
    readonly visibleAfterMs: number | undefined
    /** Milliseconds of each phase that could be measured. */
    readonly phases: Readonly<Record<string, number>>
    readonly prefetch: string
    readonly cache: string
    readonly cacheAgeMs: number | undefined
    readonly bytes: number | undefined
    readonly requests: number | undefined
    readonly build: string
    readonly router: string
    /** Endpoints that had not answered while it hung or was left: `/api/orders/[id], /api/cart`. */
    readonly waitingFor: string
  }

/** What fetching one route ahead came to on one page; a later row with the same id replaces it. */
export type PrefetchFields = RowOrigin &
  FilterFields & {
    readonly prefetchId: string
    readonly traceId: string
    readonly timestampMs: number
    readonly route: string
    readonly router: string
    readonly issued: number
    readonly used: number
    readonly late: number
    readonly stale: number
    readonly wasted: number
    readonly savedMs: number
    /** Loads of data and code, their bytes over the network, and of these what nobody saw; older reporters do not tell. */
    readonly requests: number | undefined
    readonly bytes: number | undefined
    readonly wastedBytes: number | undefined
  }
