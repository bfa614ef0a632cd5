/** A shop that profiles through @sentry/browser as its documentation says; its server sends Document-Policy: js-profiling. */
import * as Sentry from '@sentry/browser'

declare const SHOP_RELEASE: string

Sentry.init({
  dsn: new URLSearchParams(location.search).get('dsn') ?? '',
  release: SHOP_RELEASE,
  integrations: [Sentry.browserTracingIntegration(), Sentry.browserProfilingIntegration()],
  tracesSampleRate: 1,
  profileSessionSampleRate: 1,
  profileLifecycle: 'trace',
})

/** Long enough for a sampler of a hundred a second. */
function countTheStock(): number {
  const until = performance.now() + 600
  let sum = 0
  while (performance.now() < until) sum += Math.sqrt(sum + 1)
  return sum
}

document.querySelector('#work')?.addEventListener('click', () => {
  Sentry.startSpan({ name: 'count the stock', op: 'task', forceTransaction: true }, () => countTheStock())
  void Sentry.flush(10_000).then(() => (document.body.dataset['done'] = 'yes'))
})
