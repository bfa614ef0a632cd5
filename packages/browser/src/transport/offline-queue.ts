/**
 * Envelopes that no server could be reached for, kept in localStorage until one can. Bounded in number, size and age.
 * localStorage and not IndexedDB: it is a fifth of the code, it is touched only after a failure and once per page,
 * and what is written while the page is being left is written at once.
 */
import type { Feature } from '../types.ts'
import type { Parcel } from './transport.ts'

const MAX_PARCELS = 30
// Origins have about 5 MB, which belong to the page.
const MAX_CHARS = 250_000
// The server takes events up to 30 days old; after some days nobody looks for them any more.
const MAX_AGE_MS = 5 * 24 * 3600_000
// Not while the page loads.
const START_DELAY_MS = 3000

type Stored = Parcel & { readonly at: number }

/** Sends what is kept, oldest first, after a successful request, when the browser is online again, and on next start. */
export const offlineQueue = (): Feature => (client) => {
  const { dsn, transport } = client
  const key = 'sonde.' + dsn.publicKey
  let mayHold = true
  let isDraining = false

  function read(): Stored[] {
    try {
      return JSON.parse(localStorage.getItem(key) || '[]') as Stored[]
    } catch {
      return []
    }
  }

  /** False without storage: private mode, blocked, or no space. */
  function write(list: Stored[]): boolean {
    try {
      let text
      while ((text = JSON.stringify(list)).length > MAX_CHARS || list.length > MAX_PARCELS)
        transport.lose('cache_overflow', list.shift()!.lost)
      if (list.length) localStorage.setItem(key, text)
      else localStorage.removeItem(key)
      return true
    } catch {
      return false
    }
  }

  async function sendAll(): Promise<void> {
    let first: Stored | undefined
    while (([first] = read()) && first && !transport.isHeld(first)) {
      const { body } = first
      if (first.at < Date.now() - MAX_AGE_MS) transport.lose('cache_overflow', first.lost)
      // The server corrects the page's clock by this field, so it has to say when it is really sent.
      else if (
        !(await transport.post({
          ...first,
          body: body.replace(/^(.{12})[^"]*/, '$1' + new Date().toISOString()),
        }))
      )
        return
      // Removed after, not before: twice is better than never, and the server knows an event by its id.
      write(read().filter((stored) => stored.body !== body))
    }
    mayHold = !!first
  }

  async function drain(): Promise<void> {
    if (!mayHold || isDraining) return
    isDraining = true
    try {
      // One tab at a time.
      if (navigator.locks)
        await navigator.locks.request(key, { ifAvailable: true }, (lock) => lock && sendAll())
      else await sendAll()
    } catch {
      // A sandboxed frame has no locks, and no storage either.
    }
    isDraining = false
  }

  transport.store = {
    drain: () => void drain(),
    add: (parcel) => (mayHold = write([...read(), { ...parcel, at: Date.now() }])),
  }
  addEventListener('online', () => void drain())
  setTimeout(() => void drain(), START_DELAY_MS)
}
