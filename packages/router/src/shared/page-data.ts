/**
 * Page data on the wire: what a page and its layouts need to render, as one JSON document.
 *
 * It is the same URL as the page, asked with the header `x-sonde-page: 1` (a navigation or an intent)
 * or `x-sonde-page: prefetch` (a link came into view; dynamic pages may answer with a reduced body).
 * The header survives fetch's own following of redirects, so the answer to a redirected fetch already
 * is the target's page data.
 */
import type { PageKind } from '../server/build.ts'

export const PAGE_HEADER = 'x-sonde-page'
export const BUILD_HEADER = 'x-sonde-build'
export const PAGE_CONTENT_TYPE = 'application/x-sonde-page+json'

/** The global that carries the first page's data in server-rendered HTML. */
export const PAGE_GLOBAL = '__sondePage'
/** The global that carries the addresses of the first page's modules, by route id. */
export const MODULES_GLOBAL = '__sondeModules'
export const ROOT_ELEMENT_ID = 'root'

/** All that a browser ever learns about a failure. */
export type PageError = {
  readonly status: number
  /** Hash of message and stack; the server log has both beside it (E2). */
  readonly digest?: string
  /** Finds the request in the server's log. */
  readonly requestId?: string
  /** What the app says of it, in place of the sentence for what nobody expected (`explain`). */
  readonly message?: string
}

export type PageData = {
  /** Route template, `/[org]/issues/[issue]`; null when no route matches. */
  readonly template: string | null
  readonly kind: PageKind
  readonly status: number
  readonly title: string
  readonly error?: PageError
  /** What the action answered, when this is the answer to a post. */
  readonly action?: unknown
  /** What was typed, when the action refused it with 422; fields that look secret are left out. */
  readonly typed?: Readonly<Record<string, string>>
  readonly build: string
  /** Data by route id: the page's template, or `layout:` and its folder. */
  readonly data: Readonly<Record<string, unknown>>
  /** The answer to a prefetch of a dynamic page: no data, so that a connection is not held. */
  readonly reduced?: true
  /** A post that redirects to another origin, where fetch could not follow, or to a new document: the page goes there itself. */
  readonly leave?: string
}

/** Whether an answer's content type says that it is page data. */
export function isPageContentType(contentType: string | null): boolean {
  return contentType?.split(';')[0]?.trim() === PAGE_CONTENT_TYPE
}

/** The words of the fall-back page, one text for both sides. E1, exactly: `host` is the page's host with its port. */
export function failureSentence(host: string): string {
  return `Application error: a client-side or server-side exception has occurred while loading ${host} (see the browser console or server logs for more information)`
}

/** E2: only when a server digest exists. */
export function digestLine(digest: string): string {
  return `Digest: ${digest}`
}

export function requestLine(requestId: string): string {
  return `Request ID: ${requestId}`
}
