/** What a person was told: the inbox, and what they want to be told. `viewer` is always the one who asks. */
import { createHash } from 'node:crypto'
import { type ActivityChoice, type MailPace, type NotificationChoice, seesProject } from '@sonde/stores'
import { sql } from 'kysely'
import type { QueryDeps } from '../query-deps.ts'

type Deps = Pick<QueryDeps, 'records'>

/** Of `UserViewer`. Who left an organization, or sees a project no longer, sees nothing of it any more. */
export type InboxOwner = {
  readonly userId: string
  readonly memberships: readonly { readonly orgId: number }[]
}

export type InboxItem = {
  readonly id: number
  readonly createdMs: number
  readonly isRead: boolean
  readonly kind: string
  readonly headline: string
  readonly title: string
  readonly place: string
  readonly level: string
  readonly org: string
  readonly project: string
  /** `SHOP-12`; undefined: not about an issue. */
  readonly issue: string | undefined
  /** Of a comment on it. */
  readonly commentId: number | undefined
  readonly incidentId: number | undefined
  readonly rule: string | undefined
  /** Of a comment: the beginning of its text. */
  readonly quote: string | undefined
}

export type Inbox = {
  readonly items: readonly InboxItem[]
  /** `beforeId` of the older ones; undefined: these were all. */
  readonly olderThan: number | undefined
}

type Message = Pick<InboxItem, 'kind' | 'headline' | 'title' | 'place' | 'level' | 'org' | 'project'> & {
  readonly issue?: { readonly shortId: string }
  readonly rule?: { readonly name: string }
  readonly commentId?: number
  readonly quote?: string
}

const SHOWN = 50
const QUOTE_CHARS = 300

/** Newest first. */
export async function inboxItems(
  { records }: Deps,
  owner: InboxOwner,
  { beforeId, isUnread = false }: { readonly beforeId?: number | undefined; readonly isUnread?: boolean },
): Promise<Inbox> {
  const rows = await ofOwner(records, owner)
    .select(['id', 'created_ms', 'read_ms', 'message', 'incident_id'])
    .$if(beforeId !== undefined, (query) => query.where('id', '<', beforeId ?? 0))
    .$if(isUnread, (query) => query.where('read_ms', 'is', null))
    .orderBy('id', 'desc')
    .limit(SHOWN + 1)
    .execute()
  const shown = rows.slice(0, SHOWN)
  return {
    items: shown.map((row) => {
      const { issue, rule, commentId, quote, kind, headline, title, place, level, org, project } = JSON.parse(
        row.message,
      ) as Message
      return {
        id: row.id,
        createdMs: row.created_ms,
        isRead: row.read_ms !== null,
        kind,
        headline,
        title,
        place,
        level,
        org,
        project,
        issue: issue?.shortId,
        commentId,
        quote: quote?.slice(0, QUOTE_CHARS),
        incidentId: row.incident_id ?? undefined,
        rule: rule?.name,
      }
    }),
    olderThan: rows.length > SHOWN ? shown.at(-1)?.id : undefined,
  }
}

/** Counted no further: beyond it a number helps nobody. */
const MAX_UNREAD = 100

export async function unreadCount({ records }: Deps, owner: InboxOwner): Promise<number> {
  const rows = await ofOwner(records, owner)
    .select('id')
    .where('read_ms', 'is', null)
    .limit(MAX_UNREAD)
    .execute()
  return rows.length
}

const ofOwner = (records: QueryDeps['records'], { userId, memberships }: InboxOwner) =>
  records
    .selectFrom('notification')
    .where('user_id', '=', userId)
    .where('medium', '=', 'inbox')
    .where(
      'org_id',
      'in',
      // No id is 0: who is in no organization sees nothing.
      memberships.length === 0 ? [0] : memberships.map(({ orgId }) => orgId),
    )
    .where((eb) =>
      eb.or([
        eb('notification.project_id', 'is', null),
        seesProject(sql`${userId}`, sql.ref('notification.project_id')),
      ]),
    )

export type NotificationChoices = Readonly<Record<'inbox' | 'email' | 'push', NotificationChoice>>

export type ActivityChoices = Readonly<Record<'inbox' | 'email' | 'push', ActivityChoice>>

export type NotificationSettings = NotificationChoices & {
  /** What others do about issues. */
  readonly activity: ActivityChoices
  readonly pace: MailPace
  /** When a day's mail goes out. */
  readonly digestHour: number
  /** Those with a choice of their own; undefined: as in the others. */
  readonly projects: readonly (Partial<NotificationChoices> & {
    readonly activity: Partial<ActivityChoices>
    readonly org: string
    readonly project: string
  })[]
}

export async function notificationSettings(
  { records }: Deps,
  { userId, memberships }: InboxOwner,
): Promise<NotificationSettings> {
  const rows = await records
    .selectFrom('notification_setting as setting')
    .leftJoin('project', 'project.id', 'setting.project_id')
    .leftJoin('organization', 'organization.id', 'project.org_id')
    .select(['setting.medium', 'setting.choice', 'setting.pace', 'setting.project_id'])
    .select('setting.digest_hour')
    .select(['project.slug', 'project.org_id', 'organization.slug as org'])
    .where('setting.user_id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('setting.project_id', 'is', null),
        seesProject(sql`${userId}`, sql.ref('setting.project_id')),
      ]),
    )
    .orderBy('organization.slug')
    .orderBy('project.slug')
    .execute()
  const activity = await records
    .selectFrom('activity_setting as setting')
    .leftJoin('project', 'project.id', 'setting.project_id')
    .leftJoin('organization', 'organization.id', 'project.org_id')
    .select(['setting.medium', 'setting.choice', 'setting.project_id'])
    .select(['project.slug', 'project.org_id', 'organization.slug as org'])
    .where('setting.user_id', '=', userId)
    .where((eb) =>
      eb.or([
        eb('setting.project_id', 'is', null),
        seesProject(sql`${userId}`, sql.ref('setting.project_id')),
      ]),
    )
    .orderBy('organization.slug')
    .orderBy('project.slug')
    .execute()
  const orgIds = new Set(memberships.map(({ orgId }) => orgId))
  const usual = (medium: Medium) => rows.find((row) => row.project_id === null && row.medium === medium)
  const usualActivity = (medium: Medium) =>
    activity.find((row) => row.project_id === null && row.medium === medium)?.choice ?? 'subscribed'
  const own = [...rows, ...activity].filter(({ org_id }) => org_id !== null && orgIds.has(org_id))
  return {
    inbox: usual('inbox')?.choice ?? 'all',
    email: usual('email')?.choice ?? 'all',
    push: usual('push')?.choice ?? 'all',
    activity: {
      inbox: usualActivity('inbox'),
      email: usualActivity('email'),
      push: usualActivity('push'),
    },
    pace: usual('email')?.pace ?? 'once',
    digestHour: usual('email')?.digest_hour ?? 7,
    projects: [...Map.groupBy(own, ({ project_id }) => project_id)].map(([projectId, [first]]) => ({
      org: first?.org ?? '',
      project: first?.slug ?? '',
      ...chosenOf(rows.filter((row) => row.project_id === projectId)),
      activity: chosenOf(activity.filter((row) => row.project_id === projectId)),
    })),
  }
}

type Medium = 'inbox' | 'email' | 'push'

/** Medium → what was chosen for it. */
const chosenOf = <Choice>(rows: readonly { readonly medium: Medium; readonly choice: Choice }[]) =>
  Object.fromEntries(rows.map(({ medium, choice }) => [medium, choice])) as Partial<Record<Medium, Choice>>

export type PushBrowser = {
  readonly id: number
  readonly userAgent: string
  readonly createdMs: number
  /** By which a browser finds itself: SHA-256 of its endpoint, in base64url. The endpoint itself is like a password. */
  readonly digest: string
}

/** The person's own, newest first. */
export async function pushBrowsers(
  { records }: Deps,
  { userId }: Pick<InboxOwner, 'userId'>,
): Promise<readonly PushBrowser[]> {
  const rows = await records
    .selectFrom('push_subscription')
    .select(['id', 'endpoint', 'user_agent', 'created_ms'])
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, endpoint, user_agent, created_ms }) => ({
    id,
    userAgent: user_agent,
    createdMs: created_ms,
    digest: createHash('sha256').update(endpoint).digest('base64url'),
  }))
}
