/** The teams of an organization as groups of its directory. */
import type { ScimCaller } from '@sonde/access'
import type { Records } from '@sonde/stores'
import { sql, type SqlBool } from 'kysely'
import type { QueryDeps } from '../query-deps.ts'
import { type FilterColumns, filterCondition } from './filter-condition.ts'
import { parseScimFilter } from './scim-filter.ts'
import type { ScimPage, ScimPageInput } from './scim-people.ts'

export type ScimGroup = {
  readonly id: number
  readonly displayName: string
  readonly externalId: string | undefined
  readonly createdMs: number
  readonly updatedMs: number
  /** Ids, in order. Undefined: not asked for. */
  readonly members: readonly string[] | undefined
}

type Deps = Pick<QueryDeps, 'records'>
type Wanted = { readonly withMembers: boolean }

/** So that a page of large groups stays an answer of some megabytes; a page ends early before it has more. */
const MAX_MEMBERS_OF_PAGE = 20_000

const columnsOf = (): FilterColumns => ({
  id: { kind: 'exact', column: 'g.text_id' },
  displayname: { kind: 'text', column: 'g.name' },
  externalid: { kind: 'exact', column: 'g.external_id' },
  'meta.created': { kind: 'time', column: 'g.created_ms' },
  'meta.lastmodified': { kind: 'time', column: 'g.updated_ms' },
  members: { kind: 'condition', of: hasMember },
  'members.value': { kind: 'condition', of: hasMember },
})

/** By id of the resource, whether a member or told by the directory. */
const hasMember = (id: string) => sql<SqlBool>`(exists (select 1 from scim_group_member as s
    where s.team_id = g.id and s.scim_user_id = ${id})
  or exists (select 1 from team_member as t left join scim_user as s on s.user_id = t.user_id and s.org_id = g.org_id
    where t.team_id = g.id and coalesce(s.id, t.user_id) = ${id}))`

/** By id. Throws `SondeError` (`invalid`, subject `filter`). */
export async function scimGroups(
  { records }: Deps,
  { orgId }: ScimCaller,
  { filter, offset, limit, withMembers }: ScimPageInput & Wanted,
): Promise<ScimPage<ScimGroup>> {
  const parsed = filter === undefined ? undefined : parseScimFilter(filter)
  const columns = columnsOf()
  const all = records.selectFrom(groupsOf(records, orgId).as('g'))
  const query = parsed ? all.where((eb) => filterCondition(eb, parsed, columns)) : all
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows =
    limit === 0 ? [] : await query.selectAll().orderBy('g.id').limit(limit).offset(offset).execute()
  const groups: ScimGroup[] = []
  let members = 0
  for (const row of rows) {
    const group = groupFrom(row, withMembers ? await membersOf(records, orgId, row.id) : undefined)
    members += group.members?.length ?? 0
    if (groups.length > 0 && members > MAX_MEMBERS_OF_PAGE) break
    groups.push(group)
  }
  return { total: total, rows: groups }
}

/** Undefined: there is none. */
export async function scimGroup(
  { records }: Deps,
  { orgId }: ScimCaller,
  { id, withMembers }: Wanted & { readonly id: number },
): Promise<ScimGroup | undefined> {
  const row = await records
    .selectFrom(groupsOf(records, orgId).as('g'))
    .selectAll()
    .where('g.id', '=', id)
    .executeTakeFirst()
  return row && groupFrom(row, withMembers ? await membersOf(records, orgId, id) : undefined)
}

const groupsOf = (records: Records, orgId: number) =>
  records
    .selectFrom('team')
    .leftJoin('scim_group', 'scim_group.team_id', 'team.id')
    .select(['team.id', 'team.org_id', 'team.name', 'team.created_ms', 'scim_group.external_id'])
    .select(sql<string>`cast(team.id as text)`.as('text_id'))
    .select(sql<number>`coalesce(scim_group.updated_ms, team.created_ms)`.as('updated_ms'))
    .where('team.org_id', '=', orgId)

type Row = {
  readonly id: number
  readonly name: string
  readonly external_id: string | null
  readonly created_ms: number
  readonly updated_ms: number
}

const groupFrom = (row: Row, members: ScimGroup['members']): ScimGroup => ({
  id: row.id,
  displayName: row.name,
  externalId: row.external_id ?? undefined,
  createdMs: row.created_ms,
  updatedMs: row.updated_ms,
  members,
})

/** Members of the organization who are in the team, and whom the directory told who are not here now. */
async function membersOf(records: Records, orgId: number, teamId: number): Promise<readonly string[]> {
  const here = await records
    .selectFrom('team_member as t')
    .leftJoin('scim_user as s', (on) => on.onRef('s.user_id', '=', 't.user_id').on('s.org_id', '=', orgId))
    .select(sql<string>`coalesce(s.id, t.user_id)`.as('id'))
    .where('t.team_id', '=', teamId)
    .execute()
  const away = await records
    .selectFrom('scim_group_member as g')
    .innerJoin('scim_user as s', 's.id', 'g.scim_user_id')
    .leftJoin('member as m', (on) => on.onRef('m.user_id', '=', 's.user_id').on('m.org_id', '=', orgId))
    .select('s.id')
    .where('g.team_id', '=', teamId)
    .where('m.user_id', 'is', null)
    .execute()
  return [...here, ...away].map(({ id }) => id).toSorted()
}
