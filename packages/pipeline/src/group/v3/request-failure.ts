/**
 * Which request an error tells of, where it tells it: by the context that Sonde's reporter puts there, or by the last failed request
 * among the breadcrumbs of a browser's "Failed to fetch". FROZEN with version 3: these words are hashed.
 */
import type { Breadcrumb, Exception, NormalizedEvent } from '@sonde/protocol/event'

export type RequestFailure = {
  /** `GET /api/orders/[id]`, with the host where it is another than the page's. */
  readonly endpoint: string
  /** Template or path of the page; empty when unknown. */
  readonly route: string
  /** `offline`, `unreachable`, `blocked`, `aborted`, `timeout`, or the reporter's word. */
  readonly cause: string
}
type FailedEvent = Pick<
  NormalizedEvent,
  'breadcrumbs' | 'contexts' | 'exception' | 'request' | 'timestamp' | 'transaction'
>

const MAX_TEXT = 300

/** What the reporter says. Undefined: another sender, no request, or an error that the page made of a failed request. */
export function toldFailure({ contexts }: Pick<NormalizedEvent, 'contexts'>): RequestFailure | undefined {
  const told = contexts?.['page_data']
  if (told?.['wrapped'] === true) return undefined
  const text = (name: string): string => {
    const value = told?.[name]
    return typeof value === 'string' ? value.slice(0, MAX_TEXT) : ''
  }
  const endpoint = text('endpoint')
  const cause = text('cause')
  return endpoint === '' || cause === '' ? undefined : { endpoint, route: text('route'), cause }
}

export function requestFailureOf(event: FailedEvent): RequestFailure | undefined {
  return toldFailure(event) ?? guessedFailure(event)
}

/** Chromium, Firefox, Safari, and axios; Sentry's SDK adds the host. */
const NO_ANSWER =
  /^(?:Failed to fetch|NetworkError when attempting to fetch resource\.?|Load failed|Network Error)(?: \(([\w.:-]{1,200})\))?$/
/** How long before the error its request may have failed: code that catches an error reports it soon. */
const WITHIN_SEC = 10
const CLOCK_SEC = 1

function guessedFailure(event: FailedEvent): RequestFailure | undefined {
  const thrown = event.exception?.map(kindOf).find((kind) => kind !== undefined)
  if (thrown === undefined) return undefined
  const page = partsOf(event.request?.url ?? '')
  const crumb = (event.breadcrumbs ?? []).findLast((each) =>
    isOf(each, event.timestamp, page.host, thrown.host),
  )
  const url = crumb?.data?.['url']
  if (typeof url !== 'string') return undefined
  const { host, path } = partsOf(url)
  const isOther = host !== '' && host !== page.host
  const method = crumb?.data?.['method']
  return {
    endpoint:
      `${typeof method === 'string' ? method.slice(0, 10).toUpperCase() : 'GET'} ${isOther ? host : ''}${template(path)}`.slice(
        0,
        MAX_TEXT,
      ),
    route: template(event.transaction ?? page.path).slice(0, MAX_TEXT),
    cause: causeOf(thrown.name, isOther, event),
  }
}

type Thrown = { readonly name: string; readonly host: string }

function kindOf({ type = '', value = '' }: Exception): Thrown | undefined {
  if (type === 'AbortError' || type === 'TimeoutError') return { name: type, host: '' }
  if (type !== 'TypeError' && type !== 'AxiosError') return undefined
  const found = NO_ANSWER.exec(value)
  return found ? { name: type, host: (found[1] ?? '').toLowerCase() } : undefined
}

/** A request that got no answer has no status. */
function isOf(
  { category, timestamp, data }: Breadcrumb,
  atSec: number,
  pageHost: string,
  host: string,
): boolean {
  if ((category !== 'fetch' && category !== 'xhr') || typeof data?.['url'] !== 'string') return false
  if (timestamp === undefined || timestamp < atSec - WITHIN_SEC || timestamp > atSec + CLOCK_SEC) return false
  const status = data['status_code']
  if (status !== undefined && status !== 0) return false
  return host === '' || (partsOf(data['url']).host || pageHost) === host
}

function causeOf(name: string, isOther: boolean, { contexts }: FailedEvent): string {
  if (name === 'AbortError') return 'aborted'
  if (name === 'TimeoutError') return 'timeout'
  if (contexts?.['device']?.['online'] === false) return 'offline'
  // Of another origin a browser does not tell a refusal from silence.
  return isOther ? 'blocked' : 'unreachable'
}

function partsOf(url: string): { readonly host: string; readonly path: string } {
  const text = url.slice(0, 2000)
  const scheme = text.startsWith('https://') ? 8 : text.startsWith('http://') ? 7 : 0
  const rest = text.slice(scheme)
  const end = rest.search(/[?#]/)
  const place = end < 0 ? rest : rest.slice(0, end)
  if (scheme === 0) return { host: '', path: place }
  const at = place.indexOf('/')
  return { host: (at < 0 ? place : place.slice(0, at)).toLowerCase(), path: at < 0 ? '/' : place.slice(at) }
}

/** `/api/orders/42` → `/api/orders/[id]`: numbers, long and hexadecimal segments with a digit. */
const template = (path: string): string =>
  path
    .slice(0, 2000)
    .split('/')
    .map((part) => (isValue(part) ? '[id]' : part))
    .join('/')
const isValue = (part: string): boolean =>
  /[0-9]/.test(part) && (/^[0-9]+$/.test(part) || /^[0-9a-f-]{8,}$/i.test(part) || part.length >= 20)
