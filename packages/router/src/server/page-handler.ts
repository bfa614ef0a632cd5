/**
 * Turns requests into pages: real redirects, page data for the client-side router, or streamed HTML.
 * One function per step; the request's state lives in its arguments, never in the module.
 */
import { randomBytes } from 'node:crypto'
import { BUILD_HEADER, PAGE_CONTENT_TYPE, PAGE_HEADER, type PageData } from '../shared/page-data.ts'
import { createFormBody } from './form-body.ts'
import { bareFailure, htmlAnswer } from './html-answer.ts'
import {
  createAnswerHeaders,
  documentOptions,
  emptyPage,
  errorPage,
  kindOf,
  type PageHandlerOptions,
  type PageRequest,
  publicUrl,
  reportFailure,
} from './page-request.ts'
import { type Outcome, runPage, thrownOutcome } from './run-page.ts'
import { judgePost } from './security.ts'

export type PageHandler = (request: Request) => Promise<Response>

/** Never rejects: what cannot even be routed ends in the fall-back page without the app around it. */
export function createPageHandler<Context>(options: PageHandlerOptions<Context>): PageHandler {
  return async (request) => {
    const url = publicUrl(request, options.publicOrigin)
    try {
      return await handle(request, url, options)
    } catch (error) {
      return bareFailure(url, reportFailure(error, request, options))
    }
  }
}

async function handle<Context>(
  request: Request,
  url: URL,
  options: PageHandlerOptions<Context>,
): Promise<Response> {
  const build = typeof options.build === 'function' ? await options.build() : options.build
  const page: PageRequest<Context> = {
    request,
    url,
    build,
    match: build.match(url.pathname),
    headers: createAnswerHeaders(),
    nonce: randomBytes(16).toString('base64'),
    failure: (error) => reportFailure(error, request, options),
  }
  const answer = await answerTo(page, options)
  page.headers.applyTo(answer.headers)
  return request.method === 'HEAD' ? new Response(null, answer) : answer
}

async function answerTo<Context>(
  page: PageRequest<Context>,
  options: PageHandlerOptions<Context>,
): Promise<Response> {
  const { request, url, match } = page
  const requested = request.headers.get(PAGE_HEADER)
  if (!['GET', 'HEAD', 'POST'].includes(request.method)) {
    return new Response('Method not allowed\n', { status: 405, headers: { allow: 'GET, HEAD, POST' } })
  }
  if (request.method === 'POST') {
    const verdict = judgePost(request.headers, url.origin)
    if (!verdict.allowed) return new Response(`Refused: ${verdict.reason}\n`, { status: 403 })
    const theirBuild = request.headers.get(BUILD_HEADER)
    if (requested !== null && theirBuild !== null && theirBuild !== options.buildId) {
      // The form belongs to another build: nothing is done, and the browser posts it itself.
      return pageAnswer({ ...emptyPage(page, options), status: 409 })
    }
  } else if (requested === 'prefetch' && kindOf(match) === 'dynamic') {
    return pageAnswer({ ...emptyPage(page, options), reduced: true })
  }
  const outcome = await outcomeOf(page, options)
  if (outcome.kind === 'response') return withVary(outcome.response)
  if (outcome.kind === 'redirect') return redirectAnswer(page, options, outcome, requested !== null)
  const data = toPageData(page, options, outcome)
  return requested === null ? htmlAnswer(page, data, options) : pageAnswer(data)
}

async function outcomeOf<Context>(
  page: PageRequest<Context>,
  options: PageHandlerOptions<Context>,
): Promise<Outcome> {
  try {
    const outcome = await runWithContext(page, options)
    return outcome.kind === 'redirect' ? { ...outcome, url: checkedTarget(outcome.url, page.url) } : outcome
  } catch (error) {
    return { kind: 'error', error: page.failure(error) }
  }
}

async function runWithContext<Context>(
  page: PageRequest<Context>,
  options: PageHandlerOptions<Context>,
): Promise<Outcome> {
  const { request, url, match, headers } = page
  if (match.template === null) return { kind: 'error', error: { status: 404 } }
  let context: Context
  try {
    context = await options.createContext(request, headers)
  } catch (thrown) {
    const outcome = thrownOutcome(thrown, request.method === 'POST' ? 303 : 307)
    if (outcome) return outcome
    throw thrown
  }
  page.context = context
  const { setHeader, appendHeader } = headers
  const args = { request, url, params: match.params, context, setHeader, appendHeader }
  return runPage(match, args, createFormBody(request))
}

/** Resolved against the page. @throws for a target that is no web address, `javascript:` above all */
function checkedTarget(target: string, base: URL): string {
  const url = new URL(target, base)
  if (!/^https?:$/.test(url.protocol)) throw new Error(`redirect to ${target}: not a web address`)
  return url.href
}

function toPageData<Context>(
  page: PageRequest<Context>,
  options: PageHandlerOptions<Context>,
  outcome: Extract<Outcome, { kind: 'data' | 'error' }>,
): PageData {
  const empty = emptyPage(page, options)
  if (outcome.kind === 'error') return errorPage(empty, outcome.error)
  const { kind: _kind, ...rest } = outcome
  const data = { ...empty, ...rest }
  try {
    return { ...data, title: page.build.title(data) ?? documentOptions(page, options).title ?? '' }
  } catch (error) {
    return errorPage(empty, page.failure(error))
  }
}

function pageAnswer(data: PageData): Response {
  const text = JSON.stringify(data)
  return new Response(text, {
    status: data.status,
    headers: {
      'content-type': PAGE_CONTENT_TYPE,
      'content-length': String(Buffer.byteLength(text)),
      [BUILD_HEADER]: data.build,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
      vary: PAGE_HEADER,
    },
  })
}

function redirectAnswer<Context>(
  page: PageRequest<Context>,
  options: PageHandlerOptions<Context>,
  { url, status, asDocument = false }: Extract<Outcome, { kind: 'redirect' }>,
  asPageData: boolean,
): Response {
  const target = new URL(url, page.url)
  const isOurs = target.origin === page.url.origin
  if (asPageData && (asDocument || !isOurs) && page.request.method === 'POST') {
    // Fetch may not follow to another origin, and a repeated post could double its effect.
    return pageAnswer({ ...emptyPage(page, options), leave: target.href })
  }
  const location = isOurs ? target.pathname + target.search + target.hash : target.href
  return new Response(null, {
    status,
    headers: { location, 'cache-control': 'no-store', vary: PAGE_HEADER },
  })
}

function withVary(response: Response): Response {
  const copy = new Response(response.body, response)
  copy.headers.append('vary', PAGE_HEADER)
  return copy
}
