/** Runs first in the browser. Without the server's word in the head the screens report nothing, and load nothing. */
import { keepEarlyErrors } from './early-errors.ts'
import { REPORT_META } from './report-meta.ts'
import type { PageReport } from '../server/self-report.ts'

const told = document.querySelector<HTMLMetaElement>(`meta[name="${REPORT_META}"]`)?.content
if (told) {
  const early = keepEarlyErrors()
  const start = (): void => {
    // When even this cannot be loaded there is nobody to tell.
    import('./report-screens.ts').then(
      ({ reportScreens }) => reportScreens(JSON.parse(told) as PageReport, early),
      () => early.take(),
    )
  }
  if (document.readyState === 'complete') start()
  else addEventListener('load', () => setTimeout(start))
}
