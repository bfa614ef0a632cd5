/** The reporter for Sonde's own screens, in a chunk that is loaded once the page is usable. */
import {
  breadcrumbs,
  captureException,
  chunkFailures,
  init,
  navigations,
  pageDataFailures,
  tracing,
  vitals,
} from '@sonde/browser'
import { sondeRouter } from '@sonde/react/sonde-router'
import { onRouterEvent, type RouterEvent } from '@sonde/router'
import type { PageReport } from '../server/self-report.server.ts'
import { createErrorBudget } from './error-budget.ts'
import { withoutQueries } from './without-queries.ts'

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
    features: [breadcrumbs(), tracing(), vitals(), navigations(), chunkFailures(), pageDataFailures()],
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
