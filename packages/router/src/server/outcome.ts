/** How a request to a page ends, before it becomes an answer in HTML or page data. */
import type { PageError } from '../shared/page-data.ts'
import { HttpError, Redirect, type RedirectStatus } from './results.ts'

export type Outcome =
  | {
      readonly kind: 'redirect'
      readonly url: string
      readonly status: RedirectStatus
      readonly asDocument?: boolean
    }
  /** A load or action answered by itself: a download, an event stream. */
  | { readonly kind: 'response'; readonly response: Response }
  | { readonly kind: 'error'; readonly error: PageError }
  | {
      readonly kind: 'data'
      readonly status: number
      readonly data: Readonly<Record<string, unknown>>
      readonly action?: unknown
      readonly typed?: Readonly<Record<string, string>>
    }

/** What a thrown redirect, HTTP error or Response means; undefined for a real failure. */
export function thrownOutcome(thrown: unknown, defaultStatus: 303 | 307): Outcome | undefined {
  if (thrown instanceof Redirect) {
    const { url, status = defaultStatus, asDocument } = thrown
    return { kind: 'redirect', url, status, asDocument }
  }
  if (thrown instanceof Response) return responseOutcome(thrown, defaultStatus)
  if (thrown instanceof HttpError && thrown.status < 500)
    return { kind: 'error', error: { status: thrown.status } }
  return undefined
}

/** 301 and 302 let a browser turn a post into a get or not; they become the code that says which (N7). */
export function responseOutcome(response: Response, defaultStatus: 303 | 307): Outcome {
  const location = response.headers.get('location')
  if (location === null || response.status < 300 || response.status > 399)
    return { kind: 'response', response }
  const exact = ([303, 307, 308] as const).find((status) => status === response.status)
  const permanent = response.status === 301 && defaultStatus === 307 ? 308 : undefined
  return { kind: 'redirect', url: location, status: exact ?? permanent ?? defaultStatus }
}
