/** Ends mail by the token that it carries, without a sign-in: all of a project, or what others do about an issue. */
import type { Seal } from '@sonde/access'
import { type Message, readUnsubscribeToken } from '@sonde/alerts'
import { type Records, writeTransaction } from '@sonde/stores'
import type { CommandDeps } from '../command-deps.ts'
import { writeActivityChoice, writeChoice } from './notification-choices.ts'

export type UnsubscribedMail = {
  /** `acme/shop`; undefined: of all projects. */
  readonly project: string | undefined
  /** `SHOP-12`: what others do about it. Undefined: all mail. */
  readonly issue?: string | undefined
  /** What others do about issues; rules go on telling. */
  readonly isActivity?: boolean | undefined
  readonly isAlreadyOff: boolean
}

/** What a mail's token would end, and whether it has already. Undefined: the token is not ours, or of nobody any more. */
export async function lookAtUnsubscribe(
  { records }: Pick<CommandDeps, 'records'>,
  seal: Seal,
  token: string,
): Promise<UnsubscribedMail | undefined> {
  return (await readWhom(records, seal, token))?.mail
}

/** Needs no sign-in: the token is the proof. Idempotent. Undefined like `lookAtUnsubscribe`. */
export async function unsubscribe(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  seal: Seal,
  token: string,
): Promise<UnsubscribedMail | undefined> {
  return writeTransaction(records, async (tx) => {
    const whom = await readWhom(tx, seal, token)
    if (!whom) return undefined
    const { userId, projectId, issueId, isActivity, mail } = whom
    if (issueId !== undefined) {
      await endSubscription(tx, userId, issueId, clock.nowMs())
      return mail
    }
    await writeActivityChoice(tx, { userId, medium: 'email', projectId }, 'none')
    if (projectId === null)
      await tx
        .deleteFrom('activity_setting')
        .where('user_id', '=', userId)
        .where('medium', '=', 'email')
        .where('project_id', 'is not', null)
        .execute()
    if (isActivity) {
      await dropWaiting(tx, userId, ({ reason, issue }) => reason !== undefined && issue === undefined)
      return mail
    }
    await writeChoice(tx, userId, 'email', projectId, 'none')
    // All mail: also of projects that have a choice of their own.
    if (projectId === null)
      await tx
        .deleteFrom('notification_setting')
        .where('user_id', '=', userId)
        .where('medium', '=', 'email')
        .where('project_id', 'is not', null)
        .execute()
    // Nor what was collected and waits.
    await tx
      .deleteFrom('notification')
      .where('user_id', '=', userId)
      .where('medium', '=', 'email')
      .where('state', '=', 'waiting')
      .$if(projectId !== null, (query) => query.where('project_id', '=', projectId))
      .execute()
    return mail
  })
}

async function readWhom(records: Records, seal: Seal, token: string) {
  const whom = await readUnsubscribeToken(seal, token)
  if (!whom) return undefined
  const { userId, projectId, issueId, isActivity } = whom
  const person = await records.selectFrom('user').select('id').where('id', '=', userId).executeTakeFirst()
  const project =
    projectId === null
      ? undefined
      : await records
          .selectFrom('project')
          .innerJoin('organization', 'organization.id', 'project.org_id')
          .select(['project.slug', 'organization.slug as org'])
          .where('project.id', '=', projectId)
          .executeTakeFirst()
  if (!person || (projectId !== null && !project)) return undefined
  const name = project && `${project.org}/${project.slug}`
  if (issueId !== undefined) {
    const issue = await subscribedIssue(records, userId, issueId)
    if (!issue) return undefined
    const { shortId, isAlreadyOff } = issue
    return { userId, projectId, issueId, mail: { project: name, issue: shortId, isAlreadyOff } }
  }
  if (isActivity) {
    const isAlreadyOff = await isActivityOff(records, userId, projectId)
    return { userId, projectId, isActivity, mail: { project: name, isActivity, isAlreadyOff } }
  }
  const rows = await records
    .selectFrom('notification_setting')
    .select(['project_id', 'choice'])
    .where('user_id', '=', userId)
    .where('medium', '=', 'email')
    .execute()
  const own = rows.find((row) => row.project_id === projectId)
  const others = projectId === null ? rows.filter((row) => row.project_id !== null) : []
  const isAlreadyOff = own?.choice === 'none' && others.every((row) => row.choice === 'none')
  const mail: UnsubscribedMail = { project: name, isAlreadyOff }
  return { userId, projectId, mail }
}

async function subscribedIssue(records: Records, userId: string, issueId: number) {
  const row = await records
    .selectFrom('issue')
    .innerJoin('project', 'project.id', 'issue.project_id')
    .leftJoin('issue_subscription', (join) =>
      join
        .onRef('issue_subscription.issue_id', '=', 'issue.id')
        .on('issue_subscription.user_id', '=', userId),
    )
    .select(['issue.short_number', 'project.slug', 'issue_subscription.is_active'])
    .where('issue.id', '=', issueId)
    .executeTakeFirst()
  return (
    row && {
      shortId: `${row.slug.toUpperCase()}-${row.short_number}`,
      isAlreadyOff: row.is_active === 0,
    }
  )
}

/** As the button on the issue does; an assignment or a mention subscribes again. What waits of the issue is not sent. */
async function endSubscription(tx: Records, userId: string, issueId: number, nowMs: number): Promise<void> {
  await tx
    .insertInto('issue_subscription')
    .values({ issue_id: issueId, user_id: userId, is_active: 0, reason: 'unknown', created_ms: nowMs })
    .onConflict((conflict) => conflict.columns(['issue_id', 'user_id']).doUpdateSet({ is_active: 0 }))
    .execute()
  await dropWaiting(tx, userId, ({ reason, issue }) => reason !== undefined && issue?.id === issueId)
}

async function dropWaiting(
  tx: Records,
  userId: string,
  isEnded: (message: Pick<Message, 'reason' | 'issue'>) => boolean,
): Promise<void> {
  const waiting = await tx
    .selectFrom('notification')
    .select(['id', 'message'])
    .where('user_id', '=', userId)
    .where('medium', '=', 'email')
    .where('state', '=', 'waiting')
    .execute()
  const ids = waiting.flatMap(({ id, message }) => (isEnded(JSON.parse(message) as Message) ? [id] : []))
  if (ids.length > 0) await tx.deleteFrom('notification').where('id', 'in', ids.slice(0, 30_000)).execute()
}

async function isActivityOff(records: Records, userId: string, projectId: number | null): Promise<boolean> {
  const rows = await records
    .selectFrom('activity_setting')
    .select(['project_id', 'choice'])
    .where('user_id', '=', userId)
    .where('medium', '=', 'email')
    .execute()
  const own = rows.find((row) => row.project_id === projectId)
  const others = projectId === null ? rows.filter((row) => row.project_id !== null) : []
  return own?.choice === 'none' && others.every(({ choice: chosen }) => chosen === 'none')
}
