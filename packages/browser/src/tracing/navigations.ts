/** Navigations inside the page: told by the ledger, or else seen in the history. */
import type { Client, TraceState } from '../types.ts'
import type { Tracer } from './tracer.ts'

/** Upstream's number. A change of the URL this soon after the start, and not asked for by a person, is a redirect. */
const REDIRECT_WITHIN_MS = 1500

export function traceNavigations(client: Client, tracer: Tracer): void {
  let isTold = false
  let startMs = 0
  let inputMs = -1
  for (const type of ['click', 'keydown'])
    addEventListener(type, ({ timeStamp }) => (inputMs = timeStamp), true)
  client.on('trace', ({ start }) => (startMs = start))

  /** A redirect goes on with the trace that runs, under the name of where it led. */
  function begin(atMs: number, isRedirect: boolean, trace: Partial<TraceState>): void {
    if (tracer.root && isRedirect) {
      tracer.add('navigation.redirect', trace.name!, atMs, {}, atMs)
      Object.assign(client.trace, trace)
    } else tracer.start('navigation', 'auto.navigation.browser', atMs, trace)
  }

  client.on('navigation', ({ state, id, to, route, start, end, outcome, trigger }) => {
    isTold = true
    const named = { name: route ?? to, source: route ? 'route' : 'url' } as const
    if (state === 'start') {
      begin(start, trigger === 'redirect', { ...named, navigationId: id })
      tracer.hold(id)
    }
    // Without an id: what the page shows without a navigation.
    const isCurrent = id === (client.trace.navigationId ?? '')
    if (state === 'route' && route && isCurrent) Object.assign(client.trace, named)
    if (state === 'end') {
      if (tracer.root && isCurrent) tracer.root.data['sonde.navigation.outcome'] = outcome
      tracer.hold(id, end)
    }
  })

  client.on('history', ({ from, to }) => {
    const name = placeOf(to)
    if (isTold || name === placeOf(from)) return
    const nowMs = performance.now()
    begin(nowMs, nowMs - startMs < REDIRECT_WITHIN_MS && inputMs < startMs, { name, source: 'url' })
  })

  // Out of the back/forward cache: nothing was fetched or parsed, but a person has a page again.
  addEventListener('pageshow', ({ persisted, timeStamp }) => {
    const { name, source } = client.trace
    if (persisted && !isTold) begin(timeStamp, false, { name: name!, source: source! })
  })
}

/** A filter or a jump within the page is no navigation; routes behind `#/` are. */
function placeOf(url: string): string {
  const { pathname, hash } = new URL(url)
  return pathname + (/^#\/[^?]*/.exec(hash)?.[0] ?? '')
}
