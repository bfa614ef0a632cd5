/**
 * Envelopes that no server could be reached for, kept in localStorage until one can. Bounded in number, size and age.
 * localStorage and not IndexedDB: it is a fifth of the code, it is touched only after a failure and once per page,
 * and writing while the page is being left works at once.
 */
import type { Dsn } from '../types.ts'
import type { Parcel } from './transport.ts'

const MAX_PARCELS = 30
// Origins have about 5 MB, which belong to the page.
const MAX_CHARS = 250_000
// The server takes events up to 30 days old; after some days nobody looks for them any more.
const MAX_AGE_MS = 5 * 24 * 3600_000
// Not while the page loads.
const START_DELAY_MS = 3000

type Stored = Parcel & { readonly at: number }

export type OfflineQueue = {
  /** Never throws: without storage (private mode, no space, blocked) the parcel is counted as lost. */
  add(parcel: Parcel): void
  /** Sends what is kept, oldest first, until it fails. Only one tab does at a time. */
  drain(): Promise<void>
}

export function createOfflineQueue(
  dsn: Dsn,
  post: (parcel: Parcel) => Promise<boolean>,
  isHeld: (parcel: Parcel) => boolean,
  lose: (reason: string, parcel: Parcel) => void,
): OfflineQueue {
  const key = 'sonde.' + dsn.publicKey
  let mayHold = true
  let draining = false

  function read(): Stored[] {
    try {
      return JSON.parse(localStorage.getItem(key) || '[]') as Stored[]
    } catch {
      return []
    }
  }

  function write(list: Stored[]): boolean {
    let text = ''
    while (list.length && (list.length > MAX_PARCELS || (text = JSON.stringify(list)).length > MAX_CHARS))
      lose('cache_overflow', list.shift()!)
    try {
      if (list.length) localStorage.setItem(key, text)
      else localStorage.removeItem(key)
      return true
    } catch {
      return false
    }
  }

  async function sendAll(): Promise<void> {
    let first: Stored | undefined
    while (([first] = read()) && first && !isHeld(first)) {
      if (first.at < Date.now() - MAX_AGE_MS) lose('cache_overflow', first)
      else {
        // The server corrects the page's clock by this field, so it has to say when it is really sent.
        const body = first.body.replace(/"sent_at":"[^"]*/, '"sent_at":"' + new Date().toISOString())
        if (!(await post({ ...first, body }))) return
      }
      // Removed after, not before: twice is better than never, and the server knows an event by its id.
      const { body } = first
      write(read().filter((stored) => stored.body !== body))
    }
    mayHold = !!first
  }

  async function drain(): Promise<void> {
    if (!mayHold || draining) return
    draining = true
    try {
      if (navigator.locks)
        await navigator.locks.request(key, { ifAvailable: true }, (lock) => lock && sendAll())
      else await sendAll()
    } catch {
      // A sandboxed frame has no locks, and no storage either.
    }
    draining = false
  }

  addEventListener('online', () => void drain())
  setTimeout(() => void drain(), START_DELAY_MS)
  return {
    add(parcel) {
      if (write([...read(), { ...parcel, at: Date.now() }])) mayHold = true
      else lose('network_error', parcel)
    },
    drain,
  }
}
