/** Starts the reporter before anything else of the app runs: an error while it starts is seen too. */
import {
  breadcrumbs,
  chunkFailures,
  init,
  navigations,
  offlineQueue,
  pageDataFailures,
  setUser,
  tabs,
  tracing,
  vitals,
} from '@sonde/browser'
import { visitor } from './visitor.ts'

const meta = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''

export function startReporter(): void {
  const dsn = meta('sonde-dsn')
  if (!dsn) return
  init({
    dsn,
    tunnel: '/monitoring',
    release: SHOP_RELEASE,
    environment: meta('environment'),
    tracesSampleRate: 1,
    // What is not named here is not in the bundle.
    features: [
      offlineQueue(),
      breadcrumbs(),
      tracing(),
      vitals(),
      navigations(),
      chunkFailures(),
      pageDataFailures(),
      tabs(),
    ],
  })
  const known = visitor()
  if (known) setUser({ id: known.id, email: known.email, username: known.name })
}
