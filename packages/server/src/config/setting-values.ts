/** How the values of settings are read. Each returns undefined for a value that is not allowed. */
import { isAddressOrRange, type TrustProxy } from '@sonde/ingest'
import { ALL_ROLES, FORMER_ROLES, type Role } from '../modules.ts'

export const anyText = (value: string): string => value
export const wholeNumber = (min: number, max: number) => (value: string) => {
  const number = Number(value)
  return /^\d+$/.test(value) && number >= min && number <= max ? number : undefined
}
/** Of what every project may do that has no limit of its own; 0 is no limit. */
export const spikeLimit = (value: string) => (value === 'off' ? 0 : wholeNumber(0, 1_000_000_000)(value))
export const httpUrl = (value: string): string | undefined => {
  if (!URL.canParse(value)) return undefined
  const url = new URL(value)
  const plain = url.search === '' && url.hash === '' && url.username === '' && url.pathname === '/'
  return plain && /^https?:$/.test(url.protocol) ? url.origin : undefined
}

/** As PostgreSQL's own programs read it. */
export const postgresUrl = (value: string): string | undefined =>
  URL.canParse(value) && /^postgres(?:ql)?:\/\/[^/]*\/[^/?]+(?:\?|$)/.test(value) ? value : undefined

export const clusterName = (value: string): string | undefined =>
  /^[\w.-]+$/.test(value) ? value : undefined
/** As ClickHouse's client reads it: with a password, and the database as the path. */
export const databaseUrl = (value: string): string | undefined =>
  URL.canParse(value) && /^https?:\/\/[^/]+\/\w+$/.test(value) ? value : undefined

export const accessKey = (value: string): string | undefined =>
  /^[!-~]{1,256}$/.test(value) ? value : undefined

/** In the order of `ROLES`, each once. */
export function roleList(value: string): readonly Role[] | undefined {
  const names: readonly string[] = roleNames(value).map((name) => FORMER_ROLES.get(name) ?? name)
  if (names.length === 1 && names[0] === 'all') return ALL_ROLES
  const isKnown = names.every((name) => ALL_ROLES.some((role) => role === name))
  return isKnown ? ALL_ROLES.filter((role) => names.includes(role)) : undefined
}

const roleNames = (value: string): string[] => value.split(',').map((name) => name.trim())

/** Of the names in `SONDE_ROLES`, those that were renamed, as `old → new`. */
export const formerRoles = (value: string): string[] =>
  roleNames(value).flatMap((name) => (FORMER_ROLES.has(name) ? `${name} → ${FORMER_ROLES.get(name)}` : []))

export function hostNames(value: string): readonly string[] | undefined {
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return names.every((name) => /^[\w.-]+$/.test(name)) ? names : undefined
}

// More is a mistake, and would believe what a client wrote.
const MAX_PROXIES = 10

export function networkList(value: string): readonly string[] | undefined {
  const entries = value.split(',').map((entry) => entry.trim())
  return entries.every(isAddressOrRange) ? entries : undefined
}

export function trustedProxies(value: string): TrustProxy | undefined {
  if (value === 'no') return 0
  const count = wholeNumber(1, MAX_PROXIES)(value)
  if (count !== undefined) return count
  const entries = value.split(',').map((entry) => entry.trim())
  return entries.every(isAddressOrRange) ? entries : undefined
}

export function regionMap(value: string): Readonly<Record<string, string>> | undefined {
  try {
    const entries = Object.entries(JSON.parse(value) as Record<string, string>)
    const urls = entries.map(([name, url]) => [name, httpUrl(url)] as const)
    return urls.every(([, url]) => url !== undefined)
      ? Object.fromEntries(urls as [string, string][])
      : undefined
  } catch {
    return undefined
  }
}
