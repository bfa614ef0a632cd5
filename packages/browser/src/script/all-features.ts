/** What `sonde.js` brings besides errors, in the order in which it is started. */
import { chunkFailures } from '../navigation/chunk-failures.ts'
import { navigations } from '../navigation/navigations.ts'
import { pageDataFailures } from '../navigation/page-data-failures.ts'
import { tracing } from '../tracing/index.ts'
import type { Feature } from '../types.ts'

export const ALL_FEATURES: readonly Feature[] = [
  tracing(),
  navigations(),
  chunkFailures(),
  pageDataFailures(),
]
