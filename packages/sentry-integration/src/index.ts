/**
 * `Sentry.init({ integrations: [sondeNavigations()] })`, or `Sentry.addIntegration(sondeNavigations())` later: navigations,
 * requests that failed, and code that could not be loaded.
 */
import { chunkFailures, type NavigationOptions, navigations, pageDataFailures } from '@sonde/browser'
import { ledgerIntegration, type SentryIntegration } from './ledger-integration.ts'

export const sondeNavigations = (options?: NavigationOptions): SentryIntegration =>
  ledgerIntegration([navigations(options), chunkFailures(), pageDataFailures()])
