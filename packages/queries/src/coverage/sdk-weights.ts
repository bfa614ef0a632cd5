/**
 * What Sentry's browser SDK weighs in an app's bundle: gzip bytes of `init` alone, and what each integration adds to it.
 * Measured with `node bench/sdk-weights.ts` (rolldown, minified, `gzip -9`): @sentry/browser 11.12.0, 2026-11-26. Other
 * versions and bundlers differ by some per cent; two integrations that share code weigh less together.
 */
export const SDK_WEIGHTS: {
  readonly version: string
  readonly baseGzipBytes: number
  readonly integrations: Readonly<Record<string, number>>
} = {
  version: '11.12.0',
  baseGzipBytes: 30_421,
  /** By how events name them in `sdk.integrations`. */
  integrations: {
    BrowserTracing: 23_076,
    Replay: 44_049,
    ReplayCanvas: 4_816,
    Feedback: 18_151,
    BrowserProfiling: 2_955,
    CaptureConsole: 208,
    ConsoleLogs: 1_760,
    HttpClient: 1_470,
    ReportingObserver: 290,
    GraphQLClient: 1_111,
    ContextLines: 437,
    ExtraErrorData: 376,
    RewriteFrames: 826,
    ThirdPartyErrorsFilter: 759,
    ModuleMetadata: 232,
  },
}
