/** Browser, system and device out of a `User-Agent` header, for events whose SDK did not send them. */
import type { JsonObject } from '@sonde/protocol/event'
import type { Contexts } from './contexts.ts'

/**
 * How the browsers, systems and devices that people use name themselves in `User-Agent`. The first match wins, so the
 * ones that imitate others stand before those they imitate. A version has up to three numbers.
 */
type AgentRule = { readonly name: string; readonly needs: string; readonly version: RegExp }

const VERSION = String.raw`(\d{1,6}(?:[._]\d{1,6}){0,2})`
const after = (name: string, needs: string, token: string): AgentRule => ({
  name,
  needs,
  version: new RegExp(`${token}[/ ]?${VERSION}`),
})

const BROWSERS: readonly AgentRule[] = [
  after('Googlebot', 'Googlebot', 'Googlebot'),
  after('bingbot', 'bingbot', 'bingbot'),
  after('Edge Mobile', 'EdgA/', 'EdgA'),
  after('Edge Mobile', 'EdgiOS/', 'EdgiOS'),
  after('Edge', 'Edg/', 'Edg'),
  after('Edge', 'Edge/', 'Edge'),
  after('Opera Mobile', 'OPR/', 'Mobile.{0,80}OPR'),
  after('Opera', 'OPR/', 'OPR'),
  after('Opera', 'Opera', 'Version'),
  after('Samsung Internet', 'SamsungBrowser', 'SamsungBrowser'),
  after('Yandex Browser', 'YaBrowser', 'YaBrowser'),
  after('Vivaldi', 'Vivaldi', 'Vivaldi'),
  after('UC Browser', 'UCBrowser', 'UCBrowser'),
  after('Electron', 'Electron', 'Electron'),
  after('Firefox iOS', 'FxiOS', 'FxiOS'),
  after('Chrome Mobile iOS', 'CriOS', 'CriOS'),
  after('HeadlessChrome', 'HeadlessChrome', 'HeadlessChrome'),
  {
    name: 'Firefox Mobile',
    needs: 'Firefox/',
    version: /(?:Mobile|Tablet);.{0,60}Firefox\/(\d{1,6}(?:\.\d{1,6}){0,2})/,
  },
  after('Firefox', 'Firefox/', 'Firefox'),
  after('Chrome Mobile WebView', '; wv)', 'Chrome'),
  {
    name: 'Chrome Mobile',
    needs: 'Chrome/',
    version: /Chrome\/(\d{1,6}(?:\.\d{1,6}){0,2})[\d.]{0,12} Mobile/,
  },
  after('Chrome', 'Chrome/', 'Chrome'),
  after('Mobile Safari', 'Mobile/', 'Version'),
  after('Safari', 'Safari/', 'Version'),
  after('IE', 'MSIE', 'MSIE'),
  { name: 'IE', needs: 'Trident/', version: /rv:(\d{1,6}(?:\.\d{1,6})?)/ },
]

const UNVERSIONED = /()/

const SYSTEMS: readonly AgentRule[] = [
  after('Windows Phone', 'Windows Phone', 'Windows Phone'),
  after('Windows', 'Windows NT', 'Windows NT'),
  after('iOS', 'iPhone', 'OS'),
  after('iOS', 'iPad', 'OS'),
  after('iOS', 'iPod', 'OS'),
  after('Android', 'Android', 'Android'),
  { name: 'Android', needs: 'Android', version: UNVERSIONED },
  after('Mac OS X', 'Mac OS X', 'Mac OS X'),
  { name: 'Mac OS X', needs: 'Macintosh', version: UNVERSIONED },
  { name: 'Chrome OS', needs: 'CrOS', version: /CrOS \w+ (\d{1,6}(?:\.\d{1,6}){0,2})/ },
  { name: 'Ubuntu', needs: 'Ubuntu', version: UNVERSIONED },
  { name: 'Fedora', needs: 'Fedora', version: UNVERSIONED },
  { name: 'FreeBSD', needs: 'FreeBSD', version: UNVERSIONED },
  { name: 'Linux', needs: 'Linux', version: UNVERSIONED },
]

/** What `Windows NT x` is sold as. Windows 11 does not tell itself from 10 here. */
const WINDOWS_NAMES: ReadonlyMap<string, string> = new Map([
  ['10.0', '10'],
  ['6.3', '8.1'],
  ['6.2', '8'],
  ['6.1', '7'],
  ['6.0', 'Vista'],
  ['5.1', 'XP'],
])

export type Agent = { readonly browser?: JsonObject; readonly os?: JsonObject; readonly device?: JsonObject }

// Longer ones are attacks or adverts; also bounds the work.
const MAX_AGENT = 512
// The same few agents arrive all day.
const MAX_CACHED = 1000
const cache = new Map<string, Agent>()

export function parseUserAgent(text: string): Agent {
  const agent = text.slice(0, MAX_AGENT)
  const known = cache.get(agent)
  if (known) return known
  const parsed = parse(agent)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(agent, parsed)
  return parsed
}

function parse(agent: string): Agent {
  const browser = match(BROWSERS, agent)
  const os = match(SYSTEMS, agent)
  const device = deviceOf(agent)
  return {
    ...(browser && { browser: named('browser', browser.name, browser.version) }),
    ...(os && { os: named('os', os.name, os.name === 'Windows' ? windows(os.version) : os.version) }),
    ...(device && { device: { ...device, type: 'device' } }),
  }
}

function match(rules: readonly AgentRule[], agent: string): { name: string; version?: string } | undefined {
  for (const rule of rules) {
    if (!agent.includes(rule.needs)) continue
    const found = rule.version.exec(agent)
    if (found)
      return { name: rule.name, ...(found[1] ? { version: found[1].replaceAll('_', '.') } : undefined) }
  }
  return undefined
}

function named(type: string, name: string, version: string | undefined): JsonObject {
  return { name, ...(version === undefined ? undefined : { version }), type }
}

function windows(version: string | undefined): string | undefined {
  return version === undefined ? undefined : (WINDOWS_NAMES.get(version) ?? version)
}

function deviceOf(agent: string): JsonObject | undefined {
  for (const family of ['iPhone', 'iPad', 'iPod'])
    if (agent.includes(`(${family}`)) return { family, model: family, brand: 'Apple' }
  if (agent.includes('(Macintosh')) return { family: 'Mac', model: 'Mac', brand: 'Apple' }
  const android = /Android [\d.]{1,12}; ([^;)]{1,60})/.exec(agent)?.[1]
  if (android === undefined) return undefined
  const model = android.replace(/ Build.*$/, '').trim()
  // `K` is what Chrome says for every device since it stopped naming them.
  return model === 'K' || model === '' || /^(?:Mobile|Tablet|rv:)/.test(model)
    ? undefined
    : { family: model, model }
}

/**
 * Adds what the header says to contexts that the SDK left open. The header names the visitor's system; on a server
 * `os` is the server's own, so there it goes to `client_os`.
 */
export function addAgentContexts(contexts: Contexts, userAgent: string | undefined, platform: string): void {
  if (userAgent === undefined || userAgent === '') return
  const agent = parseUserAgent(userAgent)
  if (agent.browser && contexts.browser === undefined) contexts.browser = agent.browser
  const osKey = platform === 'javascript' ? 'os' : 'client_os'
  if (agent.os && contexts[osKey] === undefined) contexts[osKey] = agent.os
  if (agent.device && contexts.device === undefined) contexts.device = agent.device
}

/** What kind of device a page ran on, as far as a `User-Agent` says. */
type DeviceClass = 'mobile' | 'tablet' | 'desktop' | ''

export function deviceClass(userAgent: string): DeviceClass {
  if (userAgent === '') return ''
  // Android tablets leave out "Mobile"; iPads since 2019 say that they are Macs, and count as desktops.
  if (/iPad|Tablet|PlayBook|Silk(?!.*Mobile)/.test(userAgent)) return 'tablet'
  if (userAgent.includes('Android')) return userAgent.includes('Mobile') ? 'mobile' : 'tablet'
  if (/Mobi|iPhone|iPod/.test(userAgent)) return 'mobile'
  return /Windows NT|Macintosh|X11|CrOS/.test(userAgent) ? 'desktop' : ''
}
