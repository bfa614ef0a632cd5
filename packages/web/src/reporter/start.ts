/** Runs first in the browser. Without the server's word in the head the screens report nothing, and load nothing. */
import { onRouterEvent, type RouterEvent } from '@sonde/router'
import type { PageReport } from '../server/self-report.server.ts'
import { keepEarlyErrors } from './early-errors.ts'
import { REPORT_META } from './report-meta.ts'

// The page's route, and what happens until the reporter is there: a handful.
const MAX_EVENTS = 50

const reported = document.querySelector<HTMLMetaElement>(`meta[name="${REPORT_META}"]`)?.content
if (reported) {
  const early = keepEarlyErrors()
  const events: RouterEvent[] = []
  const stop = onRouterEvent((event) => {
    if (events.length < MAX_EVENTS) events.push(event)
  })
  const start = (): void => {
    // When even this cannot be loaded there is nobody to tell.
    import('./report-screens.ts').then(
      ({ reportScreens }) => {
        stop()
        reportScreens(JSON.parse(reported) as PageReport, { errors: early.take(), events })
      },
      () => {
        stop()
        early.take()
      },
    )
  }
  if (document.readyState === 'complete') start()
  else addEventListener('load', () => setTimeout(start))
}
