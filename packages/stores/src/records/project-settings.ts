/** What a project's people decide about their events, as it lies in the records. */
import { type DetectorRules, detectorRulesFrom } from '@sonde/protocol/performance-detectors'
import { type AiPrice, aiPricesFrom } from './ai-prices.ts'
import { DEFAULT_GROUPING, type GroupingRules, groupingRulesFrom } from './grouping-rules.ts'
import { DEFAULT_NOISE, type NoiseSettings, noiseSettingsFrom } from './noise-settings.ts'
import { type SamplingRules, samplingRulesFrom } from './sampling-rules.ts'

export type ProjectSettings = {
  readonly filters: FilterRules
  readonly scrub: ScrubRules
  readonly sampling: SamplingRules
  readonly grouping: GroupingRules
  readonly noise: NoiseSettings
  /** Of performance issues. */
  readonly detectors: DetectorRules
  /** Of models; nothing that is stored depends on them. */
  readonly aiPrices: readonly AiPrice[]
}

/**
 * Events that are dropped and counted as filtered. Everything is off unless switched on: a hidden filter looks like
 * loss. Globs: `*` is any text, `?` one character; letters of either case are the same.
 */
export type FilterRules = {
  /** Errors whose crash lies in an extension's own script. */
  readonly browserExtensions: boolean
  /** Events of pages on the developer's own machine. */
  readonly localhost: boolean
  /** Events that a known crawler sent. */
  readonly crawlers: boolean
  /** Globs of releases. */
  readonly releases: readonly string[]
  /** Globs of messages: of `TypeError: x is not a function`, of its value alone, and of a logged message. */
  readonly messages: readonly string[]
}

/** What is removed from events before anything is stored. */
export type ScrubRules = {
  readonly enabled: boolean
  /** Further field names (any part of a name) whose values are removed. */
  readonly sensitiveFields: readonly string[]
  /** Field names (whole) that are kept although a rule would remove them. */
  readonly safeFields: readonly string[]
  /** Removes addresses of users. Works with `enabled: false` too. */
  readonly scrubIp: boolean
  /** Of session replays: each text, each value of a field. Work with `enabled: false` too. */
  readonly maskReplayTexts: boolean
  readonly maskReplayInputs: boolean
}

export const DEFAULT_PROJECT_SETTINGS: ProjectSettings = {
  filters: { browserExtensions: false, localhost: false, crawlers: false, releases: [], messages: [] },
  scrub: {
    enabled: true,
    sensitiveFields: [],
    safeFields: [],
    scrubIp: false,
    maskReplayTexts: false,
    maskReplayInputs: false,
  },
  sampling: { rules: [], sampleMeasured: false },
  grouping: DEFAULT_GROUPING,
  noise: DEFAULT_NOISE,
  detectors: {},
  aiPrices: [],
}

/**
 * From the stored JSON. Never throws: what is missing (an older Sonde wrote it) or makes no sense is as by default,
 * so that a damaged row cannot stop the pipeline.
 */
export function readProjectSettings(text: string | null | undefined): ProjectSettings {
  return projectSettingsFrom(parse(text ?? '{}'))
}

/** The same from JSON that was parsed. */
export function projectSettingsFrom(stored: unknown): ProjectSettings {
  const { filters, scrub, sampling, grouping, noise, detectors, aiPrices } = fieldsOf(stored)
  return {
    filters: readLike(DEFAULT_PROJECT_SETTINGS.filters, fieldsOf(filters)),
    scrub: readLike(DEFAULT_PROJECT_SETTINGS.scrub, fieldsOf(scrub)),
    sampling: samplingRulesFrom(sampling),
    grouping: groupingRulesFrom(grouping),
    noise: noiseSettingsFrom(noise),
    detectors: detectorRulesFrom(detectors),
    aiPrices: aiPricesFrom(aiPrices),
  }
}

type Rules = Readonly<Record<string, boolean | readonly string[]>>

/** The fields of `defaults`, each from `stored` where it has the same type. */
function readLike<Same extends Rules>(defaults: Same, stored: Readonly<Record<string, unknown>>): Same {
  const entries = Object.entries(defaults).map(([name, fallback]) => {
    const value = Object.hasOwn(stored, name) ? stored[name] : undefined
    if (typeof fallback === 'boolean') return [name, typeof value === 'boolean' ? value : fallback] as const
    return [name, Array.isArray(value) ? value.filter((each) => typeof each === 'string') : fallback] as const
  })
  return Object.fromEntries(entries) as Same
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/**
 * The entries that lie in the records. Empty: pages of every domain may send. Never throws: a damaged row must not
 * close the door to everybody.
 */
export function readAllowedDomains(text: unknown): readonly string[] {
  if (typeof text !== 'string') return []
  try {
    const stored: unknown = JSON.parse(text)
    return Array.isArray(stored) ? stored.filter((entry) => typeof entry === 'string') : []
  } catch {
    return []
  }
}
