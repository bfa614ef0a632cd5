/**
 * What an import writes past the API: keys that another product made, who said something and when, states that nobody is told of.
 * Everything may be repeated.
 */
import { actorOf, operatorViewer } from '@sonde/access'
import { PRIORITIES, PRIORITY_VALUES, type Records, writeTransaction } from '@sonde/stores'
import type { ForeignComment, ForeignIssue, ForeignKey } from './source.ts'

const OPERATOR = actorOf(operatorViewer)
const PUBLIC_KEY = /^[0-9a-f]{32}$/

/** Undefined: it is there. Else why not. */
export async function importKey(
  records: Records,
  key: ForeignKey,
  {
    projectId,
    foreignProject,
    atMs,
  }: { readonly projectId: number; readonly foreignProject: string; readonly atMs: number },
): Promise<string | undefined> {
  if (!PUBLIC_KEY.test(key.publicKey)) return 'its public key is not 32 hexadecimal digits'
  return writeTransaction(records, async (tx) => {
    const known = await tx
      .selectFrom('project_key')
      .select('project_id')
      .where('public_key', '=', key.publicKey)
      .executeTakeFirst()
    if (known) return known.project_id === projectId ? undefined : 'another project here has this public key'
    await tx
      .insertInto('project_key')
      .values({
        project_id: projectId,
        public_key: key.publicKey,
        label: key.label.slice(0, 64),
        is_active: key.isActive ? 1 : 0,
        rate_limit_count: null,
        rate_limit_window_sec: null,
        created_ms: atMs,
        foreign_project: /^\d{1,20}$/.test(foreignProject) ? foreignProject : null,
      })
      .execute()
    return undefined
  })
}

type People = {
  readonly userId: (email: string) => Promise<string | undefined>
  readonly teamId: (slug: string) => Promise<number | undefined>
}

/** What of its state could not be said. Nobody is told of it, and no rule looks at it. */
export async function applyState(
  records: Records,
  issueId: number,
  issue: ForeignIssue,
  people: People,
  atMs: number,
): Promise<readonly string[]> {
  const why: string[] = []
  const { assignee } = issue
  const userId = assignee && 'email' in assignee ? await people.userId(assignee.email) : undefined
  const teamId = assignee && 'team' in assignee ? await people.teamId(assignee.team) : undefined
  if (assignee && userId === undefined && teamId === undefined)
    why.push(
      'email' in assignee
        ? `its assignee ${assignee.email} is no member yet: run the import again once they are`
        : `its team ${assignee.team} is not here`,
    )
  const priority = PRIORITIES.find((name) => name === issue.priority)
  await writeTransaction(records, async (tx) => {
    const before = await tx
      .selectFrom('issue')
      .select(['project_id', 'status', 'first_seen_ms', 'assignee_user_id', 'assignee_team_id'])
      .where('id', '=', issueId)
      .executeTakeFirst()
    if (!before) return
    const state = stateOf(issue)
    await tx
      .updateTable('issue')
      .set({
        ...state,
        ...(issue.firstSeenMs !== undefined && {
          first_seen_ms: Math.min(before.first_seen_ms, issue.firstSeenMs),
        }),
        ...(userId !== undefined && { assignee_user_id: userId, assignee_team_id: null }),
        ...(teamId !== undefined && { assignee_team_id: teamId, assignee_user_id: null }),
        ...(priority && { priority: PRIORITY_VALUES[priority], is_priority_set: 1 }),
      })
      .where('id', '=', issueId)
      .execute()
    if (state && state.status !== before.status)
      await tx
        .insertInto('issue_change')
        .values({
          project_id: before.project_id,
          issue_id: issueId,
          kind: state.status,
          event_id: '',
          actor: OPERATOR,
          at_ms: atMs,
          detail: JSON.stringify({
            imported: issue.shortId,
            resolvedIn: state.resolved_in,
            release: state.resolved_release,
          }),
          is_pending: 0,
          is_untold: 0,
        })
        .execute()
  })
  return why
}

function stateOf({ status, resolvedIn, isUntilEscalating }: ForeignIssue) {
  if (status === 'unresolved') return undefined
  if (status === 'ignored')
    return {
      status: 'ignored',
      substatus: isUntilEscalating ? 'archived_until_escalating' : 'archived_forever',
      resolved_in: '',
      resolved_release: '',
    } as const
  const isNext = resolvedIn === 'next'
  return {
    status: 'resolved',
    substatus: '',
    resolved_in: resolvedIn === undefined ? '' : isNext ? 'next_release' : 'release',
    resolved_release: isNext ? '' : (resolvedIn ?? ''),
  } as const
}

/** Those that are not there yet, known by who wrote them, when and what. */
export async function addComments(
  records: Records,
  issueId: number,
  comments: readonly ForeignComment[],
  userId: People['userId'],
): Promise<void> {
  for (const comment of comments) {
    const author = comment.email === undefined ? undefined : await userId(comment.email)
    // Who is no member here is named in the text.
    const body = author === undefined ? `${comment.name} wrote:\n\n${comment.text}` : comment.text
    await writeTransaction(records, async (tx) => {
      const issue = await tx
        .selectFrom('issue')
        .select('project_id')
        .where('id', '=', issueId)
        .executeTakeFirst()
      const known = await tx
        .selectFrom('issue_change')
        .innerJoin('issue_comment', 'issue_comment.change_id', 'issue_change.id')
        .select('issue_change.id')
        .where('issue_change.issue_id', '=', issueId)
        .where('issue_change.at_ms', '=', comment.atMs)
        .where('issue_comment.body', 'in', [comment.text, `${comment.name} wrote:\n\n${comment.text}`])
        .executeTakeFirst()
      if (!issue || known) return
      const { id } = await tx
        .insertInto('issue_change')
        .values({
          project_id: issue.project_id,
          issue_id: issueId,
          kind: 'comment',
          event_id: '',
          actor: author === undefined ? OPERATOR : `user:${author}`,
          at_ms: comment.atMs,
          detail: '{}',
          is_pending: 0,
          is_untold: 0,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await tx.insertInto('issue_comment').values({ change_id: id, body }).execute()
    })
  }
}

/** Rules of the project that were on: they are off until `resumeProject`, so that nobody is told of what is old. */
export async function quietProject(records: Records, projectId: number): Promise<readonly number[]> {
  return writeTransaction(records, async (tx) => {
    const rules = await tx
      .selectFrom('alert_rule')
      .select('id')
      .where('project_id', '=', projectId)
      .where('is_enabled', '=', 1)
      .orderBy('id')
      .execute()
    await tx.updateTable('alert_rule').set({ is_enabled: 0 }).where('project_id', '=', projectId).execute()
    return rules.map(({ id }) => id)
  })
}

export async function resumeRules(records: Records, ruleIds: readonly number[]): Promise<void> {
  if (ruleIds.length > 0)
    await records.updateTable('alert_rule').set({ is_enabled: 1 }).where('id', 'in', ruleIds).execute()
}

/** How many changes of these projects no rule has looked at yet. */
export async function pendingChanges(records: Records, projectIds: readonly number[]): Promise<number> {
  if (projectIds.length === 0) return 0
  const { n } = await records
    .selectFrom('issue_change')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('project_id', 'in', projectIds)
    .where('is_pending', '=', 1)
    .executeTakeFirstOrThrow()
  return n
}
