/**
 * What hydration costs the people who wait for it. `hydrateRoot(container, app, handlers)` with
 * `const { app, handlers } = watchHydration(container, <App />)`.
 */
import { type BenignDifference, componentOf, getClient } from '@sonde/browser'
import { createElement, type ReactElement, type ReactNode, useInsertionEffect } from 'react'
import { type ReactErrorHandlers, rootHandlers } from '../root-handlers.ts'
import type { Watched } from './capture-recoverable.ts'
import { findDifference } from './find-difference.ts'
import { watchLostClicks } from './lost-clicks.ts'
import { scanAttributes } from './scan-attributes.ts'
import { tellHydrated, tellMismatch } from './tell-hydration.ts'

export type WatchedHydration = { readonly app: ReactElement; readonly handlers: ReactErrorHandlers }

// Boundaries hydrate one after the other; what is not there by then waits for the network, and is rare.
const WATCH_MS = 10_000
// React takes whole subtrees out and puts whole ones in; more records are of something else.
const MAX_RECORDS = 2000

/** Right before `hydrateRoot`, after `init`. Of React it needs 18 or later, and one root a page. */
export function watchHydration(
  container: Element | Document,
  app: ReactNode,
  own: Partial<ReactErrorHandlers> = {},
): WatchedHydration {
  const startMs = performance.now()
  const clicks = watchLostClicks()
  const trace = getClient()?.trace
  const benign = new Map<BenignDifference, number>()
  const addBenign = (counts: ReadonlyMap<BenignDifference, number>): void => {
    for (const [kind, count] of counts) benign.set(kind, (benign.get(kind) ?? 0) + count)
  }
  let mismatches = 0
  let attempts = 0
  let attemptMs = startMs
  let hydratedMs: number | undefined
  let isTold = false

  let records: MutationRecord[] = []
  const take = (more: readonly MutationRecord[]): void => {
    records = records.concat(more).slice(0, MAX_RECORDS)
  }
  const observer = new MutationObserver(take)
  observer.observe(container, { childList: true, subtree: true })

  // A boundary is rendered anew without a pause; where that began is the last frame. The try before may be in it too.
  let frameMs = startMs
  const tick = (nowMs: number): void => {
    frameMs = nowMs
    // What the page itself changed between frames is no hydration.
    if (hydratedMs !== undefined) records = []
    if (nowMs - startMs < WATCH_MS) requestAnimationFrame(tick)
    else observer.disconnect()
  }
  requestAnimationFrame(tick)

  function watched(): Watched {
    take(observer.takeRecords())
    const seen = records
    records = []
    const nowMs = performance.now()
    // The shell was tried and rendered again: everything is new.
    const isRoot = attempts > 1 && mismatches === 0
    const isLate = nowMs - startMs > WATCH_MS
    const comparison = findDifference(
      seen.flatMap(({ removedNodes }) => [...removedNodes]),
      seen.flatMap(({ addedNodes }) => [...addedNodes]),
    )
    addBenign(comparison.benign)
    return {
      scope: isRoot ? 'root' : 'boundary',
      costMs: isRoot ? nowMs - attemptMs : isLate ? undefined : nowMs - Math.max(frameMs, startMs),
      comparison,
    }
  }

  // React calls the outermost component once for each try: what it renders does not depend on it.
  function noteAttempt(): void {
    if (hydratedMs !== undefined) return
    attempts++
    attemptMs = performance.now()
  }

  function Watch({ children }: { readonly children?: ReactNode }): ReactNode {
    noteAttempt()
    useInsertionEffect(() => {
      if (hydratedMs !== undefined) return
      hydratedMs = performance.now()
      clicks.stop()
      performance.mark('hydrated')
      if (attempts > 1 || !trace) return
      const scanned = scanAttributes(container)
      addBenign(scanned.benign)
      for (const { element, difference } of scanned.found) {
        const component = componentOf(element).component ?? element.localName
        tellMismatch({ kind: 'mismatch', component, found: difference, costMs: 0 }, trace)
        mismatches++
      }
    }, [])
    return children
  }

  getClient()?.on('hide', () => {
    if (isTold || hydratedMs === undefined || !trace) return
    isTold = true
    tellHydrated({ startMs, endMs: hydratedMs, mismatches, lostClicks: clicks.count(), benign }, trace)
  })

  const handlers = rootHandlers(own, {
    look: watched,
    onTold({ benign: cause }) {
      if (!cause) mismatches++
    },
  })
  return { app: createElement(Watch, null, app), handlers }
}
