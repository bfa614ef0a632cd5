/** Runs before the server's own code (`node --import`), as the documentation of @sentry/node has it. */
import * as Sentry from '@sentry/node'

Sentry.init({
  dsn: process.env['SENTRY_DSN'] ?? '',
  release: 'cart-api@1.4.2',
  environment: 'compat-one-trace',
  tracesSampleRate: 1,
  traceLifecycle: 'stream',
})
