/** The keys that may send, in memory: a key that is known costs its request nothing. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, type Logger, steadyMs } from '@sonde/base'
import type { KeyInfo, KeySource } from '@sonde/stores/keys'
import { refuse } from '../refusal.ts'

/** Undefined in `find`: not known yet. Disabled keys are found too. `publicKey` is 32 lower hex. */
export type KeyDirectory = {
  find(publicKey: string): KeyInfo | undefined
  /**
   * Known keys at once. An unknown one waits for one refresh that began after it came, since a key may be used in the very
   * second it was made. Refuses 403, or 503 when it cannot be found out.
   */
  readonly lookUp: KeyLookup
  readonly wereRead: () => boolean
  stop(): void
}
export type KeyLookup = (publicKey: string) => KeyInfo | Promise<KeyInfo>

/** How old what is known may be, and how often somebody who sends random keys makes the records be read. */
const REFRESH_EVERY_MS = 200
/** Nobody asked for so many refreshes (10 s): then they are rare, and who asks first waits for one. */
const QUIET_AFTER_REFRESHES = 50
const QUIET_REFRESH_EVERY_MS = 2_000
const MAX_WAITING = 1_000

/** Whatever goes wrong with the source, the keys last read stay valid. */
export function startKeyDirectory(source: KeySource, clock: Clock, logger: Logger): KeyDirectory {
  let keys: ReadonlyMap<string, KeyInfo> = new Map()
  let version: string | undefined
  let isFailing = false
  let isStopped = false
  let next: Promise<void> | undefined
  let running: Promise<void> | undefined
  let lastStartMs = -Infinity
  let waiting = 0
  let wasAsked = true
  let unasked = 0
  const isQuiet = (): boolean => unasked >= QUIET_AFTER_REFRESHES && version !== undefined && !isFailing

  const refresh = async (): Promise<void> => {
    try {
      const changed = await source.read(version)
      if (changed) ({ keys, version } = changed)
      if (isFailing) logger.info({}, 'project keys can be read again')
      isFailing = false
    } catch (error) {
      // At the very first start there are no records yet: that is how it begins, not a failure.
      if (!isFailing && version !== undefined)
        logger.warn({ err: error }, 'project keys cannot be read for now; unknown ones get a 503')
      isFailing = version !== undefined
      throw error
    }
  }
  const runNext = async (): Promise<void> => {
    await running?.catch(() => undefined)
    const waitMs = lastStartMs + REFRESH_EVERY_MS - steadyMs(clock)
    if (waitMs > 0) await sleep(Math.min(waitMs, REFRESH_EVERY_MS), undefined, { ref: false })
    lastStartMs = steadyMs(clock)
    next = undefined
    if (isStopped) return
    running = refresh()
    await running
  }
  const refreshNext = (): Promise<void> => (next ??= runNext())
  const refreshQuietly = (): void => void refreshNext().catch(() => undefined)

  const find = (publicKey: string): KeyInfo | undefined => {
    const key = keys.get(publicKey)
    if (key?.activeUntilMs === undefined || !key.isActive || clock.nowMs() < key.activeUntilMs) return key
    return { ...key, isActive: false }
  }
  const lookUpLater = async (publicKey: string): Promise<KeyInfo> => {
    if (waiting >= MAX_WAITING) throw unknownKey()
    waiting++
    try {
      await refreshNext()
    } catch {
      throw refuse(503, 'overload', 'the key is not known and cannot be looked up now', { retryAfterSec: 5 })
    } finally {
      waiting--
    }
    const key = find(publicKey)
    if (!key) throw unknownKey()
    return key
  }

  /** What is known gets no older than while somebody asks all the time, unless the records do not answer. */
  const lookUpFirst = async (publicKey: string): Promise<KeyInfo> => {
    const isOld = steadyMs(clock) - lastStartMs >= REFRESH_EVERY_MS
    const read = isOld ? refreshNext() : running
    const late = new AbortController()
    const longest = sleep(REFRESH_EVERY_MS, undefined, { signal: late.signal, ref: false })
    await Promise.race([read, longest]).catch(() => undefined)
    longest.catch(() => undefined)
    late.abort()
    if (isQuiet()) {
      unasked = 0
      schedule()
    }
    return find(publicKey) ?? lookUpLater(publicKey)
  }
  let timer: NodeJS.Timeout | undefined
  const schedule = (): void => {
    clearTimeout(timer)
    if (isStopped) return
    timer = setTimeout(tick, isQuiet() ? QUIET_REFRESH_EVERY_MS : REFRESH_EVERY_MS)
    timer.unref()
  }
  const tick = (): void => {
    unasked = wasAsked ? 0 : unasked + 1
    wasAsked = false
    refreshQuietly()
    schedule()
  }
  refreshQuietly()
  schedule()
  return {
    find,
    lookUp(publicKey) {
      wasAsked = true
      return isQuiet() ? lookUpFirst(publicKey) : (find(publicKey) ?? lookUpLater(publicKey))
    },
    wereRead: () => version !== undefined,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

function unknownKey(): Error {
  return refuse(403, 'unknown_key', 'no project has this key; see the DSN in the project settings')
}
