/** Everything that was done about an issue, by whom, and the commits that say that they fix it. */
import type { Grant } from '@sonde/access'
import {
  ACTIVITY_KINDS,
  type ActivityKind,
  commitUrl,
  type Reaction,
  REACTIONS,
  type Records,
  withMerged,
} from '@sonde/stores'
import { sql, type SqlBool } from 'kysely'
import { actorNames } from '../artifacts/reprocessing.ts'
import { personOf } from '../person-of.ts'
import type { QueryDeps } from '../query-deps.ts'
import type { IssueRow } from './issue-row.ts'

type Deps = Pick<QueryDeps, 'records'>
type ReadGrant = Grant<'event:read', 'org' | 'project'>

export type IssueActivity = {
  readonly id: number
  readonly kind: ActivityKind
  readonly atMs: number
  /** `actorOf` who did it; empty: an event did. */
  readonly actor: string
  /** For people. */
  readonly by: string
  /** It came from an issue tracker, which `by` names. */
  readonly isFromTracker: boolean
  /** Of what a commit did. */
  readonly commit: FixCommit | undefined
  readonly detail: ActivityDetail
  readonly comment: IssueComment | undefined
  /** `SHOP-2`: it was said about an issue that is part of this one now. Empty: about this one. */
  readonly mergedFrom: string
}

/** What else the change says of itself, by its kind; what it does not say is empty. */
export type ActivityDetail = {
  /** Of `resolved` and `regressed`. */
  readonly release: string
  /** `next_release`: after that release. */
  readonly resolvedIn: string
  /** Of `assigned`, for people: `#checkout` of a team. */
  readonly assignee: string
  readonly priority: string
  /** Of `linked` and `unlinked`. */
  readonly key: string
  readonly url: string
  /** Of `notified`: the rule, and how many it told where. */
  readonly rule: string
  readonly incidentId: number
  readonly people: number
  readonly channels: readonly string[]
  /** Whatever it was written as: for what is not known here. */
  readonly stored: Readonly<Record<string, unknown>>
}

export type IssueComment = {
  /** Markdown as it was typed. */
  readonly body: string
  readonly editedMs: number | undefined
  /** Whether whoever asks wrote it. */
  readonly isOwn: boolean
  /** `@ada`, `#checkout` → for people; `isMe`: who asks, or a team of theirs. */
  readonly mentions: readonly CommentMention[]
  /** In the order of `REACTIONS`; those that nobody gave are left out. */
  readonly reactions: readonly CommentReactions[]
}

export type CommentMention = {
  readonly handle: string
  /** `user:ID`, `team:ID`; empty: who is gone. */
  readonly whom: string
  readonly name: string
  readonly isMe: boolean
}

export type CommentReactions = {
  readonly reaction: Reaction
  readonly count: number
  readonly isMine: boolean
  /** The first of them. */
  readonly by: readonly string[]
}

/** A commit whose message says that it fixes the issue. */
export type FixCommit = {
  readonly id: number
  readonly sha: string
  readonly authorName: string
  readonly authorEmail: string
  readonly message: string
  /** The release that had it first. */
  readonly version: string
  readonly atMs: number
  /** Where it can be read; undefined: nobody told where its repository is. */
  readonly url: string | undefined
}

const ACTIVITY_SHOWN = 10
const COMMITS_SHOWN = 20
const NAMES_SHOWN = 20

export type ActivityInput = {
  readonly limit?: number
  /** This entry and older ones. */
  readonly fromId?: number | undefined
  readonly onlyComments?: boolean
}

export type ActivityPage = {
  readonly activity: readonly IssueActivity[]
  readonly commits: readonly FixCommit[]
  /** `fromId` of the older ones; undefined: these were all. */
  readonly olderFrom: number | undefined
}

/** As the index says it that has comments alone. */
const IS_COMMENT = sql<SqlBool>`issue_change.kind = 'comment'`

/**
 * `issue` comes from `findIssue` or `issueDetail`. The newest first; one walk along `(issue_id, id)`, and what belongs to the page.
 * With the comments of issues that were merged into it, which are theirs alone again when they are given back.
 */
export async function issueActivity(
  { records }: Deps,
  grant: ReadGrant,
  issue: Pick<IssueRow, 'id'>,
  { limit = ACTIVITY_SHOWN, fromId, onlyComments = false }: ActivityInput = {},
): Promise<ActivityPage> {
  const parts = (await withMerged(records, [issue.id])).filter((id) => id !== issue.id)
  const [rows, commits] = await Promise.all([
    records
      .selectFrom('issue_change')
      .leftJoin('issue_comment', 'issue_comment.change_id', 'issue_change.id')
      .select(['issue_change.id', 'issue_change.kind', 'issue_change.at_ms', 'issue_change.actor'])
      .select(['issue_change.detail', 'issue_comment.body', 'issue_comment.edited_ms'])
      .select('issue_change.issue_id')
      .where(({ eb, and, or }) => {
        const own = eb('issue_change.issue_id', '=', issue.id)
        return parts.length === 0
          ? own
          : or([own, and([eb('issue_change.issue_id', 'in', parts), IS_COMMENT])])
      })
      .$if(fromId !== undefined, (query) => query.where('issue_change.id', '<=', fromId ?? 0))
      .$if(onlyComments, (query) => query.where(IS_COMMENT))
      .where('issue_change.kind', 'in', ACTIVITY_KINDS)
      .$narrowType<{ kind: ActivityKind }>()
      .orderBy('issue_change.id', 'desc')
      .limit(limit + 1)
      .execute(),
    fixCommits(records, grant, issue.id),
  ])
  const shown = rows.slice(0, limit)
  const [names, details, shortIds, comments] = await Promise.all([
    actorNames(records, shown.map(({ actor }) => actor).filter(Boolean)),
    detailsOf(records, shown),
    shortIdsOf(
      records,
      shown.map(({ issue_id: id }) => id).filter((id) => id !== issue.id),
    ),
    commentsOf(
      records,
      grant,
      shown.filter(({ body }) => body !== null).map(({ id }) => id),
    ),
  ])
  const me = personOf(grant.viewer)
  return {
    activity: shown.map(({ id, kind, at_ms: atMs, actor, body, edited_ms, issue_id }) => ({
      id,
      kind,
      atMs,
      actor,
      by: names.get(actor) ?? '',
      isFromTracker: actor.startsWith('tracker:'),
      commit: commits.find((commit) => actor === `commit:${commit.id}`),
      detail: details.get(id) ?? NO_DETAIL,
      mergedFrom: shortIds.get(issue_id) ?? '',
      comment:
        body === null
          ? undefined
          : {
              body,
              editedMs: edited_ms ?? undefined,
              isOwn: me !== undefined && actor === `user:${me}`,
              ...(comments.get(id) ?? { mentions: [], reactions: [] }),
            },
    })),
    commits,
    olderFrom: rows[limit]?.id,
  }
}

async function shortIdsOf(records: Records, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await records
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .select(['issue.id', 'issue.short_number', 'project.slug'])
    .where('issue.id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, `${row.slug.toUpperCase()}-${row.short_number}`]))
}

/** Also those of issues that were merged into it. */
export async function countComments(
  { records }: Deps,
  _grant: ReadGrant,
  { id }: Pick<IssueRow, 'id'>,
): Promise<number> {
  const { count } = await records
    .selectFrom('issue_change')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('issue_id', 'in', await withMerged(records, [id]))
    .where(IS_COMMENT)
    .executeTakeFirstOrThrow()
  return count
}

const NO_DETAIL: ActivityDetail = {
  release: '',
  resolvedIn: '',
  assignee: '',
  priority: '',
  key: '',
  url: '',
  rule: '',
  incidentId: 0,
  people: 0,
  channels: [],
  stored: {},
}

type Row = { readonly id: number; readonly detail: string }

async function detailsOf(
  records: Records,
  rows: readonly Row[],
): Promise<ReadonlyMap<number, ActivityDetail>> {
  const stored = new Map(
    rows.map(({ id, detail }) => [id, JSON.parse(detail) as Readonly<Record<string, unknown>>]),
  )
  const texts = [...stored.values()]
  const channelIds = texts.flatMap((each) => numbersIn(each['channels']))
  const [assignees, channels] = await Promise.all([
    assigneeNames(
      records,
      texts.map((each) => textIn(each['assignee'])),
    ),
    channelIds.length === 0
      ? []
      : records
          .selectFrom('notification_channel')
          .select(['id', 'name'])
          .where('id', 'in', channelIds)
          .execute(),
  ])
  const channelNames = new Map(channels.map(({ id, name }) => [id, name]))
  return new Map(
    [...stored].map(([id, each]) => [
      id,
      {
        release: textIn(each['release']),
        resolvedIn: textIn(each['resolvedIn']),
        assignee: assignees.get(textIn(each['assignee'])) ?? '',
        priority: textIn(each['priority']),
        key: textIn(each['key']),
        url: textIn(each['url']),
        rule: textIn(each['rule']),
        incidentId: Number(each['incidentId'] ?? 0),
        people: Number(each['people'] ?? 0),
        channels: numbersIn(each['channels']).map(
          (channel) => channelNames.get(channel) ?? 'a channel that is gone',
        ),
        stored: each,
      },
    ]),
  )
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '')
const numbersIn = (value: unknown): number[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'number') : []

async function assigneeNames(
  records: Records,
  assignees: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const all = [...new Set(assignees)]
  const teamIds = all.filter((text) => text.startsWith('team:')).map((text) => Number(text.slice(5)))
  const [people, teams] = await Promise.all([
    actorNames(
      records,
      all.filter((text) => text.startsWith('user:')),
    ),
    teamIds.length === 0
      ? []
      : records.selectFrom('team').select(['id', 'slug']).where('id', 'in', teamIds).execute(),
  ])
  const slugs = new Map(teams.map(({ id, slug }) => [id, `#${slug}`]))
  return new Map([
    ...people,
    ...teamIds.map((id) => [`team:${id}`, slugs.get(id) ?? 'a team that is gone'] as const),
  ])
}

type OfComment = Pick<IssueComment, 'mentions' | 'reactions'>

/** What belongs to the comments of one page. Names of now: who is gone has none. */
async function commentsOf(
  records: Records,
  { viewer, orgId }: ReadGrant,
  ids: readonly number[],
): Promise<ReadonlyMap<number, OfComment>> {
  if (ids.length === 0) return new Map()
  const me = personOf(viewer)
  const [mentions, reactions, teams] = await Promise.all([
    records
      .selectFrom('comment_mention as mention')
      .leftJoin('user', 'user.id', 'mention.user_id')
      .leftJoin('team', 'team.id', 'mention.team_id')
      .select(['mention.change_id', 'mention.handle', 'mention.user_id', 'mention.team_id'])
      .select(['user.name', 'user.email', 'team.slug'])
      .where('mention.change_id', 'in', ids)
      .where('mention.handle', '<>', '')
      .execute(),
    records
      .selectFrom('comment_reaction as given')
      .innerJoin('user', 'user.id', 'given.user_id')
      .select(['given.change_id', 'given.reaction', 'given.user_id', 'user.name', 'user.email'])
      .where('given.change_id', 'in', ids)
      .orderBy('given.created_ms')
      .execute(),
    me === undefined
      ? []
      : records
          .selectFrom('team_member')
          .innerJoin('team', 'team.id', 'team_member.team_id')
          .select('team.id')
          .where('team.org_id', '=', orgId)
          .where('team_member.user_id', '=', me)
          .execute(),
  ])
  const own = new Set(teams.map(({ id }) => id))
  return new Map(
    ids.map((id) => [
      id,
      {
        mentions: mentions
          .filter(({ change_id }) => change_id === id)
          .map(({ handle, user_id, team_id, name, email, slug }) => ({
            handle,
            whom: user_id === null ? (team_id === null ? '' : `team:${team_id}`) : `user:${user_id}`,
            name: slug === null ? name || (email ?? handle) : `#${slug}`,
            isMe: (user_id !== null && user_id === me) || (team_id !== null && own.has(team_id)),
          })),
        reactions: REACTIONS.flatMap((reaction) => {
          const given = reactions.filter((row) => row.change_id === id && row.reaction === reaction)
          if (given.length === 0) return []
          return [
            {
              reaction,
              count: given.length,
              isMine: given.some(({ user_id }) => user_id === me),
              by: given.slice(0, NAMES_SHOWN).map(({ name, email }) => name || (email ?? '')),
            },
          ]
        }),
      },
    ]),
  )
}

async function fixCommits(
  records: QueryDeps['records'],
  { orgId }: ReadGrant,
  issueId: number,
): Promise<readonly FixCommit[]> {
  const rows = await records
    .selectFrom('issue_commit')
    .innerJoin('source_commit', 'source_commit.id', 'issue_commit.commit_id')
    .leftJoin('repository', (join) =>
      join
        .onRef('repository.name', '=', 'source_commit.repository')
        .onRef('repository.org_id', '=', 'source_commit.org_id'),
    )
    .selectAll('source_commit')
    .select(['issue_commit.version', 'issue_commit.at_ms as linked_ms', 'repository.url'])
    .where('issue_commit.issue_id', '=', issueId)
    .where('source_commit.org_id', '=', orgId)
    .orderBy('issue_commit.at_ms', 'desc')
    .orderBy('source_commit.at_ms', 'desc')
    .limit(COMMITS_SHOWN)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    sha: row.sha,
    authorName: row.author_name,
    authorEmail: row.author_email,
    message: row.message,
    version: row.version,
    atMs: row.linked_ms,
    url: row.url === null ? undefined : commitUrl(row.url, row.sha),
  }))
}
