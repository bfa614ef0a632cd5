/**
 * A shop that reports through @sentry/browser as its documentation says; nothing here knows of Sonde. Where to report
 * stands in the page's own address. What was sent, and how that was answered, is left in `window.shop`.
 */
import * as Sentry from '@sentry/browser'
import { placeOrder, rejectUnhandled, throwUncaught } from './checkout.ts'

declare const SHOP_RELEASE: string
declare global {
  interface Window {
    shop: { readonly ids: Record<string, string>; readonly statuses: (number | undefined)[]; done: boolean }
  }
}

const params = new URLSearchParams(location.search)
const tunnel = params.get('tunnel')
window.shop = { ids: {}, statuses: [], done: false }
const { ids, statuses } = window.shop

Sentry.init({
  dsn: params.get('dsn') ?? '',
  ...(tunnel === null ? {} : { tunnel }),
  release: SHOP_RELEASE,
  environment: 'compat-browser',
  integrations: [Sentry.browserTracingIntegration(), Sentry.replayIntegration({ minReplayDuration: 0 })],
  tracesSampleRate: 1,
  replaysSessionSampleRate: 0,
  replaysOnErrorSampleRate: 1,
  beforeSend: (event) => (event.message === 'nobody needs this' ? null : event),
})
Sentry.getClient()?.on('afterSendEvent', (event, answer) => {
  const name = event.exception?.values?.at(-1)?.type ?? event.message
  if (name && event.event_id && event.type === undefined) ids[name] = event.event_id
  statuses.push(answer.statusCode)
})

Sentry.setUser({ id: '42', email: 'ada@example.com', username: 'ada' })
Sentry.setTag('region', 'eu-west')
Sentry.setContext('cart', { items: 3, total: 59.9 })
Sentry.setExtra('coupon', 'SPRING')
Sentry.addBreadcrumb({ category: 'shop.cart', message: 'put sku 4711 into the cart', level: 'info' })

/** Two different texts, held together by the fingerprint alone. */
function captureFingerprinted(message: string): void {
  Sentry.withScope((scope) => {
    scope.setFingerprint(['stock-is-low'])
    scope.addAttachment({ filename: 'stock.csv', data: 'sku,left\n4711,2\n' })
    Sentry.captureMessage(message, 'warning')
  })
}

async function buy(): Promise<void> {
  console.warn('card was asked for')
  await fetch('/stock.json')
  history.pushState({}, '', `/thanks${location.search}`)
  try {
    placeOrder()
  } catch (error) {
    Sentry.captureException(error)
  }
  Sentry.captureMessage('The nightly import took long', 'info')
  captureFingerprinted('Only two bicycles left')
  captureFingerprinted('No teapots any more')
  Sentry.captureMessage('nobody needs this')
  Sentry.startSpan({ name: 'checkout', op: 'task' }, () => undefined)
  Sentry.captureFeedback({ message: 'the button is too small', email: 'ada@example.com', name: 'Ada' })
  Sentry.logger.info('order placed', { order: 1001 })
  Sentry.metrics.count('orders', 1)
  throwUncaught()
  rejectUnhandled()
  await new Promise((resolve) => setTimeout(resolve, 50))
  await Sentry.getReplay()?.flush()
  await Sentry.flush(10_000)
  window.shop.done = true
}
document.querySelector('#buy')?.addEventListener('click', () => void buy())
