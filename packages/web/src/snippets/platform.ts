/** What to paste into an application so that its errors arrive. SDKs are the unmodified ones from their registries. */
export type Platform = {
  /** As stored with a project and as SDKs say it. */
  readonly id: string
  readonly name: string
  readonly install: string
  readonly setup: (dsn: string) => string
  /** Raises an error on purpose. */
  readonly test: string
}
