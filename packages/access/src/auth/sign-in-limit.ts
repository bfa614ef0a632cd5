/**
 * Slows down guessing of passwords: failures are counted per e-mail address and per client address, in memory
 * (a restart forgets them; a guesser gains a few tries, a person who is locked out gains time).
 */
import type { Clock } from '@sonde/base'

/** A person mistypes a few times; 10 in 5 minutes make 2,880 guesses a day, hopeless against 8 random characters. */
const MAX_FAILURES_PER_EMAIL = 10
/** An office shares one address. */
const MAX_FAILURES_PER_ADDRESS = 50
const WINDOW_MS = 5 * 60_000
/** Random e-mail addresses cost nothing to send; without a bound they would fill the heap. */
const MAX_WINDOWS = 50_000

export type SignInLimit = {
  /** Seconds to wait before another try, or undefined when one may be made now. */
  waitSec(email: string, clientAddress: string | undefined): number | undefined
  failed(email: string, clientAddress: string | undefined): void
  /** Forgets the failures of the e-mail address, not those of the client. */
  succeeded(email: string): void
}

export function createSignInLimit(clock: Clock): SignInLimit {
  const windows = new Map<string, { failures: number; endsAtMs: number }>()
  const left = (key: string, max: number): number => {
    const window = windows.get(key)
    if (!window || window.failures < max) return 0
    return Math.max(0, window.endsAtMs - clock.nowMs())
  }
  const count = (key: string): void => {
    const nowMs = clock.nowMs()
    const window = windows.get(key)
    if (window && window.endsAtMs > nowMs) {
      window.failures += 1
      return
    }
    windows.delete(key) // so that `set` moves it to the end: Map order is eviction order
    windows.set(key, { failures: 1, endsAtMs: nowMs + WINDOW_MS })
    const oldest = windows.keys().next()
    if (windows.size > MAX_WINDOWS && !oldest.done) windows.delete(oldest.value)
  }
  return {
    waitSec(email, clientAddress) {
      const waitMs = Math.max(
        left(emailKey(email), MAX_FAILURES_PER_EMAIL),
        clientAddress === undefined ? 0 : left(addressKey(clientAddress), MAX_FAILURES_PER_ADDRESS),
      )
      return waitMs === 0 ? undefined : Math.ceil(waitMs / 1000)
    },
    failed(email, clientAddress) {
      count(emailKey(email))
      if (clientAddress !== undefined) count(addressKey(clientAddress))
    },
    succeeded(email) {
      windows.delete(emailKey(email))
    },
  }
}

const emailKey = (email: string): string => `email:${email.trim().toLowerCase()}`
const addressKey = (clientAddress: string): string => `address:${clientAddress}`
