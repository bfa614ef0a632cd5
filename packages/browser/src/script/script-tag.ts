/**
 * The entry of `sonde.js`, for pages without a build: everything the reporter has, started from the attributes of its
 * own tag, and as `window.Sonde` for what the page wants to say itself. Without `data-dsn` the page calls
 * `Sonde.init` when it likes.
 */
import { breadcrumbs } from '../breadcrumbs/breadcrumbs.ts'
import { init } from '../index.ts'
import { chunkFailures } from '../navigation/chunk-failures.ts'
import { navigations } from '../navigation/navigations.ts'
import { pageDataFailures } from '../navigation/page-data-failures.ts'
import { prefetches } from '../navigation/page-prefetches.ts'
import { sessions } from '../sessions/sessions.ts'
import { tabs } from '../tabs/tabs.ts'
import { tracing } from '../tracing/index.ts'
import { offlineQueue } from '../transport/offline-queue.ts'
import type { Feature } from '../types.ts'
import { vitals } from '../vitals/index.ts'
import { readAttributes } from './read-attributes.ts'

export * from '../index.ts'
export { ALL_FEATURES as features }

/** What `sonde.js` brings besides errors, in the order in which it is started. */
const ALL_FEATURES: readonly Feature[] = [
  offlineQueue(),
  breadcrumbs(),
  tracing(),
  vitals(),
  navigations(),
  chunkFailures(),
  pageDataFailures(),
  prefetches(),
  tabs(),
]

// Set only while a classic script runs for the first time; `async` and `defer` make no difference.
const { currentScript } = document
if (currentScript?.dataset['dsn']) {
  const { dataset } = currentScript
  // Asked for by `data-sessions`: they count against the quota of the project.
  const features = 'sessions' in dataset ? [...ALL_FEATURES, sessions()] : ALL_FEATURES
  init({ ...readAttributes(dataset), features })
}
