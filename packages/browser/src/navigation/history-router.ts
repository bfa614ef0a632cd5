/** The adapter for pages that tell of no router: a navigation is what the history and the address bar do. */
import type { Client } from '../types.ts'
import { type Ledger, type OpenNavigation, pathOf } from './ledger.ts'

/** Returns what ends it, for a router that tells more. */
export function followHistory(client: Client, ledger: Pick<Ledger, 'start' | 'shown'>): () => void {
  let isActive = true
  const start = (to: string): OpenNavigation | undefined =>
    isActive && pathOf(to) !== ledger.shown().path ? ledger.start({ to, router: 'history' }) : undefined
  client.on('history', ({ to, kind }) => {
    // A router that replaces the entry cleans up the URL, or redirects before anything was shown.
    if (kind !== 'replace') start(to)?.end('committed')
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
