/**
 * Tokens of organisations for builds, in the form that sentry-cli and the bundler plugins read: they take the address and
 * the organisation out of the token itself. https://docs.sentry.io/account/auth-tokens/#organization-tokens
 */
import { randomBytes } from 'node:crypto'
import { hashApiToken } from './api-token-hash.ts'

export type OrgTokenFacts = {
  readonly orgSlug: string
  /** Under which the client reaches this Sonde, without a path. */
  readonly url: string
  readonly nowMs: number
}

/**
 * `sntrys_` + the facts + `_` + 32 random bytes. Both parts are of the standard alphabet; clients insist on the padding of
 * the first and on its absence from the second.
 */
export function newOrgToken({ orgSlug, url, nowMs }: OrgTokenFacts): {
  readonly token: string
  readonly tokenHash: string
} {
  const facts = { iat: nowMs / 1000, url, region_url: url, org: orgSlug }
  const payload = Buffer.from(JSON.stringify(facts)).toString('base64')
  const secret = randomBytes(32).toString('base64').replaceAll('=', '')
  const token = `sntrys_${payload}_${secret}`
  return { token, tokenHash: hashApiToken(token) }
}

/** What it may look like at all: anything else is refused without a look-up. An address has some hundred characters. */
export const ORG_TOKEN_FORM = /^sntrys_[A-Za-z0-9+/]{4,1000}={0,2}_[A-Za-z0-9+/]{43}$/
