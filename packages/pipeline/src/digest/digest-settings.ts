/** What digesting depends on besides the record. Plain data: it is handed to worker threads. */
import { DEFAULT_PROJECT_SETTINGS, type ProjectSettings, type SamplingRules } from '@sonde/stores'
import { DEFAULT_SCRUB_SETTINGS, type ScrubSettings } from '../scrub/settings.ts'
import { type FilterSettings, NO_FILTERS } from '../stages/filter.ts'

export type DigestSettings = {
  /** Older events get the time of their arrival, because the store would delete them at once. */
  readonly retentionDays: number
  /** For every project that has none of its own in `projects`. */
  readonly scrub: ScrubSettings
  readonly filters: FilterSettings
  readonly sampling: SamplingRules
  /** By project id. */
  readonly projects?: Readonly<Record<string, ProjectSettings>>
}

export const DEFAULT_DIGEST_SETTINGS: DigestSettings = {
  retentionDays: 90,
  scrub: DEFAULT_SCRUB_SETTINGS,
  filters: NO_FILTERS,
  sampling: DEFAULT_PROJECT_SETTINGS.sampling,
}

/** What holds for the events of one project. */
export function settingsOf(settings: DigestSettings, projectId: number): DigestSettings {
  const own = settings.projects?.[projectId]
  return own ? { ...settings, ...own } : settings
}
