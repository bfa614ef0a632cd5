/** A page as HTML, streamed as React renders it; the fall-back page when nothing can be rendered. */
import { randomBytes } from 'node:crypto'
import { ReadableStream as NodeReadableStream } from 'node:stream/web'
import {
  digestLine,
  requestLine,
  failureSentence,
  PAGE_HEADER,
  type PageData,
  type PageError,
  ROOT_ELEMENT_ID,
} from '../shared/page-data.ts'
import type { InlineStyle } from './assets.ts'
import { documentOptions, errorPage, type PageHandlerOptions, type PageRequest } from './page-request.ts'
import { securityHeaders } from './security.ts'

type Shown = {
  readonly page: PageData
  readonly body: ReadableStream<Uint8Array> | string
  /** What failed after the shell was sent; known when the body has ended. */
  readonly lateError?: () => PageError | undefined
}

export async function htmlAnswer<Context>(
  pageRequest: PageRequest<Context>,
  page: PageData,
  options: PageHandlerOptions<Context>,
): Promise<Response> {
  const shown = await renderOrFail(pageRequest, page, options)
  const { nonce, url, match } = pageRequest
  const files = match.chain.flatMap((route) => route.file ?? [])
  const start = documentStart({
    ...documentOptions(pageRequest, options),
    nonce,
    ...options.manifest.forFiles(files),
    inlineStyles: (await options.manifest.inlineStyles?.(files)) ?? [],
    title: shown.page.title,
  })
  const headers = new Headers([
    ['content-type', 'text/html; charset=utf-8'],
    // Not `no-store`: that would take the page out of the back/forward cache.
    ['cache-control', 'private, no-cache'],
    ['vary', PAGE_HEADER],
    ...securityHeaders({
      nonce,
      origin: url.origin,
      ...(options.extraCsp ? { extraCsp: options.extraCsp } : {}),
    }),
  ])
  return new Response(NodeReadableStream.from(documentChunks(start, shown, url.host)) as ReadableStream, {
    status: shown.page.status,
    headers,
  })
}

/** The page; if its shell cannot be rendered the fall-back page; if not even that, the bare words. */
async function renderOrFail<Context>(
  pageRequest: PageRequest<Context>,
  page: PageData,
  options: PageHandlerOptions<Context>,
): Promise<Shown> {
  const { build, url, nonce, request, failure, match } = pageRequest
  let lastError: PageData['error']
  const render = (shown: PageData): Promise<ReadableStream<Uint8Array>> =>
    build.render({
      page: shown,
      url: url.pathname + url.search,
      host: url.host,
      nonce,
      entry: options.manifest.entry,
      modules: Object.fromEntries(
        match.chain.flatMap(({ id, file }) =>
          file === undefined ? [] : [[id, options.manifest.urlOf(file)]],
        ),
      ),
      signal: request.signal,
      onError(error) {
        if (request.signal.aborted) return undefined
        lastError = failure(error)
        return lastError.digest
      },
    })
  try {
    return { page, body: await render(page), lateError: () => lastError }
  } catch (error) {
    const failed = errorPage(page, lastError ?? failure(error))
    lastError = undefined
    try {
      return { page: failed, body: await render(failed), lateError: () => lastError }
    } catch {
      return { page: failed, body: staticFailure(url.host, { status: 500, ...failed.error }) }
    }
  }
}

/** The fall-back page without the app's styles and scripts. */
export function bareFailure(url: URL, error: PageError): Response {
  const nonce = randomBytes(16).toString('base64')
  const start = documentStart({
    nonce,
    styles: [],
    inlineStyles: [],
    preloads: [],
    title: 'Application error',
  })
  return new Response(start + staticFailure(url.host, error) + DOCUMENT_END, {
    status: error.status,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['cache-control', 'no-store'],
      ...securityHeaders({ nonce, origin: url.origin }),
    ],
  })
}

async function* documentChunks(
  start: string,
  { body, lateError }: Shown,
  host: string,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(start)
  if (typeof body === 'string') yield encoder.encode(body)
  else yield* body
  const late = lateError?.()
  if (late) yield encoder.encode(lateFailure(host, late))
  yield encoder.encode(DOCUMENT_END)
}

/** The HTML around the root element. */
export type DocumentOptions = {
  /** Default `en`. */
  readonly lang?: string
  /** Attributes of the html element: `{ 'data-theme': 'dark' }`. */
  readonly htmlAttributes?: Readonly<Record<string, string>>
  /** Put into the head as it is; give inline scripts and styles the nonce. */
  readonly head?: string
  /** Title of pages whose module has no `title`. */
  readonly title?: string
}

type DocumentParts = DocumentOptions & {
  readonly nonce: string
  readonly styles: readonly string[]
  readonly inlineStyles: readonly InlineStyle[]
  readonly preloads: readonly string[]
}

function documentStart(parts: DocumentParts & { readonly title: string }): string {
  const attributes = Object.entries({ lang: parts.lang ?? 'en', ...parts.htmlAttributes })
  return [
    `<!DOCTYPE html><html${attributes.map(([name, value]) => ` ${name}="${escapeHtml(value)}"`).join('')}><head>`,
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(parts.title)}</title>`,
    `<meta property="csp-nonce" nonce="${parts.nonce}">`,
    ...parts.styles.map((href) => `<link rel="stylesheet" href="${escapeHtml(href)}">`),
    ...parts.inlineStyles.map(
      ({ id, css }) =>
        `<style nonce="${parts.nonce}" data-vite-dev-id="${escapeHtml(id)}">${css.replaceAll('</', '<\\/')}</style>`,
    ),
    ...parts.preloads.map((href) => `<link rel="modulepreload" href="${escapeHtml(href)}">`),
    parts.head ?? '',
    `</head><body><div id="${ROOT_ELEMENT_ID}">`,
  ].join('')
}

const DOCUMENT_END = '</div></body></html>'

/** E1 and E2 without React: the same words in the same elements as the rendered fall-back page. */
function staticFailure(host: string, error: PageError): string {
  const lines = linesBelow(error).map((line) => `<p>${escapeHtml(line)}</p>`)
  return `<main><h1>${escapeHtml(error.message ?? failureSentence(host))}</h1>${lines.join('')}</main>`
}

/**
 * The same below a page whose shell was sent before its rest failed, for a browser without JavaScript; with it the
 * browser renders the rest again, and shows the fall-back page when that fails too.
 */
function lateFailure(host: string, error: PageError): string {
  const lines = [error.message ?? failureSentence(host), ...linesBelow(error)]
  return `<noscript><div role="alert">${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('')}</div></noscript>`
}

const linesBelow = ({ digest, requestId }: PageError): readonly string[] => [
  ...(digest === undefined ? [] : [digestLine(digest)]),
  ...(requestId === undefined ? [] : [requestLine(requestId)]),
]

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
