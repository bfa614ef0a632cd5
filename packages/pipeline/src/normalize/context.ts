/** What the pipeline knows of an event besides its payload. */
export type NormalizeContext = {
  /** 32 lower hex; decided by the envelope. */
  readonly eventId: string
  readonly receivedMs: number
  /** `sent_at` of the envelope header. */
  readonly sentAtMs?: number | undefined
  readonly clientIp?: string | undefined
  /** `User-Agent` of the request that brought the event: used for reports that browsers send by themselves. */
  readonly userAgent?: string | undefined
  /** `event`, `security`, `feedback`, `nel`, … */
  readonly itemType: string
  /** `sentry.python/1.2.3`, from the authentication. */
  readonly sdkClient?: string | undefined
  /** `trace` of the envelope header. */
  readonly trace?: { readonly [key: string]: unknown } | undefined
  /** `sentry_release` and `sentry_environment` of a security report's URL. */
  readonly release?: string | undefined
  readonly environment?: string | undefined
  /** Events older than this are shown as of their arrival. */
  readonly retentionDays: number
  /** How far ahead a clock may be; 60 when absent. */
  readonly maxFutureSec?: number | undefined
}
