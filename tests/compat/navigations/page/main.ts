/** A page with nothing but Sentry's SDK: a press leads to another route, whose data fails and whose code throws. */
import * as Sentry from '@sentry/browser'

declare global {
  interface Window {
    stockVisit: { ready: boolean; sent: boolean }
  }
}

const params = new URLSearchParams(location.search)
window.stockVisit = { ready: false, sent: false }

Sentry.init({
  dsn: params.get('dsn') ?? '',
  release: 'shop@2.0.0',
  environment: 'compat-navigations',
  integrations: [Sentry.browserTracingIntegration({ idleTimeout: 300 })],
  tracesSampleRate: 1,
  traceLifecycle: params.get('lifecycle') === 'static' ? 'static' : 'stream',
})
Sentry.setUser({ id: params.get('user') ?? '' })

// The span of the page load ends when the page has been quiet for a while; a navigation would cut it.
Sentry.getClient()?.on('spanEnd', (span) => {
  const { op } = Sentry.spanToJSON(span) as { op?: string }
  const name = op ?? String(Sentry.spanToJSON(span).attributes?.['sentry.op'])
  if (name === 'pageload') window.stockVisit.ready = true
  // The SDK hears of it after this; then all that it has is sent.
  if (name === 'navigation')
    setTimeout(() => void Sentry.flush(20_000).then(() => (window.stockVisit.sent = true)))
})

document.querySelector('#order')?.addEventListener('click', () => {
  history.pushState({}, '', '/orders/42?from=cart')
  void open()
})

async function open(): Promise<void> {
  const answer = await fetch('/api/orders/42.json')
  document.querySelector('h1')!.textContent = `Order 42: ${answer.status}`
  Sentry.captureException(new Error(`order 42 answered ${answer.status}`))
}
