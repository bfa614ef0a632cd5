/** A server whose code calls its work by the op that browsers have for navigations. */
import * as Sentry from '@sentry/node'

Sentry.init({ dsn: process.env['SENTRY_DSN'] ?? '', release: 'api@1', tracesSampleRate: 1 })
const traceId = Sentry.startSpan(
  { name: '/orders/42', op: 'navigation', forceTransaction: true },
  (span) => span.spanContext().traceId,
)
await Sentry.close(5_000)
process.stdout.write(JSON.stringify({ traceId }))
