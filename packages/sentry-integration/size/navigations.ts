/** Budget "navigations for Sentry's SDK", without that. */
import { sondeNavigations } from '@sonde/sentry-integration/navigations'

export const integrations = [sondeNavigations()]
