/** `@sonde/sentry-integration/navigations`: the same without records of requests and of code that failed, for who counts bytes. */
import { type NavigationOptions, navigations } from '@sonde/browser'
import { ledgerIntegration, type SentryIntegration } from './ledger-integration.ts'

export const sondeNavigations = (options?: NavigationOptions): SentryIntegration =>
  ledgerIntegration([navigations(options)])
