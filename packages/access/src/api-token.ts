/**
 * API tokens: `sonde_` + 32 random bytes in base64url, or the form of `org-token.ts`. The prefix lets secret scanners
 * find a leaked one; 256 bits of chance need no slow hash, so SHA-256 is stored and looked up directly.
 */
import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '@sonde/base'
import type { Records } from '@sonde/stores'
import { isOauthSecret } from './oauth/oauth-secret.ts'
import { isScope } from './permission.ts'
import type { SecretUses } from './secret-use.ts'
import type { TokenViewer } from './viewer.ts'

/**
 * Tokens of organizations for builds, in the form that sentry-cli and the bundler plugins read: they take the address and
 * the organization out of the token itself. https://docs.sentry.io/account/auth-tokens/#organization-tokens
 */
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
const ORG_TOKEN_FORM = /^sntrys_[A-Za-z0-9+/]{4,1000}={0,2}_[A-Za-z0-9+/]{43}$/

/** Lower hex. 256 bits of chance need no slow hash. */
export const hashApiToken = (token: string): string => createHash('sha256').update(token).digest('hex')

const FORM = /^sonde_[A-Za-z0-9_-]{43}$/
/** `last_used_ms` is for people; a write per request would be waste. */
const LAST_USED_STEP_MS = 60_000

/** The text is shown once; only the hash is stored. */
export function newApiToken(): { readonly token: string; readonly tokenHash: string } {
  const token = `sonde_${randomBytes(32).toString('base64url')}`
  return { token, tokenHash: hashApiToken(token) }
}

/**
 * Undefined for anything that is not a living token. A token made by a person for themselves dies with that person's
 * membership and rests while their account is disabled. Access tokens of connected applications are taken too; one that was
 * given for a single address (`resource`) is nobody's anywhere else. Costs one indexed read, and one write a minute.
 */
export async function viewerFromToken(
  records: Records,
  clock: Clock,
  uses: SecretUses,
  token: string,
  clientAddress?: string,
  resource?: string,
): Promise<TokenViewer | undefined> {
  const isOfApp = isOauthSecret(token, 'access')
  if (!isOfApp && !isTokenForm(token)) return undefined
  const nowMs = clock.nowMs()
  const row = await records
    .selectFrom('api_token')
    .leftJoin('user', 'user.id', 'api_token.user_id')
    .leftJoin('member', (join) =>
      join.onRef('member.user_id', '=', 'api_token.user_id').onRef('member.org_id', '=', 'api_token.org_id'),
    )
    .leftJoin('oauth_app', 'oauth_app.token_id', 'api_token.id')
    .select([
      'oauth_app.resource',
      'api_token.id',
      'api_token.name',
      'api_token.org_id',
      'api_token.user_id',
      'api_token.scopes',
      'api_token.last_used_ms',
      'api_token.expires_ms',
      'user.disabledMs',
      'member.role',
    ])
    .where((eb) =>
      isOfApp
        ? eb(
            'api_token.id',
            'in',
            eb
              .selectFrom('oauth_secret')
              .select('oauth_secret.token_id')
              .where('secret_hash', '=', hashApiToken(token))
              .where('kind', '=', 'access')
              .where('oauth_secret.expires_ms', '>', nowMs),
          )
        : eb('api_token.token_hash', '=', hashApiToken(token)),
    )
    .executeTakeFirst()
  if (!row || (row.resource !== null && row.resource !== resource)) return undefined
  const refused = refusalOf(row, nowMs)
  const of = row.user_id === null ? {} : { of: row.user_id }
  await uses.note({
    orgId: row.org_id,
    // Whoever is refused is nobody.
    actor: refused === undefined ? `token:${row.id}` : 'stranger',
    action: refused === undefined ? 'token.use' : 'token.refuse',
    subject: row.name,
    detail: { tokenId: row.id, ...of, ...(refused !== undefined && { reason: refused }) },
    secretId: row.id,
    address: clientAddress,
  })
  if (refused !== undefined) return undefined
  if (row.last_used_ms === null || row.last_used_ms < nowMs - LAST_USED_STEP_MS) {
    const used = { last_used_ms: nowMs, last_used_address: clientAddress ?? null }
    await records.updateTable('api_token').set(used).where('id', '=', row.id).execute()
  }
  return {
    kind: 'token',
    tokenId: row.id,
    tokenName: row.name,
    orgId: row.org_id ?? undefined,
    userId: row.user_id ?? undefined,
    ...(row.role === null ? {} : { role: row.role }),
    scopes: (JSON.parse(row.scopes) as string[]).filter(isScope),
  }
}

type Living = {
  readonly disabledMs: number | null
  readonly user_id: string | null
  readonly role: string | null
  readonly expires_ms: number | null
}

/** Undefined: it is alive. */
function refusalOf(
  { disabledMs, user_id, role, expires_ms }: Living,
  nowMs: number,
): 'disabled' | 'no-member' | 'expired' | undefined {
  if (disabledMs !== null) return 'disabled'
  if (user_id !== null && role === null) return 'no-member'
  return expires_ms !== null && expires_ms <= nowMs ? 'expired' : undefined
}

/** Of one that `viewerFromToken` did not take. Only whoever holds the token learns that it was one. */
export async function refusalOfToken(records: Records, clock: Clock, token: string): Promise<string> {
  if (isOauthSecret(token, 'access'))
    return 'This access token is over, was revoked, or was given for another address. Renew it, or sign in again.'
  const row = isTokenForm(token)
    ? await records
        .selectFrom('api_token')
        .select('expires_ms')
        .where('token_hash', '=', hashApiToken(token))
        .executeTakeFirst()
    : undefined
  if (!row?.expires_ms || row.expires_ms > clock.nowMs()) return 'Invalid token'
  const day = new Date(row.expires_ms).toISOString().slice(0, 10)
  return `This token expired on ${day}. Make a new one.`
}

const isTokenForm = (text: string): boolean => FORM.test(text) || ORG_TOKEN_FORM.test(text)
