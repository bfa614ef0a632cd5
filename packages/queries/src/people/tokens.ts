/** The tokens of programs, as those see them who may take them back. The token itself is stored nowhere. */
import type { Grant } from '@sonde/access'
import { endlessTokensSetting, type RecordsSchema } from '@sonde/stores'
import type { Kysely } from 'kysely'
import type { QueryDeps } from '../query-deps.ts'

export type TokenOfOrgRow = {
  readonly id: number
  readonly name: string
  /** Undefined: it opens every organization of this installation. */
  readonly orgSlug: string | undefined
  /** Somebody's own: it does no more than that person may, and ends with the membership. */
  readonly isPersonal: boolean
  /** An application that a person connected by OAuth. */
  readonly isApp: boolean
  /** Undefined: the command line. Without a name: somebody whose account is gone. */
  readonly madeBy: { readonly userId: string; readonly name?: string; readonly email?: string } | undefined
  readonly scopes: readonly string[]
  readonly createdMs: number
  /** Exact to the minute; undefined: never. */
  readonly lastUsedMs: number | undefined
  readonly lastUsedAddress: string | undefined
  /** Undefined: it does not expire. */
  readonly expiresMs: number | undefined
}

/** Of one organization, also those that members made for themselves, newest first. */
export async function listTokens(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'token:write', 'org'>,
): Promise<readonly TokenOfOrgRow[]> {
  const rows = await selectTokens(records).where('api_token.org_id', '=', grant.orgId).execute()
  return rows.map((row) => tokenRow(row))
}

/** Of the whole installation. */
export async function listAllTokens(
  { records }: Pick<QueryDeps, 'records'>,
  _grant: Grant<'operate', 'operator'>,
): Promise<readonly TokenOfOrgRow[]> {
  return (await selectTokens(records).execute()).map((row) => tokenRow(row))
}

const selectTokens = (records: Kysely<RecordsSchema>) =>
  records
    .selectFrom('api_token')
    .leftJoin('organization', 'organization.id', 'api_token.org_id')
    .leftJoin('user', 'user.id', 'api_token.made_by')
    .leftJoin('oauth_app', 'oauth_app.token_id', 'api_token.id')
    // One that nobody came for is no connection.
    .where((eb) => eb.or([eb('oauth_app.token_id', 'is', null), eb('oauth_app.redeemed_ms', 'is not', null)]))
    .select(['api_token.id', 'api_token.name', 'api_token.user_id', 'api_token.made_by', 'api_token.scopes'])
    .select(['api_token.created_ms', 'api_token.last_used_ms', 'api_token.last_used_address'])
    .select(['api_token.expires_ms', 'organization.slug', 'user.name as maker', 'user.email'])
    .select('oauth_app.token_id as appId')
    .orderBy('api_token.id', 'desc')

type SelectedToken = Awaited<ReturnType<ReturnType<typeof selectTokens>['execute']>>[number]

const tokenRow = (row: SelectedToken): TokenOfOrgRow => ({
  id: row.id,
  name: row.name,
  orgSlug: row.slug ?? undefined,
  isPersonal: row.user_id !== null,
  isApp: row.appId !== null,
  madeBy:
    row.made_by === null
      ? undefined
      : {
          userId: row.made_by,
          ...(row.maker !== null && { name: row.maker }),
          ...(row.email !== null && { email: row.email }),
        },
  scopes: JSON.parse(row.scopes) as string[],
  createdMs: row.created_ms,
  lastUsedMs: row.last_used_ms ?? undefined,
  lastUsedAddress: row.last_used_address ?? undefined,
  expiresMs: row.expires_ms ?? undefined,
})

/** Whether an owner of one of these organizations allows tokens that do not expire. */
export async function allowsEndlessTokens(
  { records }: Pick<QueryDeps, 'records'>,
  orgIds: readonly number[],
): Promise<boolean> {
  if (orgIds.length === 0) return false
  const row = await records
    .selectFrom('setting')
    .select('value')
    .where('name', 'in', orgIds.map(endlessTokensSetting))
    .executeTakeFirst()
  return row !== undefined
}
