/** https://develop.sentry.dev/sdk/data-model/event-payloads/user/ */
import { isIP } from 'node:net'
import type { Json, NormalizedEvent, RequestInfo, UserInfo } from '@sonde/protocol/event'
import { JSON_LIMITS, boundedObject } from './bounded-json.ts'
import { invalid, type Scope, within } from './meta-remarks.ts'
import { emptyRecord, isObject, type Mutable, textField } from './read-fields.ts'

/**
 * Whose address the event's user has. `{{auto}}` asks for the sender's. Without it old SDKs of browsers and Apple
 * devices expect it too, newer ones say so themselves in `sdk.settings.infer_ip`: `never` is obeyed everywhere
 * (https://develop.sentry.dev/sdk/expected-features/data-handling/).
 */
const AUTO = '{{auto}}'
const INFERRED_PLATFORMS = new Set(['javascript', 'cocoa', 'objc'])

type IpContext = {
  readonly clientIp: string | undefined
  readonly platform: string
  readonly sdk: NormalizedEvent['sdk']
  /** Security reports come without SDK; their sender is always their user. */
  readonly always: boolean
}
export type IpFields = { user: Mutable<UserInfo> | undefined; request: Mutable<RequestInfo> | undefined }

/** Changes `fields`, which the caller has just built. */
export function resolveClientIp(fields: IpFields, context: IpContext): void {
  const clientIp = context.clientIp !== undefined && isIP(context.clientIp) ? context.clientIp : undefined
  const remoteAddress = fields.request?.env?.REMOTE_ADDR
  if (fields.request && remoteAddress === AUTO) {
    const { REMOTE_ADDR: _, ...env } = fields.request.env!
    fields.request.env = clientIp === undefined ? env : { ...env, REMOTE_ADDR: clientIp }
  }
  if (fields.user?.ip_address === AUTO) {
    delete fields.user.ip_address
    if (clientIp !== undefined) fields.user.ip_address = clientIp
  }
  if (fields.user?.ip_address !== undefined) return
  const copied = fields.request?.env?.REMOTE_ADDR
  if (typeof copied === 'string' && isIP(copied)) setIp(fields, copied)
  else if (clientIp !== undefined && isInferred(context)) setIp(fields, clientIp)
}

function setIp(fields: IpFields, ip: string): void {
  fields.user = { ...fields.user, ip_address: ip }
}

function isInferred(context: IpContext): boolean {
  if (context.always) return true
  const setting = context.sdk?.settings?.infer_ip
  if (setting === 'never') return false
  return setting === 'auto' || INFERRED_PLATFORMS.has(context.platform)
}

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
  const geo = boundedObject(userScope, 'geo', raw.geo, JSON_LIMITS.small)
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
  const data = boundedObject(scope, 'data', rest, JSON_LIMITS.large)
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
