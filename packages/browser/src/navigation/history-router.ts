/** The adapter for pages that tell of no router: a navigation is what the history and the address bar do. */
import type { NavigationTrigger } from '@sonde/protocol/navigation'
import type { Client } from '../types.ts'
import { type Ledger, pathOf } from './ledger.ts'

/** Returns what ends it, for a router that tells more. */
export function followHistory(
  client: Client,
  ledger: Pick<Ledger, 'start' | 'shown'>,
  traversal: () => NavigationTrigger,
): () => void {
  let isActive = true
  client.on('history', ({ to, kind }) => {
    // A router that replaces the entry cleans up the URL, or redirects before anything was shown.
    if (!isActive || kind === 'replace' || pathOf(to) === ledger.shown().path) return
    // On a window listeners run in the order they came: whoever told us may have heard of it before the intent did.
    ledger
      .start({ to, router: 'history', trigger: kind === 'pop' ? traversal() : undefined })
      .end('committed')
  })
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return
    // Out of the back/forward cache: no router runs, the page is simply there again.
    const open = ledger.start({ to: location.pathname, router: 'history', trigger: 'back' })
    open.note({ cache: 'bfcache' })
    open.end('committed')
  })
  return () => {
    isActive = false
  }
}
