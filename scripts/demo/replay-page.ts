/** What a tag manager would put on the pages of the shop: @sentry/browser as it comes from npm, with its replay. */
import * as Sentry from '@sentry/browser'

declare global {
  interface Window {
    demoReplay: { readonly dsn: string; readonly user: string }
    sentReplay?: () => Promise<void>
  }
}

const { dsn, user } = window.demoReplay
Sentry.init({
  dsn,
  release: 'shop@1.5.0',
  environment: 'production',
  integrations: [
    Sentry.browserTracingIntegration(),
    Sentry.replayIntegration({ maskAllText: false, maskAllInputs: true, minReplayDuration: 0 }),
  ],
  tracesSampleRate: 1,
  replaysSessionSampleRate: 1,
  replaysOnErrorSampleRate: 1,
})
Sentry.setUser({ username: user })
window.sentReplay = async () => {
  await Sentry.getReplay()?.flush()
  await Sentry.flush(5_000)
}
