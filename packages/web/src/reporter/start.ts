/** Runs first in the browser. Without the server's word in the head the screens report nothing, and load nothing. */
import { onRouterEvent, type RouterEvent } from '@sonde/router'
import type { PageReport } from '../server/self-report.server.ts'
import { REPORT_META } from './report-meta.ts'

/**
 * Keeps what goes wrong before the reporter is there: it comes in a chunk of its own after the page is usable, so that
 * it costs the page nothing.
 */
type EarlyErrors = {
  /** What was thrown so far; nothing is kept from now on. */
  take(): readonly unknown[]
}

// More than this is one fault many times over.
const MAX_KEPT = 20

export function keepEarlyErrors(target: EventTarget = window): EarlyErrors {
  const kept: unknown[] = []
  const keep = (thrown: unknown): void => {
    if (kept.length < MAX_KEPT) kept.push(thrown)
  }
  const onError = (event: Event): void => {
    const { error, message } = event as ErrorEvent
    keep(error ?? message)
  }
  const onRejection = (event: Event): void => keep((event as PromiseRejectionEvent).reason)
  target.addEventListener('error', onError)
  target.addEventListener('unhandledrejection', onRejection)
  return {
    take() {
      target.removeEventListener('error', onError)
      target.removeEventListener('unhandledrejection', onRejection)
      return kept.splice(0)
    },
  }
}

// The page's route, and what happens until the reporter is there: a handful.
const MAX_EVENTS = 50

const told = document.querySelector<HTMLMetaElement>(`meta[name="${REPORT_META}"]`)?.content
if (told) {
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
        reportScreens(JSON.parse(told) as PageReport, { errors: early.take(), events })
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
