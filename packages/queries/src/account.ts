/** What the account screen shows of the person who looks at it: `viewer` is always the one who asks. */
import { type ApiTokenTable, type Selectable, SESSION_MAX_MS } from '@sonde/stores'
import type { QueryDeps } from './query-deps.ts'

/** Of `UserViewer`. */
export type AccountOwner = { readonly userId: string; readonly sessionId?: string }

export type AccountSession = {
  readonly id: string
  readonly createdMs: number
  /** Exact to the hour. */
  readonly lastSeenMs: number
  readonly expiresMs: number
  readonly userAgent: string | undefined
  readonly ipAddress: string | undefined
  /** The one that asks. */
  readonly isCurrent: boolean
}

/** Those that still live, the one that asks first, then the last seen. */
export async function accountSessions(
  { records, clock }: Pick<QueryDeps, 'records' | 'clock'>,
  owner: AccountOwner,
): Promise<readonly AccountSession[]> {
  const rows = await records
    .selectFrom('session')
    .select(['id', 'createdAt', 'updatedAt', 'expiresAt', 'ipAddress', 'userAgent'])
    .where('userId', '=', owner.userId)
    .execute()
  return rows
    .map((row) => ({
      id: row.id,
      createdMs: Date.parse(row.createdAt),
      lastSeenMs: Date.parse(row.updatedAt),
      expiresMs: Math.min(Date.parse(row.expiresAt), Date.parse(row.createdAt) + SESSION_MAX_MS),
      userAgent: row.userAgent || undefined,
      ipAddress: row.ipAddress || undefined,
      isCurrent: row.id === owner.sessionId,
    }))
    .filter((session) => session.expiresMs > clock.nowMs())
    .toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.lastSeenMs - a.lastSeenMs)
}

export type PersonalToken = {
  readonly id: number
  readonly name: string
  readonly orgSlug: string
  readonly scopes: readonly string[]
  readonly createdMs: number
  /** Exact to the minute; undefined: never. */
  readonly lastUsedMs: number | undefined
  readonly lastUsedAddress: string | undefined
  /** Undefined: it does not expire. */
  readonly expiresMs: number | undefined
}

/** Newest first, without connected applications. The token itself is stored nowhere. */
export async function personalTokens(
  { records }: Pick<QueryDeps, 'records'>,
  owner: AccountOwner,
): Promise<readonly PersonalToken[]> {
  const rows = await records
    .selectFrom('api_token')
    .innerJoin('organization', 'organization.id', 'api_token.org_id')
    .select(['api_token.id', 'api_token.name', 'organization.slug', 'scopes'])
    .select(['api_token.created_ms', 'last_used_ms', 'last_used_address', 'expires_ms'])
    .where('user_id', '=', owner.userId)
    .where('api_token.id', 'not in', (eb) => eb.selectFrom('oauth_app').select('token_id'))
    .orderBy('api_token.id', 'desc')
    .execute()
  return rows.map(personalToken)
}

type TokenRow = Pick<
  Selectable<ApiTokenTable>,
  'id' | 'name' | 'scopes' | 'created_ms' | 'last_used_ms' | 'last_used_address' | 'expires_ms'
> & { readonly slug: string }

const personalToken = (row: TokenRow): PersonalToken => ({
  id: row.id,
  name: row.name,
  orgSlug: row.slug,
  scopes: JSON.parse(row.scopes) as string[],
  createdMs: row.created_ms,
  lastUsedMs: row.last_used_ms ?? undefined,
  lastUsedAddress: row.last_used_address ?? undefined,
  expiresMs: row.expires_ms ?? undefined,
})

export type ConnectedApp = PersonalToken & {
  /** Where it was sent with its code: what tells applications of one name apart. */
  readonly redirectUri: string
  /** It opens the MCP server and nothing else. */
  readonly isForMcp: boolean
}

/** Applications that the person connected and that came for their tokens, newest first. */
export async function connectedApps(
  { records }: Pick<QueryDeps, 'records'>,
  owner: AccountOwner,
): Promise<readonly ConnectedApp[]> {
  const rows = await records
    .selectFrom('oauth_app')
    .innerJoin('api_token', 'api_token.id', 'oauth_app.token_id')
    .innerJoin('organization', 'organization.id', 'api_token.org_id')
    .select(['api_token.id', 'api_token.name', 'organization.slug', 'scopes', 'redirect_uri', 'resource'])
    .select(['api_token.created_ms', 'last_used_ms', 'last_used_address', 'expires_ms'])
    .where('user_id', '=', owner.userId)
    .where('oauth_app.redeemed_ms', 'is not', null)
    .orderBy('api_token.id', 'desc')
    .execute()
  return rows.map((row) => ({
    ...personalToken(row),
    redirectUri: row.redirect_uri,
    isForMcp: row.resource !== null,
  }))
}
