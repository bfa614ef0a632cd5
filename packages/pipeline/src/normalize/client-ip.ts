/**
 * Whose address the event's user has. `{{auto}}` asks for the sender's. Without it old SDKs of browsers and Apple
 * devices expect it too, newer ones say so themselves in `sdk.settings.infer_ip`: `never` is obeyed everywhere
 * (https://develop.sentry.dev/sdk/expected-features/data-handling/).
 */
import { isIP } from 'node:net'
import type { NormalizedEvent, RequestInfo, UserInfo } from '@sonde/protocol/event'
import type { Mutable } from './read.ts'

const AUTO = '{{auto}}'
const INFERRED_PLATFORMS = new Set(['javascript', 'cocoa', 'objc'])

export type IpContext = {
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
