/** A page as most are: the SDK with tracing, which keeps a quarter of the traces that begin in it. */
import * as Sentry from '@sentry/browser'

Sentry.init({
  dsn: new URLSearchParams(location.search).get('dsn') ?? '',
  integrations: [Sentry.browserTracingIntegration()],
  tracesSampleRate: 0.25,
})
