/**
 * Puts an event into a class of noise, with the rule that held and what in the event it met. Pure; reads a bounded part of
 * the event and each text once per sign. Not sure means no class: a wrong one would hide an error of the application.
 * docs/noise.md says what each class is known by, and what it cannot know.
 */
import { CHUNK_ERROR_PATTERN } from '@sonde/protocol/chunk-error'
import { crawlerIn } from '@sonde/protocol/crawlers'
import type { Frame } from '@sonde/protocol/event'
import { type Noise, NOISE_RULES, type NoiseRule } from '@sonde/protocol/noise'
import type { Classified } from './classified.ts'
import { isOffline, isTranslated, lastFailedHost } from './page-state.ts'
import {
  BLOCKED_MESSAGES,
  EXTENSION_MESSAGES,
  EXTENSION_SCHEMES,
  IN_APP_AGENTS,
  IN_APP_MESSAGES,
  IN_APP_SCHEMES,
  MASKED_SCHEME,
  NETWORK_MESSAGES,
  NODE_MESSAGES,
  OFFLINE_MESSAGES,
  PAGE_FOR_SCRIPT_MESSAGES,
  RESIZE_MESSAGES,
  SAFE_LINK_MESSAGES,
  SUPERSEDED_MESSAGES,
  TRACKING_GLOBALS,
  TRACKING_HOSTS,
  TRANSLATOR_ADDRESSES,
} from './signs.ts'
import { hostOf, siteOf, startOf } from './sites.ts'

/** A stack of a page has some dozen frames; the crash is the last one. */
const MAX_FRAMES = 100
const MAX_MESSAGE = 2_000
const MAX_MATCH = 100

/** What the rules look at, read once. */
type Seen = {
  readonly event: Classified
  readonly agent: string
  /** Lower case: `typeerror: failed to fetch`, of each exception and of the logged text. */
  readonly messages: readonly string[]
  /** Of the thrown error, the crash first, those with an address. */
  readonly frames: readonly Place[]
  readonly pageHost: string | undefined
  readonly isSuperseded: boolean
}
type Place = { readonly address: string; readonly isInApp: boolean }

/** Undefined: nothing says that it is noise. `isSuperseded`: another release than the event's has been deployed for a while. */
export function classifyNoise(event: Classified, isSuperseded = false): Noise | undefined {
  if (event.type !== 'error' && event.type !== 'default') return undefined
  const seen = { ...look(event), isSuperseded }
  const crawler = crawlerIn(seen.agent)
  if (crawler !== undefined) return noise('crawler_agent', crawler)
  // What follows is of browsers alone.
  if (event.platform !== 'javascript') return undefined
  for (const rule of Object.keys(RULES) as (keyof typeof RULES)[]) {
    const match = RULES[rule](seen)
    if (match !== undefined) return noise(rule, match)
  }
  return undefined
}

const noise = (rule: NoiseRule, match: string): Noise => ({
  class: NOISE_RULES[rule].of,
  rule,
  match: match.slice(0, MAX_MATCH),
})

function look(event: Classified): Omit<Seen, 'isSuperseded'> {
  const { exception = [], logentry, request } = event
  const texts = exception.map(({ type = '', value = '' }) => `${type}: ${value}`)
  const logged = logentry?.formatted ?? logentry?.message
  if (logged !== undefined) texts.push(logged)
  const frames = (exception.at(-1)?.stacktrace?.frames ?? []).slice(-MAX_FRAMES).toReversed()
  return {
    event,
    agent: request?.headers?.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? '',
    messages: texts.slice(-10).map((text) => text.slice(0, MAX_MESSAGE).toLowerCase()),
    frames: frames.map(placeOf),
    pageHost: hostOf(request?.url),
  }
}

const placeOf = ({ abs_path: path, filename, in_app: isInApp }: Frame): Place => ({
  address: (path ?? filename ?? '').slice(0, MAX_MESSAGE),
  isInApp,
})

type Rule = (seen: Seen) => string | undefined

/** Undefined, or what of the event the rule met. In the order of `NOISE_RULES`. */
const RULES: Readonly<Record<Exclude<NoiseRule, 'crawler_agent'>, Rule>> = {
  safe_link_agent: ({ messages }) => signIn(messages, SAFE_LINK_MESSAGES),
  extension_frame: ({ frames: [crash] }) => {
    const scheme = crash && startOf(crash.address, EXTENSION_SCHEMES)
    return crash && scheme && `${scheme}${crash.address.slice(scheme.length).split('/', 1)[0] ?? ''}`
  },
  // Safari hides the site's own scripts too once an extension is on the stack: only where nothing else is.
  masked_frames: ({ frames }) =>
    frames.length > 0 && frames.every(({ address }) => address.startsWith(MASKED_SCHEME))
      ? MASKED_SCHEME
      : undefined,
  extension_message: ({ messages }) => signIn(messages, EXTENSION_MESSAGES),
  in_app_frame: ({ frames: [crash] }) => crash && startOf(crash.address, IN_APP_SCHEMES),
  in_app_message: ({ messages }) => signIn(messages, IN_APP_MESSAGES),
  in_app_agent: (seen) =>
    hasOwnScript(seen) ? undefined : signIn([seen.agent.toLowerCase()], IN_APP_AGENTS),
  translator_frame: ({ frames: [crash] }) => crash && signIn([crash.address], TRANSLATOR_ADDRESSES),
  translated_nodes: ({ messages, event, pageHost }) =>
    signIn(messages, NODE_MESSAGES) === undefined ? undefined : isTranslated(event, pageHost),
  blocked_request: ({ messages, event }) => {
    if (signIn(messages, [...NETWORK_MESSAGES, ...BLOCKED_MESSAGES]) === undefined) return undefined
    return trackerIn(messages) ?? trackerOf(lastFailedHost(event))
  },
  missing_global: ({ messages }) => missingGlobal(messages),
  offline_message: ({ messages }) => signIn(messages, OFFLINE_MESSAGES),
  offline_state: ({ messages, event }) =>
    signIn(messages, NETWORK_MESSAGES) === undefined && !messages.some((text) => CHUNK.test(text))
      ? undefined
      : isOffline(event),
  chunk_gone: ({ messages }) => messages.map((text) => CHUNK.exec(text)?.[0]).find((found) => found),
  page_for_script: ({ messages, frames }) =>
    signIn(messages, PAGE_FOR_SCRIPT_MESSAGES) ??
    // A script of the site that begins like a page: the server answers unknown addresses with its first page.
    // Not `… is not valid JSON`, which an application says of its own requests.
    (frames.length <= 1 ? messages.find((text) => text === PAGE_AS_SCRIPT) : undefined),
  // Whatever else an old build does wrong, the one that is deployed may do too: that is no noise.
  superseded_build: ({ messages, isSuperseded }) =>
    isSuperseded ? signIn(messages, SUPERSEDED_MESSAGES) : undefined,
  resize_observer: ({ messages }) => signIn(messages, RESIZE_MESSAGES),
  script_error: ({ messages, frames }) =>
    frames.every(({ address }) => address === '' || address === '<anonymous>' || address === 'undefined') &&
    messages.some((text) => SCRIPT_ERROR.test(text))
      ? 'Script error.'
      : undefined,
  third_party_frames: thirdParty,
}

const CHUNK = new RegExp(CHUNK_ERROR_PATTERN, 'i')
const PAGE_AS_SCRIPT = "syntaxerror: unexpected token '<'"
const SCRIPT_ERROR = /^(?:[a-z]{1,20}: )?script error\.?$/

const signIn = (texts: readonly string[], signs: readonly string[]): string | undefined =>
  signs.find((sign) => texts.some((text) => text.includes(sign)))

/** A script of the page: an address of its own that is not the page's, because what apps inject has the page's. */
function hasOwnScript({ frames, event }: Seen): boolean {
  const page = pathOf(event.request?.url ?? '')
  return frames.some(({ address }) => /^https?:/.test(address) && pathOf(address) !== page)
}
const pathOf = (address: string): string => address.split(/[?#]/, 1)[0] ?? ''

const trackerOf = (host: string | undefined): string | undefined =>
  host === undefined
    ? undefined
    : TRACKING_HOSTS.find((tracker) => host === tracker || host.endsWith(`.${tracker}`))

/** SDKs put the host behind the browser's words: `Failed to fetch (www.google-analytics.com)`. */
const trackerIn = (messages: readonly string[]): string | undefined =>
  messages
    .flatMap((text) => text.match(/[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/g) ?? [])
    .map(trackerOf)
    .find((host) => host !== undefined)

const MISSING = /^referenceerror: (?:can't find variable: )?([a-z_$][\w$]{0,40})(?: is not defined)?$/
function missingGlobal(messages: readonly string[]): string | undefined {
  for (const text of messages) {
    const name = MISSING.exec(text)?.[1]
    if (name !== undefined && (TRACKING_GLOBALS as readonly string[]).includes(name)) return name
  }
  return undefined
}

/** Own scripts may come from a host of their own: without a word of the SDK only hosts that nobody has of their own count. */
function thirdParty({ frames, pageHost }: Seen): string | undefined {
  if (frames.length === 0 || pageHost === undefined) return undefined
  const hosts: string[] = []
  let isKnown = true
  for (const { address, isInApp } of frames) {
    const host = hostOf(address)
    if (host === undefined) {
      if (isInApp && address !== '' && !address.startsWith('<')) return undefined
      continue
    }
    if (siteOf(host) === siteOf(pageHost)) return undefined
    if (isInApp && trackerOf(host) === undefined) isKnown = false
    hosts.push(host)
  }
  return isKnown ? hosts[0] : undefined
}
