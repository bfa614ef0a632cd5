/**
 * Counts tries in windows that lie in the records: a restart forgets nothing, and several processes count together.
 * better-auth's own `rateLimit` counts requests to its router by address and path, reads before it writes, and knows
 * nothing of accounts; so this is ours.
 *
 * No living window is ever evicted to make room: whoever could push others' out could also reset their own. What
 * bounds the rows instead is that one is only made for a try that costs a password hash (`hash-gate.ts` lets a few run
 * at once, tens a second) or that the right password was typed for; a window's end deletes its row.
 */
import { createHmac } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import type { Clock } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'

/**
 * How often a password, a code or one's own secret may be tried. What a stranger does must not lock the owner out: so
 * a full stop is always for an account *and* a network, the account alone is only slowed down, and a browser that
 * has signed in to the account before has a window of its own.
 */
const MINUTE_MS = 60_000
const WINDOW_MS = 5 * MINUTE_MS
const DAY_MS = 24 * 60 * MINUTE_MS
/** A person mistypes a few times; 2,880 guesses a day from one network are hopeless against what we accept. */
const TRIES_PER_ACCOUNT_AND_NETWORK = 10
/** An office shares one address. */
const TRIES_PER_NETWORK = 50
/** From five networks at least. Then one try in two seconds from strange browsers, wherever they are: 43,000 a day. */
const TRIES_PER_ACCOUNT = 50
const THEN_EVERY_MS = 2_000
/** Six digits, of which three are right at any time: 10 in 5 minutes alone would be 0.9 % a day, 30 a day are 0.009 %. */
const CODES_PER_DAY = 30

/** Mail to one person, or tries with one invitation, in an hour. */
const LINK_TRIES_PER_SUBJECT = 10
const LINK_TRIES_PER_NETWORK = 50

type Comer = {
  /** `networkOf` the client's address; undefined where nobody can tell. */
  readonly network: string | undefined
  /** The id of a browser that signed in to this account before. */
  readonly device: string | undefined
}

export function passwordBounds(email: string, { network, device }: Comer): readonly Bound[] {
  const perTry = { maxTries: TRIES_PER_ACCOUNT_AND_NETWORK, windowMs: WINDOW_MS, endsWithSuccess: true }
  if (device !== undefined) return [{ ...perTry, name: 'device', key: `device ${device}` }]
  return [
    { ...perTry, name: 'account-and-network', key: `account ${email} network ${network ?? '?'}` },
    {
      name: 'account',
      key: `account ${email}`,
      maxTries: TRIES_PER_ACCOUNT,
      windowMs: WINDOW_MS,
      thenEveryMs: THEN_EVERY_MS,
    },
    ...networkBound(network),
  ]
}

/** By person, not by cookie of the first step: whoever has the password gets as many of those as they like. */
export function codeBounds(userId: string, { network, device }: Comer): readonly Bound[] {
  const key = codeKey(userId) + (device === undefined ? '' : ` device ${device}`)
  return [
    {
      name: 'second-factor',
      key,
      maxTries: TRIES_PER_ACCOUNT_AND_NETWORK,
      windowMs: WINDOW_MS,
      endsWithSuccess: true,
    },
    { name: 'second-factor-day', key: `${key} day`, maxTries: CODES_PER_DAY, windowMs: DAY_MS },
    ...(device === undefined ? networkBound(network) : []),
  ]
}

/** What is forgotten when the operator helps somebody back in. */
export const codeKeys = (userId: string): readonly string[] => [codeKey(userId), `${codeKey(userId)} day`]

/** From an open browser: the session says who it is, so nobody else can fill this. */
export function ownSecretBounds(userId: string, secret: string): readonly Bound[] {
  const key = `${secret} of ${userId}`
  const maxTries = TRIES_PER_ACCOUNT_AND_NETWORK
  return [{ name: 'own-secret', key, maxTries, windowMs: WINDOW_MS, endsWithSuccess: true }]
}

/** What is asked for or tried without a sign-in, by links of mails: of one subject, and from one network. */
export function linkBounds(name: LinkTry, key: string, clientAddress: string | undefined): readonly Bound[] {
  const network = networkOf(clientAddress)
  const perHour = { name, windowMs: 60 * MINUTE_MS }
  return [
    { ...perHour, key: `${name} ${key}`, maxTries: LINK_TRIES_PER_SUBJECT },
    ...(network === undefined
      ? []
      : [{ ...perHour, key: `${name} from ${network}`, maxTries: LINK_TRIES_PER_NETWORK }]),
  ]
}

const codeKey = (userId: string): string => `second factor of ${userId}`

function networkBound(network: string | undefined): readonly Bound[] {
  if (network === undefined) return []
  const key = `network ${network}`
  return [{ name: 'network', key, maxTries: TRIES_PER_NETWORK, windowMs: WINDOW_MS }]
}

export type Bound = {
  /** What is full, for the log. */
  readonly name: BoundName
  /** What is counted. Kept as a keyed hash only: people type passwords into the field for the address. */
  readonly key: string
  readonly maxTries: number
  readonly windowMs: number
  /** Beyond `maxTries` one more try each so often; without it none before the window ends. */
  readonly thenEveryMs?: number
  /** A success takes back its own try; with this it forgets the others too. */
  readonly endsWithSuccess?: boolean
}

export type BoundName =
  | 'account-and-network'
  | 'network'
  | 'account'
  | 'device'
  | 'second-factor'
  | 'second-factor-day'
  | 'own-secret'
  | 'audit'
  | 'notice'
  | LinkTry

export type LinkTry = 'invitation' | 'password-reset' | 'email-change' | 'passkey'

export type Full = { readonly retryAfterSec: number; readonly by: BoundName }
/** `filled`: the windows that this try was the last of. */
export type Taken = { readonly filled: readonly BoundName[] }

export type TryLimit = {
  /** Whether a try may be made now, without counting it. */
  look(bounds: readonly Bound[]): Promise<Full | undefined>
  /** Counts a try in all of them, or in none when one is full. */
  take(bounds: readonly Bound[]): Promise<Full | Taken>
  succeeded(bounds: readonly Bound[]): Promise<void>
  forget(keys: readonly string[]): Promise<void>
}

const SWEEP_EVERY_MS = 60_000

type Window = { readonly tries: number; readonly endsMs: number; readonly nextTryMs: number }

export function createTryLimit(records: Records, clock: Clock, secret: string): TryLimit {
  const hashed = (key: string): string =>
    createHmac('sha256', secret).update(`try ${key}`).digest('base64url')
  let sweepAtMs = 0
  const read = async (from: Records, bounds: readonly Bound[]): Promise<ReadonlyMap<string, Window>> => {
    const rows = await from
      .selectFrom('try_window')
      .selectAll()
      .where(
        'key',
        'in',
        bounds.map(({ key }) => hashed(key)),
      )
      .where('ends_ms', '>', clock.nowMs())
      .execute()
    return new Map(
      rows.map((row) => [row.key, { tries: row.tries, endsMs: row.ends_ms, nextTryMs: row.next_try_ms }]),
    )
  }
  const fullest = (bounds: readonly Bound[], windows: ReadonlyMap<string, Window>): Full | undefined => {
    const nowMs = clock.nowMs()
    let full: Full | undefined
    for (const { name, key, maxTries, thenEveryMs } of bounds) {
      const window = windows.get(hashed(key))
      if (!window || window.tries < maxTries) continue
      const untilMs = thenEveryMs === undefined ? window.endsMs : window.nextTryMs
      const retryAfterSec = Math.ceil((untilMs - nowMs) / 1000)
      if (retryAfterSec > (full?.retryAfterSec ?? 0)) full = { retryAfterSec, by: name }
    }
    return full
  }
  return {
    look: async (bounds) => fullest(bounds, await read(records, bounds)),
    take: (bounds) => {
      const isSweepDue = sweepAtMs <= clock.nowMs()
      if (isSweepDue) sweepAtMs = clock.nowMs() + SWEEP_EVERY_MS
      return writeTransaction(records, async (tx) => {
        const nowMs = clock.nowMs()
        if (isSweepDue) await tx.deleteFrom('try_window').where('ends_ms', '<=', nowMs).execute()
        const windows = await read(tx, bounds)
        const full = fullest(bounds, windows)
        if (full) return full
        const filled: BoundName[] = []
        for (const { name, key, maxTries, windowMs, thenEveryMs } of bounds) {
          const window = windows.get(hashed(key))
          const tries = (window?.tries ?? 0) + 1
          if (tries === maxTries) filled.push(name)
          const row = {
            tries,
            next_try_ms: nowMs + (thenEveryMs ?? 0),
            ends_ms: window?.endsMs ?? nowMs + windowMs,
          }
          await tx
            .insertInto('try_window')
            .values({ key: hashed(key), ...row })
            .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
            .execute()
        }
        return { filled }
      })
    },
    async succeeded(bounds) {
      await writeTransaction(records, async (tx) => {
        for (const { key, endsWithSuccess } of bounds) {
          if (endsWithSuccess) await tx.deleteFrom('try_window').where('key', '=', hashed(key)).execute()
          else
            await tx
              .updateTable('try_window')
              .set((row) => ({ tries: row('tries', '-', 1) }))
              .where('key', '=', hashed(key))
              .where('tries', '>', 0)
              .execute()
        }
      })
    },
    async forget(keys) {
      await records.deleteFrom('try_window').where('key', 'in', keys.map(hashed)).execute()
    },
  }
}

/**
 * Whom an address belongs to, as far as a limit must care: an IPv4 address is one customer's, and of IPv6 each customer
 * gets 2^64 at least (RFC 6177), so those count as one. Undefined for what is no address.
 */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined) return undefined
  const plain = address.replace(/%.*$/s, '') // the zone of a link-local address
  if (isIPv4(plain)) return plain
  if (!isIPv6(plain)) return undefined
  const groups = groupsOf(plain)
  const [high = 0, low = 0] = groups.slice(6)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** The URL parser writes an IPv6 address in one canonical way, also one that ends in an IPv4 address. */
function groupsOf(ipv6: string): readonly number[] {
  const canonical = new URL(`http://[${ipv6}]`).hostname.slice(1, -1)
  const [left = '', right] = canonical.split('::')
  const numbers = (text = ''): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [before, after] = [numbers(left), numbers(right)]
  const zeros = right === undefined ? 0 : 8 - before.length - after.length
  return [...before, ...Array<number>(zeros).fill(0), ...after]
}
