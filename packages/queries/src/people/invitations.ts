import type { Grant } from '@sonde/access'
import type { Role } from '@sonde/stores'
import type { QueryDeps } from '../query-deps.ts'

export type InvitationRow = {
  readonly invitationId: number
  /** Undefined: a link for anybody. */
  readonly email: string | undefined
  readonly role: Role
  /** Undefined: the command line, or somebody whose account is gone. */
  readonly invitedBy: string | undefined
  readonly createdMs: number
  readonly sentMs: number
  readonly expiresMs: number
  readonly isExpired: boolean
  readonly isMailed: boolean
  readonly uses: number
  readonly maxUses: number
  /** Names, in their order. */
  readonly teams: readonly string[]
}

/** Whoever was asked in and has not come, the newest first. */
export async function listInvitations(
  { records, clock }: Pick<QueryDeps, 'records' | 'clock'>,
  grant: Grant<'member:read', 'org'>,
): Promise<readonly InvitationRow[]> {
  const rows = await records
    .selectFrom('invitation')
    .selectAll()
    .where('org_id', '=', grant.orgId)
    .orderBy('id', 'desc')
    .execute()
  if (rows.length === 0) return []
  const [people, teams] = await Promise.all([
    records
      .selectFrom('user')
      .select(['id', 'name'])
      .where(
        'id',
        'in',
        rows.map((row) => row.invited_by.replace(/^user:/, '')),
      )
      .execute(),
    records
      .selectFrom('invitation_team')
      .innerJoin('team', 'team.id', 'invitation_team.team_id')
      .select(['invitation_team.invitation_id', 'team.name'])
      .where('team.org_id', '=', grant.orgId)
      .orderBy('team.name')
      .execute(),
  ])
  const names = new Map(people.map(({ id, name }) => [`user:${id}`, name]))
  return rows.map((row) => ({
    invitationId: row.id,
    email: row.email ?? undefined,
    role: row.role,
    invitedBy: names.get(row.invited_by),
    createdMs: row.created_ms,
    sentMs: row.sent_ms,
    expiresMs: row.expires_ms,
    isExpired: row.expires_ms <= clock.nowMs(),
    isMailed: row.is_mailed === 1,
    uses: row.uses,
    maxUses: row.max_uses,
    teams: teams.filter((team) => team.invitation_id === row.id).map(({ name }) => name),
  }))
}
