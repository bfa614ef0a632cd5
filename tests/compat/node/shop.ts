/**
 * A shop that reports through @sentry/node as its documentation says; nothing here knows of Sonde. Prints the event
 * ids as JSON, then ends by an error that nobody catches.
 */
import * as Sentry from '@sentry/node'

class PaymentError extends Error {
  override name = 'PaymentError'
}
class CheckoutError extends Error {
  override name = 'CheckoutError'
}

Sentry.init({
  dsn: process.env['SENTRY_DSN'] ?? '',
  release: 'shop@1.4.2',
  environment: 'compat-node',
  tracesSampleRate: 1,
  enableLogs: true,
  beforeSend: (event) => (event.message === 'nobody needs this' ? null : event),
})

Sentry.setUser({ id: '42', email: 'ada@example.com', username: 'ada' })
Sentry.setTag('region', 'eu-west')
Sentry.setContext('cart', { items: 3, total: 59.9 })
Sentry.setExtra('coupon', 'SPRING')
Sentry.addBreadcrumb({ category: 'shop.cart', message: 'put sku 4711 into the cart', level: 'info' })
Sentry.addBreadcrumb({
  category: 'shop.pay',
  message: 'card was asked for',
  level: 'warning',
  data: { attempt: 2 },
})

function chargeCard(cents: number): never {
  throw new PaymentError(`card declined for ${cents} cents`)
}

function placeOrder(): void {
  try {
    chargeCard(5990)
  } catch (error) {
    throw new CheckoutError('order 1001 could not be placed', { cause: error })
  }
}

function captureChained(): string {
  try {
    placeOrder()
  } catch (error) {
    return Sentry.captureException(error)
  }
  throw new Error('the order must fail')
}

/** Two different texts, held together by the fingerprint alone. */
function captureFingerprinted(message: string): string {
  return Sentry.withScope((scope) => {
    scope.setFingerprint(['stock-is-low'])
    scope.addAttachment({ filename: 'stock.csv', data: 'sku,left\n4711,2\n' })
    return Sentry.captureMessage(message, 'warning')
  })
}

const ids = {
  chained: captureChained(),
  message: Sentry.captureMessage('The nightly import took long', 'info'),
  fingerprinted: [
    captureFingerprinted('Only two bicycles left'),
    captureFingerprinted('No teapots any more'),
  ],
}
Sentry.captureMessage('nobody needs this')
const trace = Sentry.startSpan({ name: 'checkout', op: 'task' }, (span) => {
  Sentry.startSpan({ name: 'charge' }, () => undefined)
  return span.spanContext().traceId
})
Sentry.captureCheckIn({ monitorSlug: 'nightly-import', status: 'ok' })
Sentry.captureFeedback({ message: 'the button is too small', email: 'ada@example.com', name: 'Ada' })
Sentry.logger.info('order placed', { order: 1001 })
Sentry.metrics.count('orders', 1)
await Sentry.flush(10_000)
process.stdout.write(`${JSON.stringify({ ...ids, trace })}\n`)

function sendNewsletter(recipients: readonly string[] | undefined): number {
  return recipients!.length
}
setTimeout(() => sendNewsletter(undefined), 1)
