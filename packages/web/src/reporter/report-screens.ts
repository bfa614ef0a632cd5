/** The reporter for Sonde's own screens, in a chunk that is loaded once the page is usable. */
import {
  breadcrumbs,
  captureException,
  chunkFailures,
  init,
  navigations,
  pageDataFailures,
  tabs,
  tracing,
  vitals,
} from '@sonde/browser'
import { sondeRouter } from '@sonde/react/sonde-router'
import { onRouterEvent, type RouterEvent } from '@sonde/router'
import type { PageReport } from '../server/self-report.server.ts'

/**
 * A screen that fails at every refresh would feed itself: its report is an event, an event refreshes the lists. So only
 * so many errors a minute are told, and a page that goes on failing falls silent.
 */
const PER_MINUTE = 10
const PER_PAGE = 50

export function createErrorBudget(nowMs: () => number = Date.now): () => boolean {
  let minute = -1
  let inMinute = 0
  let inPage = 0
  return () => {
    const current = Math.floor(nowMs() / 60_000)
    if (current !== minute) inMinute = 0
    minute = current
    inMinute++
    inPage++
    return inMinute <= PER_MINUTE && inPage <= PER_PAGE
  }
}

/** Whoever has the token of a shared issue may look at it. */
const SHARED = /\/settings\/shared\/[\w-]+/g
/** What people search for stays out of reports: the query of every address in them is cut off. */
const WITH_QUERY = /^((?:[A-Z]+ )?(?:https?:\/\/[^\s?#]*|\/[^\s?#]*))\?\S*/

export function withoutQueries<T>(value: T): T {
  return cut(value) as T
}

function cut(value: unknown): unknown {
  if (typeof value === 'string')
    return value.replace(WITH_QUERY, '$1').replaceAll(SHARED, '/settings/shared/[token]')
  if (Array.isArray(value)) return value.map(cut)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner)]))
}

/** What happened before this chunk was there. */
export type Early = { readonly errors: readonly unknown[]; readonly events: readonly RouterEvent[] }

export function reportScreens({ dsn, release }: PageReport, early: Early): void {
  const mayTell = createErrorBudget()
  const client = init({
    dsn,
    release,
    tunnel: '/monitoring',
    environment: 'sonde',
    tracesSampleRate: 1,
    features: [
      breadcrumbs(),
      tracing(),
      vitals(),
      navigations(),
      chunkFailures(),
      pageDataFailures(),
      // After an upgrade of Sonde: who still has the screens of the version before.
      tabs(),
    ],
    // Nobody is named, and addresses are cut: the screens are other people's data.
    beforeSend: (event) => (event.type || mayTell() ? withoutQueries(event) : null),
  })
  if (!client) return
  for (const thrown of early.errors) captureException(thrown)
  const listen = (listener: (event: RouterEvent) => void): (() => void) => {
    for (const event of early.events) listener(event)
    return onRouterEvent(listener)
  }
  sondeRouter(listen)
  listen((event) => {
    if (event.type !== 'error') return
    // With a digest the stack is in the server's log; the page knows no more than that.
    const tags = event.digest === undefined ? {} : { digest: event.digest }
    captureException(event.error, { tags })
  })
}
