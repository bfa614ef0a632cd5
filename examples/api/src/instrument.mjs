/** Loaded before anything else (`node --import`), so that the SDK sees the HTTP server being made. */
import * as Sentry from '@sentry/node'

Sentry.init({
  dsn: process.env.SONDE_DSN,
  release: process.env.RELEASE ?? 'api@2.3.0',
  environment: process.env.ENVIRONMENT ?? 'production',
  // Every request: pages decide, by the headers they send, whether a trace is kept.
  tracesSampleRate: 1,
  enableLogs: true,
})
