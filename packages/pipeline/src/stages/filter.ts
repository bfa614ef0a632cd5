/**
 * Drops events that a project does not want. Rules are off unless switched on: a hidden filter looks like loss.
 * What they mean: https://docs.sentry.io/concepts/data-management/filtering/#inbound-data-filters
 */
import { crawlerIn } from '@sonde/protocol/crawlers'
import type { NormalizedEvent } from '@sonde/protocol/event'
import { createGlob, type Glob } from '@sonde/protocol/glob'
import type { OutcomeReason } from '@sonde/protocol/outcome'
import { DEFAULT_PROJECT_SETTINGS, type FilterRules } from '@sonde/stores'

export type FilterSettings = FilterRules
export const NO_FILTERS: FilterSettings = DEFAULT_PROJECT_SETTINGS.filters

type Filtered = Pick<NormalizedEvent, 'exception' | 'logentry' | 'release' | 'request'>

/** Undefined: it may pass. Otherwise the first rule that says no. */
export function filterReason(
  event: Filtered,
  filters: FilterSettings,
): OutcomeReason<'filtered'> | undefined {
  if (filters.localhost && isLocalhost(event.request?.url)) return 'localhost'
  if (filters.browserExtensions && isExtension(event.exception?.at(-1)?.stacktrace?.frames.at(-1)?.abs_path))
    return 'browser_extension'
  if (filters.crawlers && crawlerIn(userAgentOf(event)) !== undefined) return 'crawler'
  const { release } = event
  if (release !== undefined && globsOf(filters.releases).some((matches) => matches(release))) return 'release'
  if (filters.messages.length > 0 && hasMessage(event, globsOf(filters.messages))) return 'error_message'
  return undefined
}

function isLocalhost(url: string | undefined): boolean {
  if (url === undefined) return false
  return /^https?:\/\/(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?:[:/?#]|$)/i.test(url)
}

function isExtension(path: string | undefined): boolean {
  return path !== undefined && /^(?:chrome|moz|safari(?:-web)?|ms-browser)-extension:\/\//i.test(path)
}

const userAgentOf = ({ request }: Filtered): string | undefined =>
  request?.headers?.find(([name]) => name === 'User-Agent')?.[1]

function hasMessage({ exception = [], logentry }: Filtered, globs: readonly Glob[]): boolean {
  const texts = exception.flatMap(({ type = '', value = '' }) => [`${type}: ${value}`, value || type])
  if (logentry?.formatted !== undefined) texts.push(logentry.formatted)
  if (logentry?.message !== undefined) texts.push(logentry.message)
  return texts.some((text) => globs.some((matches) => matches(text)))
}

// Per list: a project's settings are read once and held against thousands of events.
const globsByList = new WeakMap<readonly string[], readonly Glob[]>()

function globsOf(patterns: readonly string[]): readonly Glob[] {
  const known = globsByList.get(patterns)
  if (known) return known
  const globs = patterns.map((pattern) => createGlob(pattern, { ignoreCase: true }))
  globsByList.set(patterns, globs)
  return globs
}
