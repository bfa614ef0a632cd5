/** A page while React takes it over, whoever calls `hydrateRoot`: what changes in it, what was pressed, and what is told in the end. */
import { type BenignDifference, componentOf, getClient, type HydrationScope } from '@sonde/browser'
import type { Watched } from './capture-recoverable.ts'
import { findDifference } from './find-difference.ts'
import { watchLostClicks } from './lost-clicks.ts'
import { scanAttributes } from './scan-attributes.ts'
import { tellHydrated, tellMismatch } from './tell-hydration.ts'

export type PageWatch = {
  readonly startMs: number
  /** When the last frame was painted, or the watch began. */
  frameMs(): number
  /** Undefined: the page does not answer yet. */
  hydratedMs(): number | undefined
  mismatches(): number
  addMismatch(): void
  /** Changes that were seen since, which are not seen again. */
  takeRecords(): readonly MutationRecord[]
  /** What those changes say of an error that React recovered from; `costMs` is left out when it is too late to know. */
  look(records: readonly MutationRecord[], scope: HydrationScope, costMs: number): Watched
  /** The page answers from now on. `isScanned`: its attributes are compared; not where it was rendered anew. */
  hydrated(isScanned: boolean): void
}

export type PageWatchOptions = {
  /** Each frame, for as long as something can be expected. True: what changed before it is no hydration. */
  readonly onFrame: (watch: PageWatch) => boolean
  /** Where something more exact is known than the calls here. */
  readonly measured?: () => { readonly startMs: number; readonly endMs: number } | undefined
}

// Boundaries hydrate one after the other; what is not there by then waits for the network, and is rare.
const WATCH_MS = 10_000
// React takes whole subtrees out and puts whole ones in; more records are of something else.
const MAX_RECORDS = 2000

export function watchPage(
  container: Element | Document,
  { onFrame, measured = () => undefined }: PageWatchOptions,
): PageWatch {
  const startMs = performance.now()
  const clicks = watchLostClicks()
  const trace = getClient()?.trace
  const benign = new Map<BenignDifference, number>()
  const addBenign = (counts: ReadonlyMap<BenignDifference, number>): void => {
    for (const [kind, count] of counts) benign.set(kind, (benign.get(kind) ?? 0) + count)
  }
  let mismatches = 0
  let hydratedMs: number | undefined
  let isTold = false

  let records: MutationRecord[] = []
  const take = (more: readonly MutationRecord[]): void => {
    records = records.concat(more).slice(0, MAX_RECORDS)
  }
  const observer = new MutationObserver(take)
  observer.observe(container, { childList: true, subtree: true })

  let frameMs = startMs
  const tick = (nowMs: number): void => {
    frameMs = nowMs
    if (onFrame(watch)) {
      observer.takeRecords()
      records = []
    }
    if (nowMs - startMs < WATCH_MS) requestAnimationFrame(tick)
    else observer.disconnect()
  }

  const watch: PageWatch = {
    startMs,
    frameMs: () => frameMs,
    hydratedMs: () => hydratedMs,
    mismatches: () => mismatches,
    addMismatch: () => void mismatches++,
    takeRecords() {
      take(observer.takeRecords())
      const seen = records
      records = []
      return seen
    },
    look(seen, scope, costMs) {
      const comparison = findDifference(
        seen.flatMap(({ removedNodes }) => [...removedNodes]),
        seen.flatMap(({ addedNodes }) => [...addedNodes]),
      )
      addBenign(comparison.benign)
      const isLate = scope !== 'root' && performance.now() - startMs > WATCH_MS
      return { scope, costMs: isLate ? undefined : costMs, comparison }
    },
    hydrated(isScanned) {
      if (hydratedMs !== undefined) return
      hydratedMs = performance.now()
      clicks.stop()
      performance.mark('hydrated')
      if (!isScanned || !trace) return
      const scanned = scanAttributes(container)
      addBenign(scanned.benign)
      for (const { element, difference } of scanned.found) {
        const component = componentOf(element).component ?? element.localName
        tellMismatch({ kind: 'mismatch', component, found: difference, costMs: 0 }, trace)
        mismatches++
      }
    },
  }
  requestAnimationFrame(tick)

  getClient()?.on('hide', () => {
    if (isTold || hydratedMs === undefined || !trace) return
    isTold = true
    const { startMs: fromMs, endMs } = measured() ?? { startMs, endMs: hydratedMs }
    tellHydrated({ startMs: fromMs, endMs, mismatches, lostClicks: clicks.count(), benign }, trace)
  })
  return watch
}
