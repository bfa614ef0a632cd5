/** An integration of Sentry's SDK that runs features of navigations. */
import { createSignals, type NavigationFeature } from '@sonde/browser'
import { aroundSentry } from './around-sentry.ts'
import { joinTraces } from './join-traces.ts'
import type { SentryClient } from './sentry.ts'

/** Sentry's `Integration`, as far as it is used. */
export type SentryIntegration = {
  readonly name: string
  afterAllSetup(client: SentryClient): void
  processEvent<Event>(event: Event, hint: object): Event
}

export function ledgerIntegration(features: readonly NavigationFeature[]): SentryIntegration {
  const signals = createSignals()
  return {
    // Servers tell by it that the SDK's own spans of navigations have a record.
    name: 'SondeNavigations',
    afterAllSetup(sentry) {
      // An SDK without a DSN sends nothing.
      if (!sentry.getDsn()) return
      const client = aroundSentry(sentry, signals)
      joinTraces(sentry, client)
      for (const feature of features) feature(client)
      const leave = (): void => signals.emit('hide', undefined)
      addEventListener('pagehide', leave)
      document.addEventListener('visibilitychange', () => document.hidden && leave())
    },
    processEvent(event, hint) {
      signals.emit('event', { event: event as Record<string, unknown>, hint })
      return event
    },
  }
}
