/** What a project wants to be removed before anything is stored. */
export type ScrubSettings = {
  readonly enabled: boolean
  /** Further field names (any part of a name) whose values are removed. */
  readonly sensitiveFields: readonly string[]
  /** Field names (whole) that are kept although a rule would remove them. */
  readonly safeFields: readonly string[]
  /** Removes addresses of users. Works with `enabled: false` too. */
  readonly scrubIp: boolean
}

export const DEFAULT_SCRUB_SETTINGS: ScrubSettings = {
  enabled: true,
  sensitiveFields: [],
  safeFields: [],
  scrubIp: false,
}

/** Stands where a value stood. A value that is exactly this counts as scrubbed. */
export const FILTERED = '[Filtered]'
export const FILTERED_CARD = '[creditcard]'
