/**
 * What people write about an issue. A comment is a change of the issue like any other, so whom it concerns is told of it by the
 * job that tells of changes; this writes it, and subscribes those who are part of it now.
 */
import { actorOf, type Grant, mayAlso, type Viewer } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  type AuditAction,
  noteIssueChange,
  REACTIONS,
  type Records,
  subscribe,
  withMerged,
  writeTransaction,
} from '@sonde/stores'
import { sql, type SqlBool } from 'kysely'
import { z } from 'zod'
import { writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, neededTextField, readInput } from '../fields.ts'
import { followed, grantedIssues } from '../issues/many-issues.ts'
import { parseComment } from './markdown.ts'
import { membersOfTeams, mentionablesOf } from './mentions.ts'

type Deps = Pick<CommandDeps, 'records' | 'clock'>
type WorkGrant = Grant<'event:write', 'org' | 'project'>

/** As long as a page of a printed book, four times. */
export const MAX_COMMENT_CHARS = 10_000
/** Each of them may be a mail to somebody. */
const MAX_MENTIONS = 50
/** Of one issue: beyond it nobody reads, and a program that comments in a loop ends. */
const MAX_COMMENTS = 2_000

const text = neededTextField(MAX_COMMENT_CHARS)
const ADD = z.object({
  issueId: z.int().positive(),
  text,
  /** `user:ID`, `team:ID`: besides those whom the text names. */
  mentions: z.array(z.string().max(100)).max(MAX_MENTIONS, `at most ${MAX_MENTIONS}`).default([]),
})

/** Throws `InvalidInput`, `SondeError` (`not-found`: no such issue within the grant). */
export async function addComment(
  { records, clock }: Deps,
  grant: WorkGrant,
  input: z.input<typeof ADD>,
): Promise<{ readonly id: number }> {
  const operation = 'write a comment'
  const { text: body, mentions, ...named } = readInput(operation, ADD, input)
  const atMs = clock.nowMs()
  const actor = authorOf(grant.viewer)
  return writeTransaction(records, async (tx) => {
    const issue = await findIssue(tx, grant, operation, named.issueId)
    const { issueId } = issue
    const { count } = await tx
      .selectFrom('issue_change')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('issue_id', '=', issueId)
      .where(IS_COMMENT)
      .executeTakeFirstOrThrow()
    if (count >= MAX_COMMENTS)
      throw new InvalidInput(operation, { text: [`an issue has at most ${MAX_COMMENTS} comments`] })
    const id = await noteIssueChange(
      tx,
      { projectId: issue.projectId, issueId, kind: 'comment', actor },
      atMs,
    )
    await tx.insertInto('issue_comment').values({ change_id: id, body }).execute()
    await writeMentions(tx, grant, { ...issue, id, body, named: mentions }, atMs)
    const own = actor.startsWith('user:') ? [actor.slice('user:'.length)] : []
    if (own.length > 0) await subscribe(tx, { issueIds: [issueId], userIds: own }, 'comment', atMs)
    await audit(tx, grant, 'comment.create', { ...issue, id }, atMs)
    return { id }
  })
}

const EDIT = z.object({ issueId: z.int().positive(), commentId: z.int().positive(), text })

/**
 * One's own. Who is mentioned now and was not is told of it. Throws `InvalidInput`, `SondeError` (`not-found`; `forbidden`:
 * somebody else's).
 */
export async function editComment(
  { records, clock }: Deps,
  grant: WorkGrant,
  input: z.input<typeof EDIT>,
): Promise<void> {
  const operation = 'edit a comment'
  const { issueId, commentId: id, text: body } = readInput(operation, EDIT, input)
  const atMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    const issue = await findIssue(tx, grant, operation, issueId)
    const comment = await findComment(tx, operation, issue.issueId, id)
    if (comment.actor !== authorOf(grant.viewer)) throw notYours(operation, id)
    if (comment.body === body) return
    await tx.updateTable('issue_comment').set({ body, edited_ms: atMs }).where('change_id', '=', id).execute()
    const before = await mentionedIn(tx, id)
    // Those whom a program named beside the text stay.
    await tx.deleteFrom('comment_mention').where('change_id', '=', id).where('handle', '<>', '').execute()
    await writeMentions(tx, grant, { ...issue, id, body, named: [] }, atMs)
    const isSomebodyNew = [...(await mentionedIn(tx, id))].some((whom) => !before.has(whom))
    // Nobody is told of the same comment twice: docs/internals/alerts.md
    if (isSomebodyNew)
      await tx.updateTable('issue_change').set({ is_untold: 1 }).where('id', '=', id).execute()
    await audit(tx, grant, 'comment.update', { ...issue, id }, atMs)
  })
}

const NAMED = z.object({ issueId: z.int().positive(), commentId: z.int().positive() })

/** One's own, and as admin anybody's. What waits to be sent of it is not. Throws like `editComment`. */
export async function deleteComment(
  { records, clock }: Deps,
  grant: WorkGrant,
  input: z.input<typeof NAMED>,
): Promise<void> {
  const operation = 'delete a comment'
  const { issueId, commentId: id } = readInput(operation, NAMED, input)
  const atMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    const issue = await findIssue(tx, grant, operation, issueId)
    const comment = await findComment(tx, operation, issue.issueId, id)
    const author = authorOf(grant.viewer)
    if (comment.actor !== author && !mayAlso(grant, 'event:delete')) throw notYours(operation, id)
    await tx.deleteFrom('issue_change').where('id', '=', id).execute()
    // `queueNotifications` writes keys that begin like this; the next character after `:` is `;`.
    await tx
      .deleteFrom('notification')
      .where('dedup_key', '>=', `activity:${id}:`)
      .where('dedup_key', '<', `activity:${id};`)
      .execute()
    await audit(tx, grant, 'comment.delete', { ...issue, id, author: comment.actor }, atMs)
  })
}

const REACT = z.object({
  issueId: z.int().positive(),
  commentId: z.int().positive(),
  reaction: z.enum(REACTIONS, { error: `is one of ${REACTIONS.join(' ')}` }),
  /** Left out: the other of what it is. */
  isOn: z.boolean().optional(),
})

/** Of a person, or of a token that a person made. Throws `InvalidInput`, `SondeError` (`not-found`, `forbidden`). */
export async function reactToComment(
  { records, clock }: Deps,
  grant: WorkGrant,
  input: z.input<typeof REACT>,
): Promise<{ readonly isOn: boolean }> {
  const operation = 'react to a comment'
  const { issueId, commentId: id, reaction, isOn } = readInput(operation, REACT, input)
  const userId = personOf(grant.viewer)
  if (userId === undefined)
    throw new SondeError('forbidden', 'only people react to comments', { operation, subject: String(id) })
  return writeTransaction(records, async (tx) => {
    const issue = await findIssue(tx, grant, operation, issueId)
    await findComment(tx, operation, issue.issueId, id)
    const own = { change_id: id, user_id: userId, reaction }
    const { numDeletedRows } = await tx
      .deleteFrom('comment_reaction')
      .where((eb) => eb.and(own))
      .executeTakeFirstOrThrow()
    const isNow = isOn ?? Number(numDeletedRows) === 0
    if (isNow)
      await tx
        .insertInto('comment_reaction')
        .values({ ...own, created_ms: clock.nowMs() })
        .execute()
    return { isOn: isNow }
  })
}

const personOf = (viewer: Viewer): string | undefined =>
  viewer.kind === 'operator' ? undefined : viewer.userId

/** A token writes as the person who made it; an organization's as itself. */
const authorOf = (viewer: Viewer): string => {
  const userId = personOf(viewer)
  return userId === undefined ? actorOf(viewer) : `user:${userId}`
}

/** As the index says it that has comments alone. */
const IS_COMMENT = sql<SqlBool>`kind = 'comment'`

type OfIssue = { readonly issueId: number; readonly projectId: number; readonly subject: string }

async function findIssue(
  tx: Records,
  grant: WorkGrant,
  operation: string,
  issueId: number,
): Promise<OfIssue> {
  const row = await grantedIssues(tx, grant, await followed(tx, [issueId]))
    .select(['issue.id as issueId', 'project.id', 'project.slug'])
    .executeTakeFirst()
  if (!row) throw new SondeError('not-found', 'no such issue', { operation, subject: String(issueId) })
  return { issueId: row.issueId, projectId: row.id, subject: `${grant.orgSlug}/${row.slug}` }
}

/** Of the issue, or of one that is part of it. */
async function findComment(tx: Records, operation: string, issueId: number, id: number) {
  const row = await tx
    .selectFrom('issue_change')
    .innerJoin('issue_comment', 'issue_comment.change_id', 'issue_change.id')
    .select(['issue_change.actor', 'issue_comment.body'])
    .where('issue_change.id', '=', id)
    .where('issue_change.issue_id', 'in', await withMerged(tx, [issueId]))
    .executeTakeFirst()
  if (!row)
    throw new SondeError('not-found', 'this issue has no such comment', { operation, subject: String(id) })
  return row
}

const notYours = (operation: string, id: number): SondeError =>
  new SondeError('forbidden', 'this comment is somebody else’s', { operation, subject: String(id) })

type Written = OfIssue & { readonly id: number; readonly body: string; readonly named: readonly string[] }

/** Those whom the text names, and those named beside it, are subscribed. Who is not known, or may not see the project, is nobody. */
async function writeMentions(
  tx: Records,
  { orgId }: WorkGrant,
  { id, issueId, projectId, body, named }: Written,
  atMs: number,
): Promise<void> {
  const within = { orgId, projectId }
  const known = await mentionablesOf(tx, within)
  const names = new Map([...known.keys()].map((handle) => [handle, handle]))
  const { mentions } = await parseComment(body, names)
  if (mentions.length + named.length > MAX_MENTIONS)
    throw new InvalidInput('write a comment', {
      text: [`at most ${MAX_MENTIONS} people and teams are mentioned`],
    })
  const besides = [...new Map([...known.values()].map((each) => [whomOf(each), each])).values()]
    .filter((each) => named.includes(whomOf(each)))
    .map((each) => ({ ...each, handle: '' }))
  const all = [...mentions.flatMap((handle) => known.get(handle) ?? []), ...besides]
  if (all.length === 0) return
  await tx
    .insertInto('comment_mention')
    .values(
      all.map(({ handle, userId, teamId }) => ({ change_id: id, handle, user_id: userId, team_id: teamId })),
    )
    .execute()
  const userIds = all.flatMap(({ userId }) => userId ?? [])
  const members = await membersOfTeams(
    tx,
    within,
    all.flatMap(({ teamId }) => teamId ?? []),
  )
  await subscribe(tx, { issueIds: [issueId], userIds }, 'mentioned', atMs)
  await subscribe(tx, { issueIds: [issueId], userIds: members }, 'team_mentioned', atMs)
}

const whomOf = ({ userId, teamId }: { userId: string | null; teamId: number | null }): string =>
  userId === null ? `team:${teamId}` : `user:${userId}`

async function mentionedIn(tx: Records, id: number): Promise<ReadonlySet<string>> {
  const rows = await tx
    .selectFrom('comment_mention')
    .select(['user_id as userId', 'team_id as teamId'])
    .where('change_id', '=', id)
    .execute()
  return new Set(rows.map(whomOf))
}

type Audited = OfIssue & { readonly id: number; readonly author?: string }

const audit = (
  tx: Records,
  { orgId, viewer }: WorkGrant,
  action: AuditAction,
  { subject, id, issueId, author }: Audited,
  atMs: number,
): Promise<void> =>
  writeAudit(tx, {
    orgId,
    viewer,
    action,
    subject,
    detail: { issueId, commentId: id, ...(author !== undefined && { author }) },
    atMs,
  })
