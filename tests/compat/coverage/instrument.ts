/** Runs before the server's own code (`node --import`), as the documentation of @sentry/node has it. */
import * as Sentry from '@sentry/node'

Sentry.init({ dsn: process.env['SENTRY_DSN'] ?? '', tracesSampleRate: 1 })
