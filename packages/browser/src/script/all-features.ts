/** What `sonde.js` brings besides errors, in the order in which it is started. */
import { breadcrumbs } from '../breadcrumbs/breadcrumbs.ts'
import { chunkFailures } from '../navigation/chunk-failures.ts'
import { navigations } from '../navigation/navigations.ts'
import { pageDataFailures } from '../navigation/page-data-failures.ts'
import { tracing } from '../tracing/index.ts'
import { offlineQueue } from '../transport/offline-queue.ts'
import type { Feature } from '../types.ts'
import { vitals } from '../vitals/index.ts'

export const ALL_FEATURES: readonly Feature[] = [
  offlineQueue(),
  breadcrumbs(),
  tracing(),
  vitals(),
  navigations(),
  chunkFailures(),
  pageDataFailures(),
]
