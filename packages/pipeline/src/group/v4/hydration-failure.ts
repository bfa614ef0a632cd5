/**
 * Where React could not keep the server's HTML, as an error of any SDK tells it. Only React's own sentences are known here: what a
 * program says of hydration stays as it is. FROZEN with version 4: these words are hashed.
 */
import type { Exception, NormalizedEvent } from '@sonde/protocol/event'

export type HydrationFailure = {
  /** `server_error`: the server gave up on a part, and the browser made it. */
  readonly kind: 'mismatch' | 'server_error'
  /** Template or path of the page; empty when unknown. */
  readonly route: string
  /** The first one that the component stack names readably, else its first element; `unknown` without a stack. */
  readonly component: string
}
type FailedEvent = Pick<NormalizedEvent, 'contexts' | 'exception' | 'request' | 'transaction'>

const MAX_TEXT = 300

/** React 18 and 19, the minified ones by number: https://react.dev/errors/418 */
const MISMATCH =
  /^(?:Minified React error #(?:418|42[1-5]);|Hydration failed because |There was an error while hydrating|Text content does(?: not|n't) match server-rendered HTML|This Suspense boundary received an update before it finished hydrating)/
const SERVER_ERROR =
  /^(?:Minified React error #419;|The server could not finish this Suspense boundary|Switched to client rendering because the server rendering errored)/
/** What `reactErrorHandler()` of Sentry's SDK puts beside the error: the components as frames. */
const BOUNDARY = /^React ErrorBoundary /

/** Undefined: another error; also one that React recovered from and tells as the cause, which says more. */
export function hydrationFailureOf(event: FailedEvent): HydrationFailure | undefined {
  const own = (event.exception ?? []).filter(({ type }) => !BOUNDARY.test(type ?? ''))
  const kinds = own.map(kindOf)
  const kind = kinds.at(-1)
  if (kind === undefined || kinds.includes(undefined)) return undefined
  return { kind, route: routeOf(event), component: componentOf(event) }
}

function kindOf({ type = 'Error', value = '' }: Exception): HydrationFailure['kind'] | undefined {
  if (type !== 'Error') return undefined
  if (SERVER_ERROR.test(value)) return 'server_error'
  return MISMATCH.test(value) ? 'mismatch' : undefined
}

/** A program's own is a component, an element is where it is; minified names change with every build. */
const COMPONENT = /^[A-Z]\w{2,}/
const ELEMENT = /^[a-z][\w-]*$/
const MAX_STACK = 10_000

function componentOf(event: FailedEvent): string {
  const names = namesIn(event)
  return (
    names.find((name) => COMPONENT.test(name)) ??
    names.find((name) => ELEMENT.test(name)) ??
    'unknown'
  ).slice(0, MAX_TEXT)
}

/** The innermost first. */
function namesIn({ contexts, exception = [] }: FailedEvent): string[] {
  const stack = contexts?.['react']?.['componentStack']
  if (typeof stack === 'string')
    return stack
      .slice(0, MAX_STACK)
      .split('\n')
      .flatMap((line) => /^\s*(?:at )?([\w$.]+)(?=[ @(]|$)/.exec(line)?.[1] ?? [])
  const boundary = exception.find(({ type }) => BOUNDARY.test(type ?? ''))
  const frames = boundary?.stacktrace?.frames ?? []
  return frames.flatMap((frame) => frame.function ?? []).toReversed()
}

function routeOf({ transaction, request }: FailedEvent): string {
  const page = (request?.url ?? '').slice(0, 2000)
  const path = /^(?:https?:\/\/[^/?#]*)?([^?#]*)/.exec(page)?.[1] ?? ''
  return template(transaction ?? path).slice(0, MAX_TEXT)
}

/** `/orders/42` → `/orders/[id]`, as version 3 does it. */
const template = (path: string): string =>
  path
    .slice(0, 2000)
    .split('/')
    .map((part) => (isValue(part) ? '[id]' : part))
    .join('/')
const isValue = (part: string): boolean =>
  /[0-9]/.test(part) && (/^[0-9]+$/.test(part) || /^[0-9a-f-]{8,}$/i.test(part) || part.length >= 20)
