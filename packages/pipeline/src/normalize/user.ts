/** https://develop.sentry.dev/sdk/data-model/event-payloads/user/ */
import { isIP } from 'node:net'
import type { Json, UserInfo } from '@sonde/protocol/event'
import { BAG, objectBag } from './bag.ts'
import { emptyRecord, isObject, textField, type Mutable } from './read.ts'
import { invalid, within, type Scope } from './scope.ts'

const KNOWN = new Set(['id', 'email', 'username', 'name', 'ip_address', 'geo', 'data'])

/** `{{auto}}` stays in `ip_address` here; `resolveClientIp` replaces it. Keys that are not ours move to `data`. */
export function readUser(scope: Scope, raw: unknown): Mutable<UserInfo> | undefined {
  if (!isObject(raw)) {
    if (raw !== undefined && raw !== null) invalid(scope, 'user', raw)
    return undefined
  }
  const userScope = within(scope, 'user')
  const user: Mutable<UserInfo> = {}
  const id = textField(userScope, raw, 'id', 128)
  if (id !== undefined) user.id = id
  const email = textField(userScope, raw, 'email', 75)
  if (email !== undefined) {
    if (looksLikeEmail(email)) user.email = email
    else invalid(userScope, 'email', email)
  }
  const username = textField(userScope, raw, 'username', 128)
  if (username !== undefined) user.username = username
  const name = textField(userScope, raw, 'name', 128)
  if (name !== undefined) user.name = name
  const ip = textField(userScope, raw, 'ip_address', 64)
  if (ip !== undefined) {
    if (isIP(ip) || ip === '{{auto}}') user.ip_address = ip
    else invalid(userScope, 'ip_address', ip)
  }
  const geo = objectBag(userScope, 'geo', raw.geo, BAG.small)
  if (geo !== undefined) user.geo = geo
  const data = readData(userScope, raw)
  if (data !== undefined) user.data = data
  return user
}

/** Placeholders of a scrubbing SDK (`[Filtered]`, `*****`) are no addresses, but they are no mistakes either. */
function looksLikeEmail(email: string): boolean {
  return email.includes('@') || email.startsWith('[') || email.startsWith('*')
}

function readData(scope: Scope, raw: Readonly<Record<string, unknown>>) {
  const rest = emptyRecord<Json>()
  for (const key of Object.keys(raw))
    if (!KNOWN.has(key) && raw[key] !== null && raw[key] !== undefined) rest[key] = raw[key] as Json
  if (isObject(raw.data)) for (const key of Object.keys(raw.data)) rest[key] = raw.data[key] as Json
  const data = objectBag(scope, 'data', rest, BAG.large)
  // A record without prototype does not compare equal to what a test or a store reads back.
  return data === undefined ? undefined : { ...data }
}

/** Who it was, for counting affected users: `id:…`, else `username:…`, `email:…`, `ip:…`. */
export function userKeyOf(user: UserInfo | undefined): string | undefined {
  if (user === undefined) return undefined
  if (user.id !== undefined) return `id:${user.id}`
  if (user.username !== undefined) return `username:${user.username}`
  if (user.email !== undefined) return `email:${user.email}`
  return user.ip_address === undefined ? undefined : `ip:${user.ip_address}`
}
