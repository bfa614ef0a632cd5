export {
  addBreadcrumb,
  captureException,
  captureMessage,
  close,
  flush,
  getClient,
  init,
  lastEventId,
  setContext,
  setExtra,
  setTag,
  setTags,
  setUser,
} from './api.ts'
export { mutationErrors, queryErrors, swrErrors } from './libraries/query-errors.ts'
export { breadcrumbs } from './breadcrumbs/breadcrumbs.ts'
export { offlineQueue } from './transport/offline-queue.ts'
export { chunkFailures } from './navigation/chunk-failures.ts'
export { failureReason } from './navigation/failure-reason.ts'
export type { NavigationStart, OpenNavigation } from './navigation/recorder.ts'
export {
  activeNavigations,
  type NavigationOptions,
  type Navigations,
  navigations,
} from './navigation/navigations.ts'
export {
  type BenignDifference,
  HYDRATION_MISMATCH_OP,
  HYDRATION_OP,
  HYDRATION_PREFIX,
  type HydrationDifference,
  hydrationKind,
  type HydrationKind,
  type HydrationScope,
  mismatchedComponent,
} from '@sonde/protocol/hydration'
export { type LooseSpan, toItem } from './navigation/spans.ts'
export { pageDataFailures } from './navigation/page-data-failures.ts'
export { prefetches } from './navigation/page-prefetches.ts'
export { createPrefetches, type Prefetches } from './navigation/prefetches.ts'
export { createSignals } from './signals.ts'
export { componentOf } from './page/component.ts'
export { sessions } from './sessions/sessions.ts'
export { tabs, type TabsOptions } from './tabs/tabs.ts'
export { type OpenSpan, type SpanOptions, startSpan, tracing } from './tracing/index.ts'
export { vitals, type VitalsOptions } from './vitals/index.ts'
export type {
  Breadcrumb,
  CaptureContext,
  Client,
  EventPayload,
  Feature,
  Hint,
  Level,
  NavigationClient,
  NavigationFeature,
  Options,
  Primitive,
  TraceState,
} from './types.ts'
