/** The sign-in provider of an organization, for its owners. */
import type { Grant } from '@sonde/access'
import { ssoAddresses, type SsoFailure } from '@sonde/access'
import type { SsoKind, SsoRole } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

export type SsoTest = {
  readonly atMs: number
  readonly email?: string
  readonly isEmailVerified: boolean
  readonly name?: string
  /** The first of them. */
  readonly groups: readonly string[]
  readonly groupCount: number
  /** Those that lead somewhere. */
  readonly matched: readonly string[]
}

export type SsoSettings = {
  readonly kind: SsoKind
  readonly name: string
  /** As `OIDC_SETTINGS` or `SAML_SETTINGS` of `@sonde/access` say; never a secret. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly isOn: boolean
  readonly isRequired: boolean
  readonly makesAccounts: boolean
  readonly defaultRole: SsoRole
  readonly sessionHours: number
  readonly updatedMs: number
  /** Undefined: no sign-in worked with the settings of now. */
  readonly test: SsoTest | undefined
  readonly lastSignInMs: number | undefined
  readonly lastFailure:
    | { readonly atMs: number; readonly reason: SsoFailure; readonly message: string }
    | undefined
  /** How many people have signed in by it. */
  readonly people: number
  /** By name. */
  readonly groups: readonly SsoGroupRow[]
}

export type SsoGroupRow = {
  readonly id: number
  readonly group: string
  readonly role: SsoRole | undefined
  readonly team: { readonly slug: string; readonly name: string } | undefined
}

export type SsoDomainRow = {
  readonly domain: string
  readonly token: string
  readonly verifiedMs: number | undefined
}

type Deps = Pick<QueryDeps, 'records'>
type SsoGrant = Grant<'org:write', 'org'>

/** Undefined: there is none. */
export async function ssoSettings({ records }: Deps, { orgId }: SsoGrant): Promise<SsoSettings | undefined> {
  const row = await records
    .selectFrom('sso_connection')
    .selectAll()
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  if (!row) return undefined
  const [groups, { people }] = await Promise.all([
    records
      .selectFrom('sso_group')
      .leftJoin('team', 'team.id', 'sso_group.team_id')
      .select(['sso_group.id', 'group_name', 'role', 'team.slug', 'team.name'])
      .where('connection_id', '=', row.id)
      .orderBy('sso_group.group_name')
      .orderBy('sso_group.id')
      .execute(),
    records
      .selectFrom('sso_identity')
      .select((eb) => eb.fn.countAll<number>().as('people'))
      .where('connection_id', '=', row.id)
      .executeTakeFirstOrThrow(),
  ])
  const told = row.test_result === null ? undefined : (JSON.parse(row.test_result) as Omit<SsoTest, 'atMs'>)
  const failure =
    row.last_failure === null
      ? undefined
      : (JSON.parse(row.last_failure) as { readonly reason: SsoFailure; readonly message: string })
  return {
    kind: row.kind,
    name: row.name,
    settings: JSON.parse(row.settings) as Record<string, unknown>,
    isOn: row.is_on === 1,
    isRequired: row.is_required === 1,
    makesAccounts: row.makes_accounts === 1,
    defaultRole: row.default_role,
    sessionHours: row.session_hours,
    updatedMs: row.updated_ms,
    test: told && row.tested_ms !== null ? { ...told, atMs: row.tested_ms } : undefined,
    lastSignInMs: row.last_sign_in_ms ?? undefined,
    lastFailure: failure && { ...failure, atMs: row.last_failure_ms ?? 0 },
    people,
    groups: groups.map(({ id, group_name, role, slug, name }) => ({
      id,
      group: group_name,
      role: role ?? undefined,
      team: slug === null || name === null ? undefined : { slug, name },
    })),
  }
}

/** By name. */
export async function ssoDomains({ records }: Deps, { orgId }: SsoGrant): Promise<readonly SsoDomainRow[]> {
  const rows = await records
    .selectFrom('sso_domain')
    .select(['domain', 'token', 'verified_ms'])
    .where('org_id', '=', orgId)
    .orderBy('sso_domain.domain')
    .execute()
  return rows.map(({ domain, token, verified_ms }) => ({
    domain,
    token,
    verifiedMs: verified_ms ?? undefined,
  }))
}

/** What owners copy into the provider. */
export const ssoAddressesOf = (
  { publicUrl }: Pick<QueryDeps, 'publicUrl'>,
  { orgSlug }: SsoGrant,
): Pick<ReturnType<typeof ssoAddresses>, 'acs' | 'callback' | 'metadata'> => ssoAddresses(publicUrl, orgSlug)
