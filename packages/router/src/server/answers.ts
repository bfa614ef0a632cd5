/** Answers other than HTML. */
import { BUILD_HEADER, PAGE_CONTENT_TYPE, PAGE_HEADER, type PageData } from '../shared/page-data.ts'
import type { Outcome } from './outcome.ts'
import { emptyPage, type PageHandlerOptions, type PageRequest } from './page-request.ts'

export function pageAnswer(data: PageData): Response {
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

export function redirectAnswer<Context>(
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

export function withVary(response: Response): Response {
  const copy = new Response(response.body, response)
  copy.headers.append('vary', PAGE_HEADER)
  return copy
}
