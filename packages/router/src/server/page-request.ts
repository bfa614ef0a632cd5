/** One request for a page, and what its answers are made from. */
import type { PageData, PageError } from '../shared/page-data.ts'
import type { Assets } from './assets.ts'
import type { Match, ServerBuild } from './build.ts'
import type { DocumentOptions } from './html-answer.ts'
import type { CspDirectives } from './security.ts'

export type ErrorReport = { readonly error: unknown; readonly digest: string; readonly request: Request }

/** `message`: a sentence without anything that only the log may have. */
export type Explained = { readonly status: 503; readonly message: string }

export type PageHandlerOptions<Context = unknown> = {
  /** The server bundle; a function in development, where it changes. */
  readonly build: ServerBuild | (() => Promise<ServerBuild>)
  /** From `assetsFromManifest` or `devAssets`. */
  readonly manifest: Assets
  /** Changes with every build; a tab of another build loads pages whole. */
  readonly buildId: string
  /** Made once per request and given to its loads and action; may throw `redirect(…)`. */
  readonly createContext: (
    request: Request,
    headers: Pick<AnswerHeaders, 'setHeader' | 'appendHeader'>,
  ) => Context | Promise<Context>
  /** `https://sonde.example` when a proxy stands in front; default: the request's own origin. */
  readonly publicOrigin?: string
  /** The only place that ever sees a message or stack. Log it beside the digest. */
  readonly onError: (report: ErrorReport) => void
  /** Of the request at hand, to be quoted by who sees the failure. */
  readonly requestId?: () => string | undefined
  /** For failures that people can be told of; default: the sentence that only says that something failed. */
  readonly explain?: (error: unknown) => Explained | undefined
  readonly document?:
    | DocumentOptions
    | ((args: {
        readonly request: Request
        readonly nonce: string
        /** Undefined where none was made: no route has the address, or making it failed. */
        readonly context: Context | undefined
      }) => DocumentOptions)
  readonly extraCsp?: CspDirectives
}

/** Everything one request needs on its way. */
export type PageRequest<Context = unknown> = {
  readonly request: Request
  /** Under the public origin. */
  readonly url: URL
  readonly build: ServerBuild
  readonly match: Match
  readonly headers: AnswerHeaders
  readonly nonce: string
  /** Reports a failure once and returns what the browser may know of it. */
  readonly failure: (error: unknown) => PageError
  /** Made before loads and action run; error pages of what ended earlier have none. */
  context?: Context
}

/** A request target such as `//elsewhere/path` must stay a path. */
export function publicUrl(request: Request, publicOrigin: string | undefined): URL {
  const requested = new URL(request.url)
  if (publicOrigin === undefined) return requested
  return new URL(new URL(publicOrigin).origin + requested.pathname + requested.search)
}

export function reportFailure(
  error: unknown,
  request: Request,
  { onError, requestId, explain }: Pick<PageHandlerOptions, 'onError' | 'requestId' | 'explain'>,
): PageError {
  const digest = digestOf(error)
  // What breaks off because the reader is gone is no failure of ours.
  if (!request.signal.aborted) onError({ error, digest, request })
  const id = requestId?.()
  return { status: 500, digest, ...(id !== undefined && { requestId: id }), ...explain?.(error) }
}

export function kindOf(match: Match): 'dynamic' | 'static' {
  return match.chain.at(-1)?.server?.kind ?? 'dynamic'
}

export function emptyPage(page: PageRequest, { buildId }: Pick<PageHandlerOptions, 'buildId'>): PageData {
  const { match } = page
  return { build: buildId, template: match.template, kind: kindOf(match), status: 200, title: '', data: {} }
}

export function errorPage(page: PageData, error: PageError): PageData {
  const title = error.status < 500 ? 'Page not found' : error.message ? 'Not available' : 'Application error'
  return { ...page, status: error.status, title, data: {}, error }
}

export function documentOptions<Context>(
  { request, nonce, context }: PageRequest<Context>,
  { document = {} }: PageHandlerOptions<Context>,
): DocumentOptions {
  return typeof document === 'function' ? document({ request, nonce, context }) : document
}

/** Headers that loads and actions set, kept per request and put on whatever answer it becomes. */
type AnswerHeaders = {
  readonly setHeader: (name: string, value: string) => void
  readonly appendHeader: (name: string, value: string) => void
  /** Lays them over the answer's own; `Vary` and `Set-Cookie` add up. */
  applyTo(headers: Headers): void
}

export function createAnswerHeaders(): AnswerHeaders {
  const collected = new Headers()
  return {
    setHeader: (name, value) => collected.set(name, value),
    appendHeader: (name, value) => collected.append(name, value),
    applyTo(headers) {
      for (const [name, value] of collected) {
        if (name === 'set-cookie' || name === 'vary') headers.append(name, value)
        else headers.set(name, value)
      }
    },
  }
}

/**
 * A number that stands for an error: the same failure has the same digest, and nothing of message or
 * stack can be read from it. 32-bit FNV-1a, up to ten digits.
 */
function digestOf(error: unknown): string {
  const text = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error)
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash ^= text.charCodeAt(index)
    hash = Math.imul(hash, 0x01000193)
  }
  return String(hash >>> 0)
}
