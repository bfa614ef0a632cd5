/** A page with nothing but Sentry's SDK, whose requests get no answer: what it reports of each is "Failed to fetch". */
import * as Sentry from '@sentry/browser'

declare global {
  interface Window {
    load(url: string): Promise<void>
  }
}

Sentry.init({
  dsn: new URLSearchParams(location.search).get('dsn') ?? '',
  release: 'shop@2.0.0',
  environment: 'compat-requests',
})

window.load = async (url) => {
  try {
    await fetch(url)
  } catch (error) {
    Sentry.captureException(error)
  }
  await Sentry.flush(20_000)
}
