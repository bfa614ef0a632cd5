/** The people of an organization as its directory sees them: all members, and whom the directory told who are none. */
import type { ScimCaller } from '@sonde/access'
import type { Records } from '@sonde/stores'
import { type SelectQueryBuilder, sql, type SqlBool } from 'kysely'
import type { QueryDeps } from '../query-deps.ts'
import { type FilterColumns, filterCondition } from './filter-condition.ts'
import { parseScimFilter, type ScimFilter } from './scim-filter.ts'

export type ScimPerson = {
  readonly id: string
  readonly userName: string
  readonly externalId: string | undefined
  readonly isActive: boolean
  readonly displayName: string | undefined
  readonly name: Readonly<Record<string, string>> | undefined
  readonly emails: readonly { readonly value: string; readonly type?: string; readonly primary?: boolean }[]
  readonly createdMs: number
  readonly updatedMs: number
  /** In the order of ids. */
  readonly groups: readonly { readonly id: number; readonly name: string }[]
}

export type ScimPage<Item> = { readonly total: number; readonly rows: readonly Item[] }
export type ScimPageInput = {
  readonly filter?: string | undefined
  /** From 0. */
  readonly offset: number
  readonly limit: number
}

type Deps = Pick<QueryDeps, 'records'>

const COLUMNS: FilterColumns = {
  id: { kind: 'exact', column: 'p.id' },
  username: { kind: 'text', column: 'p.user_name' },
  externalid: { kind: 'exact', column: 'p.external_id' },
  displayname: { kind: 'text', column: 'p.display_name' },
  emails: { kind: 'text', column: 'p.email' },
  'emails.value': { kind: 'text', column: 'p.email' },
  // The address that is asked for is the one that counts here: the primary one, or that of work.
  'emails.type': { kind: 'constant', value: 'work' },
  'emails.primary': { kind: 'constant', value: true },
  active: { kind: 'flag', column: 'p.is_active' },
  'meta.created': { kind: 'time', column: 'p.created_ms' },
  'meta.lastmodified': { kind: 'time', column: 'p.updated_ms' },
}

/** By user name. Throws `SondeError` (`invalid`, subject `filter`). */
export async function scimPeople(
  { records }: Deps,
  { orgId }: ScimCaller,
  { filter, offset, limit }: ScimPageInput,
): Promise<ScimPage<ScimPerson>> {
  const parsed = filter === undefined ? undefined : parseScimFilter(filter)
  const all = records.selectFrom(peopleOf(records, orgId, parsed && onlyOf(parsed)).as('p'))
  const query = parsed ? all.where((eb) => filterCondition(eb, parsed, COLUMNS)) : all
  const { total } = await query.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const rows =
    limit === 0
      ? []
      : await query
          .selectAll()
          .orderBy(sql`p.user_name_key`)
          .orderBy(sql`p.id`)
          .limit(limit)
          .offset(offset)
          .execute()
  return { total: total, rows: await withGroups(records, orgId, rows) }
}

/** Undefined: the organization knows nobody by this id. */
export async function scimPerson(
  { records }: Deps,
  { orgId }: ScimCaller,
  id: string,
): Promise<ScimPerson | undefined> {
  const rows = await records
    .selectFrom(peopleOf(records, orgId, { known: 'id', account: 'id', value: id }).as('p'))
    .selectAll()
    .where(sql.ref('p.id'), '=', id)
    .execute()
  return (await withGroups(records, orgId, rows))[0]
}

type Row = {
  readonly id: string
  readonly user_id: string | null
  readonly user_name: string
  readonly user_name_key: string
  readonly external_id: string | null
  readonly email: string
  readonly display_name: string
  readonly attributes: string | null
  readonly is_active: number
  readonly created_ms: number
  readonly updated_ms: number
}

// oxlint-disable-next-line typescript/no-explicit-any -- both halves give `Row`, from different tables
type People = SelectQueryBuilder<any, any, Row>

/** What an index finds somebody by, so that nobody else is read: in `scim_user`, and in `user`. */
type Only = {
  readonly known: 'id' | 'user_name_key' | 'email'
  readonly account: 'id' | 'email'
  readonly value: string
}

/** Directories ask for one person at a time, by user name or address. Undefined: it may be anybody. */
function onlyOf(filter: ScimFilter): Only | undefined {
  if (filter.kind === 'and') return filter.parts.map(onlyOf).find((only) => only !== undefined)
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string')
    return undefined
  const { attribute, value } = filter
  if (attribute === 'id') return { known: 'id', account: 'id', value }
  if (attribute === 'username')
    return { known: 'user_name_key', account: 'email', value: value.toLowerCase() }
  return attribute === 'emails' || attribute === 'emails.value'
    ? { known: 'email', account: 'email', value: value.toLowerCase() }
    : undefined
}

const isOnly = (orgId: number, { known, account, value }: Only) => sql<SqlBool>`m.user_id in (
  select user_id from scim_user where org_id = ${orgId} and ${sql.ref(known)} = ${value}
  union all select id from "user" where ${sql.ref(account)} = ${value})`

const peopleOf = (records: Records, orgId: number, only?: Only): People =>
  records
    .selectFrom('member as m')
    .innerJoin('user as u', 'u.id', 'm.user_id')
    .leftJoin('scim_user as s', (on) =>
      on.onRef('s.user_id', '=', 'm.user_id').onRef('s.org_id', '=', 'm.org_id'),
    )
    .where('m.org_id', '=', orgId)
    .$if(only !== undefined, (all) => (only ? all.where(isOnly(orgId, only)) : all))
    .select([
      sql<string>`coalesce(s.id, u.id)`.as('id'),
      sql<string | null>`m.user_id`.as('user_id'),
      sql<string>`coalesce(s.user_name, u.email)`.as('user_name'),
      sql<string>`coalesce(s.user_name_key, u.email)`.as('user_name_key'),
      's.external_id',
      sql<string>`coalesce(s.email, u.email)`.as('email'),
      sql<string>`coalesce(s.display_name, u.name)`.as('display_name'),
      's.attributes',
      sql<number>`1`.as('is_active'),
      sql<number>`coalesce(s.created_ms, m.created_ms)`.as('created_ms'),
      sql<number>`coalesce(s.updated_ms, m.created_ms)`.as('updated_ms'),
    ])
    .unionAll(
      records
        .selectFrom('scim_user as s')
        .leftJoin('member as m', (on) =>
          on.onRef('m.user_id', '=', 's.user_id').onRef('m.org_id', '=', 's.org_id'),
        )
        .where('s.org_id', '=', orgId)
        .where('m.user_id', 'is', null)
        .$if(only !== undefined, (all) => (only ? all.where(`s.${only.known}`, '=', only.value) : all))
        .select([
          's.id',
          's.user_id',
          's.user_name',
          's.user_name_key',
          's.external_id',
          's.email',
          's.display_name',
          's.attributes',
          // Who has an account and is no member is out, whatever was wanted before.
          sql<number>`case when s.user_id is null then s.is_active else 0 end`.as('is_active'),
          's.created_ms',
          's.updated_ms',
        ]),
    )

async function withGroups(
  records: Records,
  orgId: number,
  rows: readonly Row[],
): Promise<readonly ScimPerson[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const accounts = rows.flatMap((row) => (row.user_id === null ? [] : [row.user_id]))
  const told = await records
    .selectFrom('scim_group_member as g')
    .innerJoin('team', 'team.id', 'g.team_id')
    .select(['g.scim_user_id as who', 'team.id', 'team.name'])
    .where('team.org_id', '=', orgId)
    .where('g.scim_user_id', 'in', ids)
    .orderBy('team.id')
    .execute()
  const joined =
    accounts.length === 0
      ? []
      : await records
          .selectFrom('team_member as t')
          .innerJoin('team', 'team.id', 't.team_id')
          .select(['t.user_id as who', 'team.id', 'team.name'])
          .where('team.org_id', '=', orgId)
          .where('t.user_id', 'in', accounts)
          .orderBy('team.id')
          .execute()
  const groupsOf = Map.groupBy([...told, ...joined], ({ who }) => who)
  return rows.map((row) => {
    const isMember = row.user_id !== null && row.is_active === 1
    const groups = groupsOf.get(isMember ? (row.user_id ?? '') : row.id) ?? []
    return personFrom(row, groups)
  })
}

type Told = Pick<ScimPerson, 'name' | 'emails'> & { readonly displayName?: string }

function personFrom(row: Row, groups: readonly { readonly id: number; readonly name: string }[]): ScimPerson {
  const told: Told =
    row.attributes === null
      ? {
          displayName: row.display_name,
          name: undefined,
          emails: [{ value: row.email, type: 'work', primary: true }],
        }
      : (JSON.parse(row.attributes) as Told)
  return {
    id: row.id,
    userName: row.user_name,
    externalId: row.external_id ?? undefined,
    isActive: row.is_active === 1,
    displayName: told.displayName,
    name: told.name,
    emails: told.emails,
    createdMs: row.created_ms,
    updatedMs: row.updated_ms,
    groups: groups.map(({ id, name }) => ({ id, name })).toSorted((a, b) => a.id - b.id),
  }
}
