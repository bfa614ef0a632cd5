/**
 * Tells people what others did about the issues that they are subscribed to. Commands and the pipeline write the change and no
 * more; this looks at each once and puts what is to be told into the outbox, in the transaction that marks it. Many changes of
 * a kind by the same one are one message to a person, so a bulk change is not a hundred mails.
 */
import type { Clock } from '@sonde/base'
import { actorNames } from '@sonde/queries'
import { type ActivityKind, type Records, writeTransaction } from '@sonde/stores'
import { readIssueFacts } from '../issues/incidents.ts'
import { queueNotifications } from '../outbox/queue.ts'
import { isTold, messageOfChange, messageOfMany, type Said } from './activity-message.ts'
import { readActivityPlaces } from './activity-places.ts'
import { type Concern, concernedBy } from './concerned.ts'

export type WorkflowDeps = {
  readonly records: Records
  readonly clock: Clock
  /** Under which people reach the screens. */
  readonly publicUrl: string
  /** Undefined: mail is not set up, so none is queued. */
  readonly mailer: unknown
}

/** As many as one change of the lists writes at once: what is told together is looked at together. */
const CHANGES_AT_ONCE = 5_000
/** Of one issue, besides its comments: what a program repeats for years does not grow without end. */
export const MAX_CHANGES_KEPT = 1_000

/** What alerts are still to look at waits for them: whom a rule told of the same is not told twice. */
const selectUntold = (records: Records) =>
  records.selectFrom('issue_change').where('is_untold', '=', 1).where('is_pending', '=', 0)

export const hasUntoldChanges = async (records: Records): Promise<boolean> =>
  (await selectUntold(records).select('id').limit(1).execute()).length > 0

/** Returns how many changes it looked at; 0: there is nothing left. */
export async function tellChanges(deps: WorkflowDeps): Promise<number> {
  const { records, clock } = deps
  const nowMs = clock.nowMs()
  return writeTransaction(records, async (tx) => {
    const changes = await readUntold(tx)
    if (changes.length === 0) return 0
    await tx
      .updateTable('issue_change')
      .set({ is_untold: 0 })
      .where(
        'id',
        'in',
        changes.map(({ id }) => id),
      )
      .execute()
    await tell(
      tx,
      deps,
      changes.filter(({ kind }) => isTold(kind)),
      nowMs,
    )
    await boundChanges(tx, [...new Set(changes.map(({ issue_id }) => issue_id))])
    return changes.length
  })
}

type Change = Awaited<ReturnType<typeof readUntold>>[number]

const readUntold = (tx: Records) =>
  selectUntold(tx)
    .innerJoin('project', 'project.id', 'issue_change.project_id')
    .leftJoin('issue_comment', 'issue_comment.change_id', 'issue_change.id')
    .select(['issue_change.id', 'issue_change.issue_id', 'issue_change.project_id', 'project.org_id'])
    .select(['issue_change.kind', 'issue_change.actor', 'issue_change.at_ms', 'issue_change.detail'])
    .select('issue_comment.body')
    .$narrowType<{ kind: ActivityKind }>()
    .orderBy('issue_change.id')
    .limit(CHANGES_AT_ONCE)
    .execute()

async function tell(tx: Records, deps: WorkflowDeps, changes: readonly Change[], nowMs: number) {
  if (changes.length === 0) return
  const concerned = await concernedBy(tx, changes)
  const alerted = await alertedOf(tx, changes)
  const said = new Map((await sayingOf(tx, changes)).map((each) => [each.id, each]))
  const people = [...new Set([...concerned.values()].flat().map(({ userId }) => userId))]
  const places = await readActivityPlaces(tx, people, { hasMail: deps.mailer !== undefined, nowMs })
  const perPerson = new Map<string, { readonly concern: Concern; readonly change: Change }[]>()
  for (const change of changes)
    for (const concern of concerned.get(change.id) ?? []) {
      if (alerted(change, concern.userId)) continue
      const own = perPerson.get(concern.userId) ?? []
      own.push({ concern, change })
      perPerson.set(concern.userId, own)
    }
  for (const [userId, own] of perPerson)
    for (const group of Map.groupBy(own, ({ change }) => togetherKey(change)).values())
      await tellGroup(tx, { userId, publicUrl: deps.publicUrl, said, places }, group, nowMs)
}

/** What one message to a person may say together. A comment is read by itself. */
const togetherKey = ({ id, org_id, actor, kind }: Change): string =>
  kind === 'comment' ? String(id) : `${org_id} ${kind} ${actor}`

type Person = {
  readonly userId: string
  readonly publicUrl: string
  readonly said: ReadonlyMap<number, Said>
  readonly places: Awaited<ReturnType<typeof readActivityPlaces>>
}
type Group = readonly { readonly concern: Concern; readonly change: Change }[]

/** By each medium what the person wants of it: one project may be silent by mail and not in the inbox. */
async function tellGroup(
  tx: Records,
  { userId, publicUrl, said, places }: Person,
  group: Group,
  nowMs: number,
): Promise<void> {
  const wanted = group.flatMap(({ concern, change }) =>
    places(change.project_id, concern).map((place) => ({ concern, change, place })),
  )
  for (const own of Map.groupBy(wanted, ({ place }) => place.medium).values()) {
    const [first] = own
    if (!first) continue
    const { concern, change, place } = first
    const saying = own.flatMap((each) => said.get(each.change.id) ?? [])
    const person = { userId, reason: concern.reason, publicUrl }
    const [single] = saying
    if (!single) continue
    const isOne = saying.length === 1
    const message = isOne ? messageOfChange(single, person) : messageOfMany(saying, person)
    if (!message) continue
    const isOfOneProject = own.every((each) => each.change.project_id === change.project_id)
    const queued = {
      // Deleting a comment takes what waits of it by the beginning of this key.
      key: isOne ? `activity:${change.id}` : `activity:${change.id}:${saying.length}`,
      message,
      orgId: change.org_id,
      projectId: isOfOneProject ? change.project_id : null,
      incidentId: null,
    }
    await queueNotifications(tx, [place], queued, nowMs)
  }
}

async function sayingOf(tx: Records, changes: readonly Change[]): Promise<readonly Said[]> {
  const details = new Map(changes.map(({ id, detail }) => [id, readDetail(detail)]))
  const [facts, names, assignees] = [
    await readIssueFacts(tx, [...new Set(changes.map(({ issue_id }) => issue_id))]),
    await actorNames(tx, [...new Set(changes.map(({ actor }) => actor))].filter(Boolean)),
    await assigneeNames(
      tx,
      [...details.values()].map(({ assignee }) => assignee),
    ),
  ]
  const byId = new Map(facts.map((issue) => [issue.issue_id, issue]))
  return changes.flatMap(({ id, kind, actor, at_ms: atMs, issue_id, body }) => {
    const issue = byId.get(issue_id)
    const { assignee = '', release = '' } = details.get(id) ?? {}
    if (!issue || !isTold(kind)) return []
    const by = names.get(actor) ?? ''
    const assigneeName = assignees.get(assignee) ?? 'somebody'
    const isOwnAssignment = assignee !== '' && assignee === actor
    const also = { isOwnAssignment, release, text: body ?? '' }
    return [{ id, kind, atMs, issue, by, assignee, assigneeName, ...also }]
  })
}

function readDetail(text: string): { readonly assignee: string; readonly release: string } {
  const { assignee, release, resolvedIn } = JSON.parse(text) as Readonly<Record<string, unknown>>
  const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
  const isNext = resolvedIn === 'next_release'
  return {
    assignee: textOf(assignee),
    release: isNext ? `the next release after ${textOf(release)}` : textOf(release),
  }
}

async function assigneeNames(
  tx: Records,
  assignees: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const all = [...new Set(assignees)]
  const people = await actorNames(
    tx,
    all.filter((text) => text.startsWith('user:')),
  )
  const teamIds = all.filter((text) => text.startsWith('team:')).map((text) => Number(text.slice(5)))
  const teams =
    teamIds.length === 0
      ? []
      : await tx.selectFrom('team').select(['id', 'slug']).where('id', 'in', teamIds).execute()
  return new Map([...people, ...teams.map(({ id, slug }) => [`team:${id}`, `#${slug}`] as const)])
}

/** Whether a rule told the person of the issue since the change: what came back is told by the rules of its project, mostly. */
async function alertedOf(
  tx: Records,
  changes: readonly Change[],
): Promise<(change: Change, userId: string) => boolean> {
  const ofEvents = changes.filter(({ actor }) => actor === '')
  if (ofEvents.length === 0) return () => false
  const rows = await tx
    .selectFrom('incident')
    .innerJoin('notification', 'notification.incident_id', 'incident.id')
    .select(['incident.issue_id', 'notification.user_id', 'notification.created_ms'])
    .where('incident.issue_id', 'in', [...new Set(ofEvents.map(({ issue_id }) => issue_id))])
    .where('notification.created_ms', '>=', Math.min(...ofEvents.map(({ at_ms }) => at_ms)))
    .where('notification.user_id', 'is not', null)
    .execute()
  const lastMs = new Map<string, number>()
  for (const { issue_id, user_id, created_ms } of rows) {
    const key = `${issue_id} ${user_id}`
    lastMs.set(key, Math.max(lastMs.get(key) ?? 0, created_ms))
  }
  return ({ actor, issue_id, at_ms }, userId) =>
    actor === '' && (lastMs.get(`${issue_id} ${userId}`) ?? 0) >= at_ms
}

/** The newest stay. docs/decisions/0046-activity-lives-with-its-issue.md */
async function boundChanges(tx: Records, issueIds: readonly number[]): Promise<void> {
  const many = await tx
    .selectFrom('issue_change')
    .select('issue_id')
    .where('issue_id', 'in', issueIds)
    .groupBy('issue_id')
    .having((eb) => eb(eb.fn.countAll<number>(), '>', MAX_CHANGES_KEPT))
    .execute()
  for (const { issue_id } of many)
    await tx
      .deleteFrom('issue_change')
      .where('issue_id', '=', issue_id)
      .where('kind', '<>', 'comment')
      .where('is_pending', '=', 0)
      .where('is_untold', '=', 0)
      .where('id', '<', (eb) =>
        eb
          .selectFrom('issue_change as kept')
          .select('kept.id')
          .where('kept.issue_id', '=', issue_id)
          .where('kept.kind', '<>', 'comment')
          .orderBy('kept.id', 'desc')
          .limit(1)
          .offset(MAX_CHANGES_KEPT - 1),
      )
      .execute()
}
