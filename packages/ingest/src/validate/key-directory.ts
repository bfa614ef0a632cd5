/** The keys that may send, as ingest sees them. `stores` offers one over records; the server wires it. */
import type { Clock, Logger } from '@sonde/base'
import type { Quota } from '../limits.ts'
import { refuse } from '../refusal.ts'

export type KeyInfo = {
  readonly keyId: number
  readonly projectId: number
  readonly orgId: number
  readonly isActive: boolean
  /** For each category on its own; nothing means no limit. */
  readonly rateLimit?: Quota
  /** Of all keys of the project together, instead of the spike limits of every project. */
  readonly projectRateLimit?: Quota
  /** Of all keys of the project together: transactions and spans alike. */
  readonly spanCaps?: SpanCaps
  /** Domains whose pages may send: entries as `parseAllowedDomain` reads them. Nothing or empty: every page. */
  readonly allowedDomains?: readonly string[]
}

export type SpanCaps = {
  readonly perMinute?: number
  /** The project stored as many spans as it may in its day or month; what is before now holds no more. */
  readonly refusedUntilMs?: number
}

export type KeyDirectory = {
  /** Memory only, called once per request. `publicKey` is 32 lower hex. Disabled keys are found too. */
  find(publicKey: string): KeyInfo | undefined
  /**
   * Brings the memory up to date with everything committed before the call. Called for unknown keys, not
   * more than a few times a second. Rejects when the records cannot be read; what is known stays known.
   */
  refresh(): Promise<void>
}

export type KeyLookup = (publicKey: string) => KeyInfo | Promise<KeyInfo>

// Somebody who sends random keys must not become a load on the records.
const REFRESH_EVERY_MS = 200
const MAX_WAITING = 1_000

/**
 * Known keys at once. An unknown one waits for one refresh that began after it came, since a key may be
 * used in the very second it was made; refreshes are shared and spaced. Refuses 403, or 503 when it
 * cannot be found out.
 */
export function createKeyLookup(keys: KeyDirectory, clock: Clock, logger: Logger): KeyLookup {
  let next: Promise<void> | undefined
  let running: Promise<void> | undefined
  let lastStartMs = -Infinity
  let waiting = 0

  const runNext = async (): Promise<void> => {
    await running?.catch(() => undefined)
    const waitMs = lastStartMs + REFRESH_EVERY_MS - clock.nowMs()
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(waitMs, REFRESH_EVERY_MS)))
    lastStartMs = clock.nowMs()
    next = undefined
    running = keys.refresh()
    return running
  }
  const lookUpLater = async (publicKey: string): Promise<KeyInfo> => {
    if (waiting >= MAX_WAITING) throw unknownKey()
    waiting++
    try {
      next ??= runNext()
      await next
    } catch (error) {
      logger.warn({ err: error }, 'could not refresh the keys; unknown ones get a 503')
      throw refuse(503, 'overload', 'the key is not known and cannot be looked up now', { retryAfterSec: 5 })
    } finally {
      waiting--
    }
    const key = keys.find(publicKey)
    if (!key) throw unknownKey()
    return key
  }
  return (publicKey) => keys.find(publicKey) ?? lookUpLater(publicKey)
}

function unknownKey(): Error {
  return refuse(403, 'unknown_key', 'no project has this key; see the DSN in the project settings')
}
