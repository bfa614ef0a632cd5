/**
 * The page of the shop: reports through @sentry/browser with streamed spans, asks its server for the cart, and logs its
 * own web vitals from the browser's entries, without any library, to be compared with what Sonde says.
 */
import * as Sentry from '@sentry/browser'

declare global {
  interface Window {
    cart: {
      trace: string
      readonly vitals: Record<string, number>
      ready: boolean
      left: boolean
      leave(): Promise<void>
    }
  }
}

const params = new URLSearchParams(location.search)
window.cart = { trace: '', vitals: {}, ready: false, left: false, leave }
const { vitals } = window.cart

const client = Sentry.init({
  dsn: params.get('dsn') ?? '',
  release: 'cart-page@1.4.2',
  environment: 'compat-one-trace',
  integrations: [Sentry.browserTracingIntegration({ instrumentPageLoad: false })],
  tracesSampleRate: 1,
})
// Without a router's integration the SDK calls every page load "Pageload"; a router of one's own names its routes so.
const load = client && Sentry.startBrowserTracingPageLoadSpan(client, { name: '/cart' })
window.cart.trace = load?.spanContext().traceId ?? ''

// https://web.dev/articles/vitals : one shift and one press, so that no windows and no percentiles come into it.
observe('largest-contentful-paint', (entry) => (vitals['lcp'] = entry.startTime))
observe('layout-shift', (entry) => (vitals['cls'] = (vitals['cls'] ?? 0) + (entry as unknown as Shift).value))
observe('paint', (entry) => {
  if (entry.name === 'first-contentful-paint') vitals['fcp'] = entry.startTime
})
observe('navigation', (entry) => (vitals['ttfb'] = (entry as PerformanceNavigationTiming).responseStart))
observe('event', (entry) => {
  if ((entry as unknown as Press).interactionId > 0)
    vitals['inp'] = Math.max(vitals['inp'] ?? 0, entry.duration)
})

type Shift = { readonly value: number }
type Press = { readonly interactionId: number }

function observe(type: string, onEntry: (entry: PerformanceEntry) => void): void {
  new PerformanceObserver((list) => list.getEntries().forEach(onEntry)).observe({ type, buffered: true })
}

document.querySelector('#order')?.addEventListener('click', () => {
  const until = performance.now() + 120
  while (performance.now() < until);
  document.querySelector('#order')!.textContent = 'Ordered'
})

/** As a tab that is put into the background, except that it lives on until everything is sent. */
async function leave(): Promise<void> {
  // The SDK looks at the press when the browser is idle, and a busy machine takes its time: who leaves before that has no INP.
  await new Promise((resolve) => requestIdleCallback(resolve))
  Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
  Object.defineProperty(document, 'hidden', { get: () => true })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  // The SDK's last value of INP is told a moment after it sent the spans that it had.
  await new Promise((resolve) => setTimeout(resolve))
  await Sentry.flush(20_000)
  window.cart.left = true
}

const answer = await fetch('/api/cart/4711')
const { left } = (await answer.json()) as { left: number }
// Pushes the button down: the only shift of the page, and not after a press.
const banner = document.createElement('p')
banner.style.height = '300px'
banner.textContent = `${left} left`
document.querySelector('#stock')?.before(banner)
requestAnimationFrame(() => requestAnimationFrame(() => (window.cart.ready = true)))
