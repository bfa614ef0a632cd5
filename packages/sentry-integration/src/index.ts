/**
 * `Sentry.init({ integrations: [sondeNavigations()] })`, or `Sentry.addIntegration(sondeNavigations())` later: navigations,
 * requests that failed, code that could not be loaded, and what was fetched ahead.
 */
import {
  chunkFailures,
  type NavigationOptions,
  navigations,
  pageDataFailures,
  prefetches,
} from '@sonde/browser'
import { ledgerIntegration, type SentryIntegration } from './ledger-integration.ts'

export const sondeNavigations = (options?: NavigationOptions): SentryIntegration =>
  ledgerIntegration([navigations(options), chunkFailures(), pageDataFailures(), prefetches()])
