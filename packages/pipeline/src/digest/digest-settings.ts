/** What digesting depends on besides the record. Plain data: it is handed to worker threads. */
import { DEFAULT_SCRUB_SETTINGS, type ScrubSettings } from '../scrub/settings.ts'
import { type FilterSettings, NO_FILTERS } from '../stages/filter.ts'

export type DigestSettings = {
  /** Older events get the time of their arrival, because the store would delete them at once. */
  readonly retentionDays: number
  readonly scrub: ScrubSettings
  readonly filters: FilterSettings
}

export const DEFAULT_DIGEST_SETTINGS: DigestSettings = {
  retentionDays: 90,
  scrub: DEFAULT_SCRUB_SETTINGS,
  filters: NO_FILTERS,
}
