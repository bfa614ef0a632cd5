/** The audit log: who did what and when, the newest first. */
import type { Grant } from '@sonde/access'
import { AUDIT_ACTIONS, type AuditAction, contains, type Records } from '@sonde/stores'
import { actorNames } from '../artifacts/reprocessing.ts'
import type { QueryDeps } from '../query-deps.ts'

type Deps = Pick<QueryDeps, 'records'>

export type AuditFilter = {
  /** A part of the name or address of a person, or of the name of a token: who did it, or whose account it was done to. */
  readonly who?: string | undefined
  /** Any of these. Absent: all. */
  readonly actions?: readonly AuditAction[] | undefined
  /** Unix milliseconds, from here on and before there. */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  /** Older than this entry. */
  readonly beforeId?: number | undefined
}

export type AuditRow = {
  readonly id: number
  readonly atMs: number
  /** `user:ID`, `token:ID`, `operator:cli`, …, `stranger`: nobody who had signed in. */
  readonly actor: string
  /** For people. */
  readonly by: string
  readonly action: AuditAction
  /** `acme/shop`, an id, a name. */
  readonly subject: string
  /** The address of the person that it was done to, where the subject is an account that is there. */
  readonly subjectEmail: string | undefined
  /** With the `email` of the person whose `userId` it has, while the account is there. */
  readonly detail: Readonly<Record<string, unknown>>
  /** The network address that it was done from, where that is known. */
  readonly address: string | undefined
}

export type AuditPage = {
  readonly rows: readonly AuditRow[]
  /** The id to go on before; undefined: there is nothing older. */
  readonly olderThan: number | undefined
}

const PAGE_ROWS = 50
const EXPORT_ROWS_AT_ONCE = 1_000

/** What happens to an account belongs to no organization; those whose members have it may know of these. */
const OF_ACCOUNTS = AUDIT_ACTIONS.filter(
  (action) => action.startsWith('account.') || action === 'user.disable' || action === 'user.enable',
)

/**
 * Entries of the organization, and those about the accounts of its members while they were members: sign-ins, failures, locks,
 * passwords, second factors.
 */
export const auditLog = (
  { records }: Deps,
  { orgId }: Grant<'audit:read', 'org'>,
  filter: AuditFilter,
  limit = PAGE_ROWS,
): Promise<AuditPage> => pageOf(records, { orgId, filter, limit })

/** Entries of all organizations and of none. */
export const auditLogOfInstallation = (
  { records }: Deps,
  _grant: Grant<'operate', 'operator'>,
  filter: AuditFilter,
  limit = PAGE_ROWS,
): Promise<AuditPage> => pageOf(records, { orgId: undefined, filter, limit })

/** Page after page, until there is nothing older. */
export async function* walkAuditLog(
  read: (filter: AuditFilter, limit: number) => Promise<AuditPage>,
  filter: AuditFilter,
): AsyncGenerator<readonly AuditRow[]> {
  for (let beforeId = filter.beforeId; ;) {
    const page = await read({ ...filter, beforeId }, EXPORT_ROWS_AT_ONCE)
    yield page.rows
    if (page.olderThan === undefined) return
    beforeId = page.olderThan
  }
}

type Requested = {
  /** Undefined: the whole installation. */
  readonly orgId: number | undefined
  readonly filter: AuditFilter
  readonly limit: number
}

async function pageOf(records: Records, { orgId, filter, limit }: Requested): Promise<AuditPage> {
  const who = await whoIs(records, orgId, filter.who)
  if (who?.actors.length === 0) return { rows: [], olderThan: undefined }
  const select = () => selectEntries(records, filter, who).limit(limit + 1)
  const found =
    orgId === undefined
      ? await select().execute()
      : (
          await Promise.all([
            select().where('org_id', '=', orgId).execute(),
            ofMembers(select(), orgId).execute(),
          ])
        ).flat()
  const rows = found.toSorted((a, b) => b.id - a.id)
  const shown = rows.slice(0, limit)
  return {
    rows: await named(records, shown),
    olderThan: rows.length > limit ? shown.at(-1)?.id : undefined,
  }
}

type Who = { readonly actors: readonly string[]; readonly subjects: readonly string[] }

/** Undefined: anybody. */
async function whoIs(
  records: Records,
  orgId: number | undefined,
  who: string | undefined,
): Promise<Who | undefined> {
  if (who === undefined || who.trim() === '') return undefined
  const text = who.trim()
  const [users, tokens] = await Promise.all([
    records
      .selectFrom('user')
      .select('id')
      .where((eb) =>
        eb.or([
          contains<'user'>('user.email', text),
          contains<'user'>('user.name', text),
          eb('id', '=', text),
        ]),
      )
      .$if(orgId !== undefined, (query) =>
        query.where((eb) =>
          eb.or([
            eb(
              'id',
              'in',
              eb
                .selectFrom('member')
                .select('user_id')
                .where('org_id', '=', orgId ?? 0),
            ),
            eb(
              'id',
              'in',
              eb
                .selectFrom('audit_entry')
                .select('subject')
                .where('org_id', '=', orgId ?? 0)
                .where('action', '=', 'member.remove'),
            ),
          ]),
        ),
      )
      .limit(MOST_FOUND)
      .execute(),
    records
      .selectFrom('api_token')
      .select('id')
      .where(contains<'api_token'>('api_token.name', text))
      .$if(orgId !== undefined, (query) => query.where('org_id', '=', orgId ?? 0))
      .limit(MOST_FOUND)
      .execute(),
  ])
  return {
    actors: [...users.map(({ id }) => `user:${id}`), ...tokens.map(({ id }) => `token:${id}`)],
    subjects: users.map(({ id }) => id),
  }
}

/** Their subject is the team; whom it is about stands in the detail as `userId`. */
const ABOUT_TEAM_MEMBERS: readonly AuditAction[] = ['team.member-add', 'team.member-remove']

/** More than that are not told apart by the text. */
const MOST_FOUND = 500

const selectEntries = (records: Records, filter: AuditFilter, who: Who | undefined) =>
  records
    .selectFrom('audit_entry')
    .select(['audit_entry.id', 'at_ms', 'actor', 'action', 'subject', 'detail', 'address'])
    .$if(filter.beforeId !== undefined, (query) => query.where('audit_entry.id', '<', filter.beforeId ?? 0))
    .$if(filter.actions !== undefined, (query) => query.where('action', 'in', filter.actions ?? []))
    .$if(filter.fromMs !== undefined, (query) => query.where('at_ms', '>=', filter.fromMs ?? 0))
    .$if(filter.toMs !== undefined, (query) => query.where('at_ms', '<', filter.toMs ?? 0))
    .$if(who !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('actor', 'in', who?.actors ?? []),
          ...(who && who.subjects.length > 0 ? [eb('subject', 'in', who.subjects)] : []),
          ...(who && who.subjects.length > 0
            ? [
                eb.and([
                  eb('action', 'in', ABOUT_TEAM_MEMBERS),
                  eb.or(who.subjects.map((id) => eb('detail', 'like', `%"userId":"${id}"%`))),
                ]),
              ]
            : []),
        ]),
      ),
    )
    .orderBy('audit_entry.id', 'desc')

/** Of accounts: while whose they are was a member, as far back as members came and as long as they stayed. */
const ofMembers = (query: ReturnType<typeof selectEntries>, orgId: number) =>
  query
    .where('audit_entry.org_id', 'is', null)
    .where('action', 'in', OF_ACCOUNTS)
    .where((eb) =>
      eb.or([
        eb.exists(
          eb
            .selectFrom('member')
            .select('member.user_id')
            .where('member.org_id', '=', orgId)
            .whereRef('member.user_id', '=', 'audit_entry.subject')
            .whereRef('member.created_ms', '<=', 'audit_entry.at_ms'),
        ),
        eb.exists(
          eb
            .selectFrom('audit_entry as left_by')
            .select('left_by.id')
            .where('left_by.org_id', '=', orgId)
            .where('left_by.action', '=', 'member.remove')
            .whereRef('left_by.subject', '=', 'audit_entry.subject')
            .whereRef('left_by.id', '>', 'audit_entry.id')
            .where((inner) =>
              inner.exists(
                inner
                  .selectFrom('audit_entry as joined')
                  .select('joined.id')
                  .where('joined.org_id', '=', orgId)
                  .where('joined.action', 'in', ['member.join', 'member.set', 'user.create'])
                  .whereRef('joined.subject', '=', 'audit_entry.subject')
                  .whereRef('joined.id', '<', 'audit_entry.id'),
              ),
            ),
        ),
      ]),
    )

type Entry = Awaited<ReturnType<ReturnType<typeof selectEntries>['execute']>>[number]

async function named(records: Records, entries: readonly Entry[]): Promise<readonly AuditRow[]> {
  const details = entries.map(({ detail }) => JSON.parse(detail) as Record<string, unknown>)
  const people = [
    ...entries.filter(({ action }) => IS_ABOUT_PERSON.test(action)).map(({ subject }) => subject),
    ...details.flatMap(({ userId }) => (typeof userId === 'string' ? [userId] : [])),
  ]
  const [names, emails] = await Promise.all([
    actorNames(records, [...new Set(entries.map(({ actor }) => actor))]),
    emailsOf(records, [...new Set(people)]),
  ])
  const emailIn = ({ userId }: Record<string, unknown>): { readonly email?: string } => {
    const email = typeof userId === 'string' ? emails.get(userId) : undefined
    return email === undefined ? {} : { email }
  }
  return entries.map((entry, at) => ({
    id: entry.id,
    atMs: entry.at_ms,
    actor: entry.actor,
    by: entry.actor === 'stranger' ? 'Somebody' : (names.get(entry.actor) ?? entry.actor),
    action: entry.action,
    subject: entry.subject,
    subjectEmail: emails.get(entry.subject),
    detail: { ...details[at], ...emailIn(details[at] ?? {}) },
    address: entry.address ?? undefined,
  }))
}

const IS_ABOUT_PERSON = /^(?:account|member|operator|sso|user)\./

async function emailsOf(records: Records, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await records.selectFrom('user').select(['id', 'email']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
}
