/**
 * How often a password, a code or one's own secret may be tried. What a stranger does must not lock the owner out: so
 * a full stop is always for an account *and* a network, the account alone is only slowed down, and a browser that
 * has signed in to the account before has a window of its own.
 */
import type { Bound } from './try-limit.ts'

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

export type Comer = {
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

const codeKey = (userId: string): string => `second factor of ${userId}`

function networkBound(network: string | undefined): readonly Bound[] {
  if (network === undefined) return []
  const key = `network ${network}`
  return [{ name: 'network', key, maxTries: TRIES_PER_NETWORK, windowMs: WINDOW_MS }]
}
