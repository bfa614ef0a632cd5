/**
 * How a navigation ended that no router tells of, as far as the page shows it: by requests and code that failed meanwhile, by
 * what came next, and by whether the document changed. What it does not show is `unknown`.
 */
import type { NavigationOutcome } from '@sonde/protocol/navigation'
import type { PageRequest } from '../types.ts'
import type { Navigation } from './timeline.ts'

export type Verdict = {
  readonly outcome: NavigationOutcome
  readonly reason?: string | undefined
  /** Milliseconds of `performance.now()`. */
  readonly atMs: number
}

const SAME_PRESS_MS = 100

/** The next navigation, or the page was hidden. */
export type LeftBy = 'next' | 'hide'

export type Seen = {
  /** The worst that failed and was not healed. */
  readonly failure: Verdict | undefined
  readonly isLoading: boolean
  /** When the page itself had given up all of its requests. */
  readonly abortedMs: number | undefined
}

/** Not what a page writes elsewhere: figures of its visits, which blockers stop and nobody waits for. */
export const isPageData = ({ method, url }: PageRequest): boolean => method === 'GET' || isOwnOrigin(url)

const isOwnOrigin = (url: string): boolean => new URL(url, location.href).origin === location.origin

/** Undefined: it says nothing of how a navigation ended. */
export function failureOf(request: PageRequest): Verdict | undefined {
  const { method, url, kind, status = 0, error, end = 0 } = request
  const isRead = method === 'GET'
  const isUnanswered = error || (kind === 'xhr' && !status)
  if ((error as Error | undefined)?.name === 'AbortError') return undefined
  if (isUnanswered ? !isPageData(request) : status < (isRead ? 400 : 500)) return undefined
  // A page whose own data is missing is no page. With the rest it may or may not be one: a 404 of a part of it, a search
  // without a result.
  const isData = isOwnOrigin(url) && isRead && (isUnanswered || status >= 500)
  const reason = !isUnanswered ? `http_${status}` : navigator.onLine ? 'network' : 'offline'
  return { outcome: isData ? 'errored' : 'unknown', reason, atMs: end }
}

/** Of a press on a link after which the address did not change. Undefined: nothing says that it was a navigation. */
export function judgeDraft(
  by: LeftBy | undefined,
  { failure, isLoading, abortedMs }: Seen,
): Verdict | undefined {
  const atMs = performance.now()
  if (failure?.outcome === 'errored') return failure
  // A router gives up its requests as soon as something else is pressed, which is told of a moment later.
  const isGivenUp = abortedMs !== undefined
  if (by === 'next' && (isLoading || (isGivenUp && atMs - abortedMs < SAME_PRESS_MS)))
    return { outcome: 'superseded', atMs }
  return isGivenUp ? { outcome: 'aborted', atMs: abortedMs } : undefined
}

/** Of one that changed the address. Undefined: the new page was shown. */
export function judgeShown(
  { commitMs, isChanged, facts }: Navigation,
  by: LeftBy | undefined,
  { failure, isLoading }: Seen,
): Pick<Verdict, 'outcome' | 'reason'> | undefined {
  if (failure) return failure
  const isUnseen = commitMs === undefined
  if (by === 'next' && (isUnseen || isLoading)) return { outcome: 'superseded' }
  if (isUnseen) return { outcome: 'unknown', reason: 'hidden' }
  if (!isChanged && !facts.cache) return { outcome: 'unknown', reason: 'unchanged' }
  return undefined
}
