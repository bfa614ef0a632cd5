/** Spans that link to spans of other traces, by `@sentry/node`; nothing here knows of Sonde. Prints ids as JSON. */
import * as Sentry from '@sentry/node'

Sentry.init({ dsn: process.env['SENTRY_DSN'] ?? '', release: 'shop@1.4.2', tracesSampleRate: 1 })

const ids = (span: Sentry.Span) => {
  const { traceId, spanId } = span.spanContext()
  return { traceId, spanId }
}
const sent = Sentry.startSpan({ name: 'send orders', op: 'queue.publish' }, (span) => span)
const batch = Sentry.startNewTrace(() =>
  Sentry.startSpan(
    {
      name: 'process orders',
      op: 'queue.process',
      links: [{ context: sent.spanContext(), attributes: { 'messaging.message.id': 'order-7' } }],
    },
    (span) => {
      const child = Sentry.startSpan({ name: 'order-7', op: 'task' }, (inner) => {
        inner.addLink({ context: sent.spanContext() })
        return ids(inner)
      })
      return { ...ids(span), child }
    },
  ),
)
await Sentry.flush(5_000)
process.stdout.write(JSON.stringify({ sent: ids(sent), batch }))
