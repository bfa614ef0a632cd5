/** The reporter for Sonde's own screens, in a chunk that is loaded once the page is usable. */
import { captureException, chunkFailures, init, navigations, pageDataFailures } from '@sonde/browser'
import { onRouterEvent } from '@sonde/router'
import type { PageReport } from '../server/self-report.ts'
import type { EarlyErrors } from './early-errors.ts'
import { createErrorBudget } from './error-budget.ts'
import { withoutQueries } from './without-queries.ts'

export function reportScreens({ dsn, release }: PageReport, early: EarlyErrors): void {
  const mayTell = createErrorBudget()
  const client = init({
    dsn,
    release,
    tunnel: '/monitoring',
    environment: 'sonde',
    tracesSampleRate: 1,
    features: [navigations(), chunkFailures(), pageDataFailures()],
    // Nobody is named, and addresses are cut: the screens are other people's data.
    beforeSend: (event) => (event.type || mayTell() ? withoutQueries(event) : null),
  })
  if (!client) return
  for (const thrown of early.take()) captureException(thrown)
  onRouterEvent((event) => {
    if (event.type !== 'error') return
    // With a digest the stack is in the server's log; the page knows no more than that.
    const tags = event.digest === undefined ? {} : { digest: event.digest }
    captureException(event.error, { tags })
  })
}
