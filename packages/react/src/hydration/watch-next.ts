/**
 * Hydration of Next.js, which calls `hydrateRoot` itself: what React recovers from comes as an error of the window, without its
 * component stack. https://github.com/vercel/next.js/blob/v16.0.0/packages/next/src/client/react-client-callbacks/on-recoverable-error.ts
 */
import { hydrationKind } from '@sonde/browser'
import { captureRecoverable } from './capture-recoverable.ts'
import { propsOf } from './lost-clicks.ts'
import { type PageWatch, watchPage } from './watch-page.ts'

/** The pages router measures it; the app router does not. */
const MEASURE = 'Next.js-hydration'

/**
 * In `instrumentation-client.ts`, which Next.js runs right before it hydrates; before `init`, so that these errors are heard here
 * first. Of both routers.
 */
export function watchNextHydration(): void {
  let watch: PageWatch | undefined
  // Listeners of the window are called in their order, whatever their phase.
  addEventListener('error', (event) => watch && takeError(event, watch))
  // When `init` was called, and long before React begins.
  queueMicrotask(() => (watch = watchNextPage()))
}

const watchNextPage = (): PageWatch =>
  watchPage(document, {
    onFrame(page) {
      // With a pages' root alone its first element is React's.
      if (page.hydratedMs() === undefined && isHydrated()) page.hydrated(page.mismatches() === 0)
      // What is streamed in before and what the app does after is no hydration: React renders anew without a pause.
      return true
    },
    measured() {
      const [entry] = performance.getEntriesByName(MEASURE, 'measure')
      return entry && { startMs: entry.startTime, endMs: entry.startTime + entry.duration }
    },
  })

const rootOf = (): Element | null => document.getElementById('__next')
const isHydrated = (): boolean =>
  [document.body, rootOf()?.firstElementChild].some((element) => element && propsOf(element) !== undefined)

function takeError(event: ErrorEvent, watch: PageWatch): void {
  const error: unknown = event.error
  if (!(error instanceof Error) || hydrationKind(error) === undefined) return
  const told = captureRecoverable(error, undefined, {
    look() {
      const outer: readonly (Node | null)[] = [document.body, rootOf()]
      const records = watch.takeRecords().filter(({ target }) => document.body.contains(target))
      const isRoot = watch.hydratedMs() === undefined && records.some(({ target }) => outer.includes(target))
      // The try before may be in the same frame.
      return watch.look(records, isRoot ? 'root' : 'boundary', performance.now() - watch.frameMs())
    },
    onTold({ benign }) {
      if (!benign) watch.addMismatch()
    },
  })
  // It would become an issue all the same, here and in other tools.
  if (told?.benign) event.stopImmediatePropagation()
}
