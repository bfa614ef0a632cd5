/** Lines of a log through `Sentry.logger`; nothing here knows of Sonde. Prints the id of the trace as JSON. */
import * as Sentry from '@sentry/node'

Sentry.init({
  dsn: process.env['SENTRY_DSN'] ?? '',
  release: 'shop@1.4.2',
  environment: 'compat-node',
  enableLogs: true,
  tracesSampleRate: 1,
})
const trace = Sentry.startSpan({ name: 'nightly import' }, (span) => {
  const { logger } = Sentry
  logger.trace('opened the file')
  logger.debug('read the header', { columns: 12 })
  logger.info(logger.fmt`imported ${3} products from ${'catalogue.csv'}`, { 'import.ok': true })
  logger.warn('price is missing', { sku: 'B-17', price: 0.5 })
  logger.error('could not reach the warehouse', { attempt: 3 })
  logger.fatal('gave up')
  return span.spanContext()
})
await Sentry.flush(5_000)
process.stdout.write(JSON.stringify({ trace: trace.traceId, span: trace.spanId }))
