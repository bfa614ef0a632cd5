/**
 * Remembers in the browser that somebody signed in there, so that guesses of strangers do not lock its owner out
 * (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies). It is no sign-in: password
 * and code are asked as ever. It is bound to the password, so a new one makes strangers of all browsers.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Records } from '@sonde/stores'

/** Browsers keep none longer than 400 days. */
const LIFETIME_SEC = 365 * 24 * 60 * 60
const VALUE = /^v1\.(\d{10,12})\.([\w-]{22})\.([\w-]{43})$/

export type Person = { readonly email: string } | { readonly userId: string }

export type KnownDevices = {
  /** The id of the browser when that person signed in with it before. */
  idOf(headers: Headers, person: Person): Promise<string | undefined>
  /** `Set-Cookie` values for who has just signed in: none when the person is gone. */
  remember(userId: string): Promise<readonly string[]>
}

export function createKnownDevices(records: Records, cookies: Cookies, secret: string): KnownDevices {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'sonde device cookie', 32))
  const sign = (facts: readonly string[]): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(facts)).digest()
  const credentialOf = (person: Person) =>
    records
      .selectFrom('user')
      .innerJoin('account', 'account.userId', 'user.id')
      .select(['user.id', 'account.password'])
      .where('account.providerId', '=', 'credential')
      .where((row) =>
        'email' in person ? row('user.email', '=', person.email) : row('user.id', '=', person.userId),
      )
      .executeTakeFirst()
  return {
    async idOf(headers, person) {
      const found = VALUE.exec(cookies.read('device', headers) ?? '')
      if (!found) return undefined
      const [, issued = '', id = '', mac = ''] = found
      if (Number(issued) + LIFETIME_SEC < Date.now() / 1000) return undefined
      const credential = await credentialOf(person)
      const expected = sign([credential?.id ?? '', credential?.password ?? '', issued, id])
      return credential && timingSafeEqual(expected, Buffer.from(mac, 'base64url')) ? id : undefined
    },
    async remember(userId) {
      const credential = await credentialOf({ userId })
      if (!credential) return []
      const id = randomBytes(16).toString('base64url')
      const issued = String(Math.floor(Date.now() / 1000))
      const mac = sign([credential.id, credential.password ?? '', issued, id]).toString('base64url')
      return [cookies.write('device', `v1.${issued}.${id}.${mac}`, LIFETIME_SEC)]
    },
  }
}

/**
 * Names and attributes of the cookies. Over https they carry the `__Host-` prefix: the browser then takes them only
 * with Secure, with `Path=/` and without a domain, so that no sibling host can plant one
 * (https://www.rfc-editor.org/rfc/rfc6265#section-4.1.3 in its revision, draft-ietf-httpbis-rfc6265bis).
 */

export type Cookies = {
  readonly isSecure: boolean
  /** better-auth puts a dot and its own name behind it. */
  readonly prefix: string
  /** The value of one of ours, as it was sent. */
  read(name: CookieName, headers: Headers): string | undefined
  /** A `Set-Cookie` value, with what all of ours have. */
  write(name: CookieName, value: string, maxAgeSec: number): string
}

type CookieName = 'session_token' | 'two_factor' | 'device' | 'sso'

export function createCookies(publicUrl: string): Cookies {
  const isSecure = new URL(publicUrl).protocol === 'https:'
  const prefix = isSecure ? '__Host-sonde' : 'sonde'
  return {
    isSecure,
    prefix,
    read(name, headers) {
      const start = `${prefix}.${name}=`
      const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
      return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
    },
    write: (name, value, maxAgeSec) =>
      `${prefix}.${name}=${value}; Max-Age=${maxAgeSec}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
  }
}
