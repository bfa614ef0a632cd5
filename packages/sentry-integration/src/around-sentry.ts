/** The client that the features of navigations work with: whatever they ask for or send is the SDK's. */
import type { createSignals, NavigationClient } from '@sonde/browser'
import { type SentryClient, userOf } from './sentry.ts'

export function aroundSentry(
  sentry: SentryClient,
  signals: ReturnType<typeof createSignals>,
): NavigationClient {
  const { name = '', version = '' } = sentry.getSdkMetadata()?.sdk ?? {}
  const sdk = { name, version }
  return {
    ...signals,
    sdk,
    trace: { traceId: '', spanId: '' },
    // Asked anew for each: an app may set them after `init`.
    get options() {
      const { release, dist, environment = 'production', sendDefaultPii } = sentry.getOptions()
      const sendIp = sentry.getDataCollectionOptions?.().userInfo ?? sendDefaultPii
      return { release, dist, environment, sendIp } as NavigationClient['options']
    },
    get scope() {
      return { user: userOf(sentry) ?? null }
    },
    send(items) {
      // With a tunnel the server finds the project by the DSN.
      const header = { sent_at: new Date().toISOString(), dsn: sentry.getOptions().dsn, sdk }
      sentry.sendEnvelope([header, items] as never)
    },
    owns(url) {
      const { tunnel } = sentry.getOptions()
      const { host } = sentry.getDsn()!
      return (!!tunnel && url.startsWith(tunnel)) || (url.includes(host) && url.includes('sentry_key='))
    },
  }
}
