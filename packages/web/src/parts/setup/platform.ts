/** One of several ways to send from a platform. */
export type Way = {
  readonly id: string
  readonly name: string
  readonly install?: string
  readonly setup: (dsn: string) => string
  /** What to know before choosing it. */
  readonly hint: string
}

/** What to paste into an application so that its errors arrive. SDKs are the unmodified ones from their registries. */
export type Platform = {
  /** As stored with a project and as SDKs say it. */
  readonly id: string
  readonly name: string
  readonly install: string
  readonly setup: (dsn: string) => string
  /** Sonde's own reporter, where there is one, beside the SDK. */
  readonly own?: readonly Way[]
  /** Raises an error on purpose. */
  readonly test: string
}
