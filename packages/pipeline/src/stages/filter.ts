/**
 * Drops events that a project does not want. Rules are off unless switched on: a hidden filter looks like loss.
 * What they mean: https://docs.sentry.io/concepts/data-management/filtering/#inbound-data-filters
 */
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
  if (filters.crawlers && isCrawler(userAgentOf(event))) return 'crawler'
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

/**
 * Programs that visit pages by themselves, by how they name themselves in `User-Agent`. Each is from its operator's own
 * page; many more say `bot`, `crawler` or `spider` in a word of their own with an address to ask
 * (`+http`), which is what those have in common.
 */
const NAMES = [
  'googlebot', // https://developers.google.com/search/docs/crawling-indexing/overview-google-crawlers
  'google-inspectiontool',
  'googleother',
  'mediapartners-google',
  'adsbot',
  'feedfetcher-google',
  'apis-google',
  'bingbot', // https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0
  'bingpreview',
  'adidxbot',
  'baiduspider',
  'yandex.com/bots', // https://yandex.com/support/webmaster/en/robot-workings/user-agent
  'slurp', // Yahoo
  'duckduckbot',
  'duckassistbot',
  'applebot', // https://support.apple.com/en-us/119829
  'petalbot',
  'sogou web spider',
  'facebookexternalhit', // https://developers.facebook.com/docs/sharing/webmasters/web-crawlers
  'meta-externalagent',
  'twitterbot',
  'linkedinbot',
  'pinterestbot',
  'slackbot',
  'telegrambot',
  'discordbot',
  'ahrefsbot',
  'semrushbot',
  'dotbot',
  'mj12bot',
  'screaming frog seo spider',
  'gptbot', // https://platform.openai.com/docs/bots
  'oai-searchbot',
  'chatgpt-user',
  'claudebot',
  'perplexitybot',
  'ccbot',
  'bytespider',
  'amazonbot',
  'ia_archiver',
  'archive.org_bot',
  'uptimerobot',
  'pingdom',
  'site24x7',
]
const NAMED = new RegExp(
  NAMES.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|'),
  'i',
)
const DESCRIBED = /\b\w{0,40}(?:bot|crawler|spider)\b.{0,80}\+https?:/i

// The same few agents arrive all day, and a header may be long.
const MAX_AGENT = 512

function isCrawler(userAgent: string | undefined): boolean {
  if (userAgent === undefined) return false
  const agent = userAgent.slice(0, MAX_AGENT)
  return NAMED.test(agent) || DESCRIBED.test(agent)
}
