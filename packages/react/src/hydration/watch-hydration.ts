/**
 * What hydration costs the people who wait for it. `hydrateRoot(container, app, handlers)` with
 * `const { app, handlers } = watchHydration(container, <App />)`.
 */
import { createElement, type ReactElement, type ReactNode, useInsertionEffect } from 'react'
import { type ReactErrorHandlers, rootHandlers } from '../root-handlers.ts'
import { watchPage } from './watch-page.ts'

export { watchNextHydration } from './watch-next.ts'

export type WatchedHydration = { readonly app: ReactElement; readonly handlers: ReactErrorHandlers }

/** Right before `hydrateRoot`, after `init`. Of React it needs 18 or later, and one root a page. */
export function watchHydration(
  container: Element | Document,
  app: ReactNode,
  own: Partial<ReactErrorHandlers> = {},
): WatchedHydration {
  // What the page itself changed between frames is no hydration.
  const watch = watchPage(container, { onFrame: ({ hydratedMs }) => hydratedMs() !== undefined })
  let attempts = 0
  let attemptMs = watch.startMs

  // React calls the outermost component once for each try: what it renders does not depend on it.
  function noteAttempt(): void {
    if (watch.hydratedMs() !== undefined) return
    attempts++
    attemptMs = performance.now()
  }

  function Watch({ children }: { readonly children?: ReactNode }): ReactNode {
    noteAttempt()
    useInsertionEffect(() => watch.hydrated(attempts <= 1), [])
    return children
  }

  const handlers = rootHandlers(own, {
    look() {
      const nowMs = performance.now()
      // The shell was tried and rendered again: everything is new.
      const isRoot = attempts > 1 && watch.mismatches() === 0
      // A boundary is rendered anew without a pause; where that began is the last frame. The try before may be in it too.
      const fromMs = isRoot ? attemptMs : Math.max(watch.frameMs(), watch.startMs)
      return watch.look(watch.takeRecords(), isRoot ? 'root' : 'boundary', nowMs - fromMs)
    },
    onTold({ benign: cause }) {
      if (!cause) watch.addMismatch()
    },
  })
  return { app: createElement(Watch, null, app), handlers }
}
