/** What an event says of the page that it happened on: that it was offline, translated, or had a request fail. */
import type { Json, JsonObject } from '@sonde/protocol/event'
import type { Classified } from './classified.ts'
import { TRANSLATED_WORDS } from './signs.ts'
import { hostOf } from './sites.ts'

/** SDKs keep a hundred; what matters happened last. */
const LAST_CRUMBS = 30

const crumbsOf = ({ breadcrumbs = [] }: Classified) => breadcrumbs.slice(-LAST_CRUMBS)

/** Undefined, or where it stands. */
export function isOffline(event: Classified): string | undefined {
  const { contexts = {}, extra = {}, tags = [] } = event
  // `device.online` is of Sentry's SDKs; the others are what people add by hand (`navigator.onLine`).
  for (const [name, context] of Object.entries({ ...contexts, extra }))
    for (const field of ['online', 'onLine', 'isOnline', 'navigator.onLine'])
      if (isFalse(context[field])) return `${name}.${field}`
  const tag = tags.find(([key, value]) => /^(?:navigator\.)?(?:is)?_?online$/i.test(key) && value === 'false')
  if (tag) return `tag ${tag[0]}`
  // Of the last that speaks of the connection.
  const said = crumbsOf(event).findLast(
    ({ category = '', message = '' }) => CONNECTION.has(category) || /\b(?:off|on)line\b/i.test(message),
  )
  if (!said) return undefined
  const state = said.data?.['state'] ?? said.data?.['action'] ?? said.data?.['type'] ?? said.message
  return isWord(state, /\boffline\b|NETWORK_LOST|^none$/i) ? 'breadcrumb offline' : undefined
}

const CONNECTION: ReadonlySet<string> = new Set([
  'connectivity',
  'network',
  'network.event',
  'device.connectivity',
])
const isFalse = (value: Json | undefined): boolean => value === false || value === 'false'
const isWord = (value: Json | undefined, pattern: RegExp): boolean =>
  typeof value === 'string' && pattern.test(value.slice(0, 200))

/** Undefined, or the sign of it. */
export function isTranslated(event: Classified, pageHost: string | undefined): string | undefined {
  if (pageHost?.endsWith('.translate.goog')) return '.translate.goog'
  const { contexts = {}, extra = {}, tags = [] } = event
  const texts = [
    ...tags.map(([, value]) => value),
    ...[...Object.values(contexts), extra].flatMap(shortTexts),
    ...crumbsOf(event).map(({ message = '' }) => message.slice(0, 500)),
  ]
  return TRANSLATED_WORDS.find((word) => texts.some((text) => text.includes(word)))
}

const shortTexts = (fields: JsonObject): string[] =>
  Object.values(fields)
    .slice(0, 50)
    .flatMap((value) => (typeof value === 'string' ? [value.slice(0, 500)] : []))

/** Host of the last request that got no answer, where it was the last thing that happened on the network. */
export function lastFailedHost(event: Classified): string | undefined {
  const last = crumbsOf(event).findLast(({ category }) => category === 'fetch' || category === 'xhr')
  const status = last?.data?.['status_code']
  if (!last || (status !== undefined && status !== 0)) return undefined
  const url = last.data?.['url']
  return typeof url === 'string' ? hostOf(url.startsWith('//') ? `https:${url}` : url) : undefined
}
