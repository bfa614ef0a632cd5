/** The few facts that are asked for first: who, where, which version. */
import type { JsonObject, NormalizedEvent, UserInfo } from '@sonde/protocol/event'

export type Highlight = { readonly name: string; readonly value: string }

/** In reading order; what is not known is left out. */
export function highlights(event: NormalizedEvent): Highlight[] {
  const { contexts = {}, request } = event
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['User', userName(event.user)],
    ['Environment', event.environment],
    ['Release', event.release],
    ['Transaction', event.transaction],
    ['URL', request?.url],
    ['Browser', versioned(contexts.browser)],
    ['OS', versioned(contexts.os) ?? versioned(contexts.client_os)],
    ['Runtime', versioned(contexts.runtime)],
    ['Device', text(contexts.device?.model) ?? text(contexts.device?.family)],
    ['Server', event.server_name],
    ['Trace', text(contexts.trace?.trace_id)],
  ]
  return rows.flatMap(([name, value]) => (value === undefined || value === '' ? [] : [{ name, value }]))
}

function userName(user: UserInfo | undefined): string | undefined {
  return user && (user.email ?? user.username ?? user.name ?? user.id ?? user.ip_address)
}

/** `Chrome 141.0.0`; what cannot be read as text is not there. */
function versioned(context: JsonObject | undefined): string | undefined {
  const name = text(context?.name)
  if (name === undefined) return undefined
  const version = text(context?.version)
  return version === undefined ? name : `${name} ${version}`
}

function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value !== '' ? value : undefined
}
