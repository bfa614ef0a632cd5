/** One fetch of page data, and the verdict on its answer. */
import { BUILD_HEADER, isPageContentType, PAGE_HEADER, type PageData } from '../shared/page-data.ts'

/** Why a page's data could not be had; each one falls back to a full page load (N8). */
export type FailureReason =
  | 'network'
  | 'timeout'
  | 'server'
  | 'content-type'
  | 'json'
  | 'build'
  | 'origin'
  | 'chunk'
  | 'no-route'

export type PageAnswer =
  | {
      readonly kind: 'page'
      readonly page: PageData
      /** Path and query that the data is for: the target's after a redirect. */
      readonly url: string
      readonly redirected: boolean
    }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  /** Nobody waits for it any more. */
  | { readonly kind: 'aborted' }

/** `full` wants the data; `prefetch` lets the server answer for a dynamic page without any. */
export type FetchMode = 'full' | 'prefetch'

export type FetchPage = (url: string, mode: FetchMode, signal: AbortSignal) => Promise<PageAnswer>

export type FetchPageOptions = {
  /** The page's own origin, `https://example.com`. */
  readonly origin: string
  readonly build: string
  readonly fetch: typeof globalThis.fetch
}

export function createFetchPage(options: FetchPageOptions): FetchPage {
  return async (url, mode, signal) => {
    try {
      const response = await options.fetch(options.origin + url, {
        headers: {
          [PAGE_HEADER]: mode === 'full' ? '1' : 'prefetch',
          [BUILD_HEADER]: options.build,
        },
        credentials: 'same-origin',
        signal,
      })
      return await readPageAnswer(response, options)
    } catch {
      return signal.aborted ? { kind: 'aborted' } : { kind: 'failed', reason: 'network' }
    }
  }
}

/** @throws when the connection breaks while the body is read */
export async function readPageAnswer(
  response: Response,
  { origin, build }: Pick<FetchPageOptions, 'origin' | 'build'>,
): Promise<PageAnswer> {
  const failed = async (reason: FailureReason): Promise<PageAnswer> => {
    await response.body?.cancel()
    return { kind: 'failed', reason }
  }
  const url = new URL(response.url)
  if (url.origin !== origin) return failed('origin')
  if (!isPageContentType(response.headers.get('content-type'))) {
    return failed(response.status >= 500 ? 'server' : 'content-type')
  }
  if (response.headers.get(BUILD_HEADER) !== build) return failed('build')
  const text = await response.text()
  try {
    const page = JSON.parse(text) as PageData
    return { kind: 'page', page, url: url.pathname + url.search, redirected: response.redirected }
  } catch {
    return { kind: 'failed', reason: 'json' }
  }
}
