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
const NAMED_PATTERN = NAMES.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|')
const NAMED = new RegExp(NAMED_PATTERN, 'i')
const DESCRIBED = /\b\w{0,40}(?:bot|crawler|spider)\b.{0,80}\+https?:/i

/** The same for an engine that looks through stored agents, without regard to case. */
export const CRAWLER_PATTERN = `${NAMED_PATTERN}|${DESCRIBED.source}`

// The same few agents arrive all day, and a header may be long.
const MAX_AGENT = 512

/** What names it as one, in lower case. */
export function crawlerIn(userAgent: string | undefined): string | undefined {
  if (userAgent === undefined) return undefined
  const agent = userAgent.slice(0, MAX_AGENT)
  return (NAMED.exec(agent) ?? DESCRIBED.exec(agent))?.[0].slice(0, 60).toLowerCase()
}
