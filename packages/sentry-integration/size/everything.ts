/** Budget "add-on for Sentry's SDK", without that. */
import { sondeNavigations } from '@sonde/sentry-integration'

export const integrations = [sondeNavigations()]
