/**
 * Which trace a record belongs to: that of the SDK's navigation span for the same navigation, or whatever trace the SDK's scope
 * has. The SDK may hear of a navigation before the recorder (it was there first), after it, or with a router much later. And
 * which route: an integration of the SDK for the page's router names its spans by it.
 */
import { activeNavigations } from '@sonde/browser'
import type { NavigationClient, TraceState } from '@sonde/browser'
import { NAVIGATION_PREFIX } from '@sonde/protocol/navigation'
import { routeOf } from './route-of.ts'
import { type SentryClient, type SentrySpan, traceIdOf } from './sentry.ts'

const NO_TRACE: TraceState = { traceId: '', spanId: '' }

export function joinTraces(sentry: SentryClient, client: NavigationClient): void {
  /** The root span that the SDK started last for a navigation. */
  let span: SentrySpan | undefined
  /** The navigation under way, until it is shown. */
  let open: { readonly id: string } | undefined
  /** The root spans that the SDK started last, of page loads and navigations, and the paths that they may be of. */
  let roots: readonly SentrySpan[] = []
  let paths: readonly string[] = []

  const name = (): void => {
    for (const path of paths)
      for (const root of roots) {
        const route = routeOf(root, path)
        if (route) activeNavigations()?.name(path, route)
      }
  }

  const join = (): void => {
    const { trace } = client
    const traceId = traceIdOf(sentry)
    if (!traceId) return
    trace.traceId = traceId
    const root = span?.spanContext()
    trace.sampled = root?.traceId === traceId && root.traceFlags === 1
    if (!trace.sampled) return
    trace.spanId = root!.spanId
    // The SDK's own span of it is in the ledger by this record.
    if (open) span!.setAttribute(`${NAVIGATION_PREFIX}id`, open.id)
  }
  /** Once everybody has heard of the navigation: a task is the last thing that all of them have in common. */
  const joinSoon = (): void => {
    const joining = open
    setTimeout(() => {
      name()
      if (joining !== open) return
      // The one before may not have been sent, and keeps its trace.
      if (!open) client.trace = { ...NO_TRACE }
      join()
    })
  }

  sentry.on('spanStart', (started) => {
    const { op, attributes } = started.getSpanJSON?.() ?? {}
    const kind = op ?? attributes?.['sentry.op']
    if (kind === 'navigation') span = started
    if (kind === 'navigation' || kind === 'pageload') roots = [started, ...roots.slice(0, 1)]
  })
  sentry.on('startNavigationSpan', joinSoon)
  client.on('navigation', ({ state, id, from, to }) => {
    if (state !== 'route') {
      paths = [from, to]
      name()
    }
    if (state === 'start') {
      open = { id }
      // The record keeps this one.
      client.trace = { ...NO_TRACE }
      join()
      joinSoon()
    } else if (state === 'end' && open?.id === id) open = undefined
  })
  join()
}
