/** A shop that records its visits through @sentry/browser as its documentation says; how it is set up stands in its address. */
import * as Sentry from '@sentry/browser'

declare const SHOP_RELEASE: string
declare global {
  interface Window {
    visited: { eventId?: string; replayId?: string; traceId?: string; isSent: boolean }
  }
}

const params = new URLSearchParams(location.search)
const isBuffered = params.get('mode') === 'buffer'
window.visited = { isSent: false }

Sentry.init({
  dsn: params.get('dsn') ?? '',
  release: SHOP_RELEASE,
  environment: 'compat-replay',
  integrations: [
    Sentry.browserTracingIntegration(),
    Sentry.replayIntegration({
      useCompression: params.get('compression') === 'on',
      minReplayDuration: 0,
      unmask: ['.public'],
    }),
    Sentry.replayCanvasIntegration(),
  ],
  tracesSampleRate: 1,
  replaysSessionSampleRate: isBuffered ? 0 : 1,
  replaysOnErrorSampleRate: isBuffered ? 1 : 0,
})
Sentry.setUser({ id: '7', username: params.get('name') ?? '' })

const on = (id: string, run: () => void): void =>
  document.querySelector(`#${id}`)?.addEventListener('click', run)

const brush = document.querySelector<HTMLCanvasElement>('#chart')?.getContext('2d')
if (brush) {
  brush.fillStyle = 'green'
  brush.fillRect(10, 10, 60, 30)
}

on('show', () => {
  console.warn('the order is shown')
  void fetch('/stock.json').then(() => {
    const thanks = document.querySelector('#thanks')
    if (thanks) thanks.textContent = 'Thank you for the order'
  })
  history.pushState({}, '', `/thanks${location.search}`)
})

on('fail', () => {
  void (async () => {
    const eventId = Sentry.captureException(new Error(`broken for ${params.get('name')}`))
    const { traceId } = Sentry.getCurrentScope().getPropagationContext()
    const span = Sentry.getActiveSpan()
    // A buffer is sent a moment after its error.
    await new Promise((resolve) => setTimeout(resolve, 600))
    Sentry.captureFeedback({ message: `feedback of ${params.get('name')}`, email: 'ada@example.com' })
    await Sentry.getReplay()?.flush()
    await Sentry.flush(10_000)
    const replayId = Sentry.getReplay()?.getReplayId()
    window.visited = {
      eventId,
      traceId: span?.spanContext().traceId ?? traceId,
      ...(replayId !== undefined && { replayId }),
      isSent: true,
    }
  })()
})
