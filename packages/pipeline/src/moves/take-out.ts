/**
 * Fingerprints leave an issue: for the one that brought them (it is given back), or for a new one (a split). As a merge, all of it is one
 * transaction but the rows of events.
 */
import { compareReleasesOf, type Counted, type Figures, hashesOf, type Records } from '@sonde/stores'
import { type CompareVersions } from '../commit/record-releases.ts'
import { createIssue } from '../commit/resolve-issues.ts'
import { askToMove, type GivenThings, named, type NamedIssue } from './merge-by-people.ts'
import {
  decisionIn,
  type Decision,
  figuresIn,
  figuresOfEvents,
  isSameDecision,
  type Issue,
  leftFigures,
  mergedDecision,
  mergedFigures,
  readIssue,
} from './merge-state.ts'

export type TakeOut = {
  readonly projectId: number
  /** Whole fingerprints of it: `fingerprintsOf`. */
  readonly hashes: readonly string[]
  /** What has them, and what has not; undefined: no event that is stored. */
  readonly gone: Counted | undefined
  readonly left: Counted | undefined
  /** Rows that are to move, by the issue that has them now or may have some. */
  readonly rows: ReadonlyMap<number, number>
  readonly isSettled: boolean
}
export type TakenOut = {
  readonly from: NamedIssue
  readonly to: NamedIssue
  readonly hashes: number
  readonly events: number
}

type Member = {
  readonly row: Issue
  readonly hashes: readonly string[]
  readonly removed: number
  readonly gave: GivenThings
}

/** In the order in which they were merged. */
async function membersOf(tx: Records, issueId: number): Promise<readonly Member[]> {
  const merges = await tx
    .selectFrom('issue_merge')
    .selectAll()
    .where('into_issue_id', '=', issueId)
    .orderBy('issue_merge.at_ms')
    .orderBy('issue_merge.issue_id')
    .execute()
  const members: Member[] = []
  for (const merge of merges) {
    const row = await readIssue(tx, merge.issue_id)
    if (!row) continue
    members.push({
      row,
      hashes: JSON.parse(merge.hashes) as string[],
      removed: merge.removed_count,
      gave: JSON.parse(merge.gave) as GivenThings,
    })
  }
  return members
}

/** Its number comes back with what was decided about it; `take.hashes` are of those that it brought. */
export async function giveBack(
  tx: Records,
  from: Issue,
  backId: number,
  take: TakeOut,
  atMs: number,
): Promise<TakenOut | undefined> {
  const members = await membersOf(tx, from.id)
  const member = members.find(({ row }) => row.id === backId)
  if (!member) return undefined
  const others = members.filter(({ row }) => row.id !== backId)
  const compare = await compareAll(tx, [from, ...members.map(({ row }) => row)], take)
  const events = (take.gone?.events ?? 0) + member.removed
  const came = take.gone && figuresOfEvents(take.gone, compare)
  await tx
    .updateTable('issue')
    .set({ ...(came ? mergedFigures(member.row, came, compare) : {}), event_count: events })
    .where('id', '=', backId)
    .execute()
  const gone = came ? mergedFigures(member.row, came, compare) : figuresIn(member.row)
  const base = await readBase(tx, from.id)
  const left = take.left && figuresOfEvents(take.left, compare)
  const figures = base?.figures
    ? [...others.map(({ row }) => figuresIn(row)), ...(left ? [left] : [])].reduce(
        (a, b) => mergedFigures(a, b, compare),
        base.figures,
      )
    : leftFigures(from, gone, left)
  const decision = base && decisionWithout(from, base, others)
  await tx
    .updateTable('issue')
    .set({ ...figures, ...decision, event_count: from.event_count - events })
    .where('id', '=', from.id)
    .execute()
  await takeThingsBack(tx, backId, from.id, member.gave)
  await tx.deleteFrom('issue_redirect').where('from_issue_id', '=', backId).execute()
  await tx.deleteFrom('issue_merge').where('issue_id', '=', backId).execute()
  await forgetHashes(tx, others, take.hashes)
  if (others.length === 0) await tx.deleteFrom('issue_merge_base').where('issue_id', '=', from.id).execute()
  else if (decision)
    await tx
      .updateTable('issue_merge_base')
      .set({ decided: JSON.stringify(decision) })
      .where('issue_id', '=', from.id)
      .execute()
  await moveHashes(tx, take, from.id, backId, atMs)
  return { from: named(from), to: named(member.row), hashes: take.hashes.length, events }
}

/** A new issue with the state of the whole: nobody is told again of what was archived. Undefined: no event of it is stored. */
export async function splitOff(
  tx: Records,
  from: Issue,
  take: TakeOut,
  atMs: number,
): Promise<TakenOut | undefined> {
  if (!take.gone) return undefined
  const compare = await compareAll(tx, [from], take)
  const figures = figuresOfEvents(take.gone, compare)
  const { issue_counter: counter } = await tx
    .updateTable('project')
    .set((eb) => ({ issue_counter: eb('issue_counter', '+', 1) }))
    .where('id', '=', take.projectId)
    .returning('issue_counter')
    .executeTakeFirstOrThrow()
  const toId = await createIssue(
    tx,
    { projectId: take.projectId, eventId: figures.last_event_id, issue: issueFieldsOf(figures) },
    counter,
    atMs,
  )
  const { events } = take.gone
  await tx
    .updateTable('issue')
    .set({ ...figures, ...decisionIn(from), event_count: events })
    .where('id', '=', toId)
    .execute()
  const left = take.left && figuresOfEvents(take.left, compare)
  await tx
    .updateTable('issue')
    .set({ ...leftFigures(from, figures, left), event_count: from.event_count - events })
    .where('id', '=', from.id)
    .execute()
  // What it was without others is not known any more: a part of it is gone.
  await tx.updateTable('issue_merge_base').set({ figures: '' }).where('issue_id', '=', from.id).execute()
  await forgetHashes(tx, await membersOf(tx, from.id), take.hashes)
  await moveHashes(tx, take, from.id, toId, atMs)
  const to = { id: toId, shortNumber: counter, title: figures.title }
  return { from: named(from), to, hashes: take.hashes.length, events }
}

const issueFieldsOf = (figures: Figures) => ({
  type: figures.type,
  level: figures.level,
  title: figures.title,
  culprit: figures.culprit,
  platform: figures.platform,
  metadata: figures.metadata,
  logger: figures.logger,
  isUnhandled: figures.is_unhandled === 1,
  timestampMs: figures.first_seen_ms,
  release: figures.first_release,
  // It was seen where the whole was.
  environment: '',
})

async function compareAll(
  tx: Records,
  issues: readonly Issue[],
  { projectId, gone, left }: TakeOut,
): Promise<CompareVersions> {
  const versions = [
    ...issues.flatMap((issue) => [issue.first_release, issue.last_release]),
    ...(gone?.releases ?? []),
    ...(left?.releases ?? []),
  ]
  return compareReleasesOf(
    tx,
    projectId,
    versions.filter((version) => version !== ''),
  )
}

type Base = { readonly figures: Figures | undefined; readonly decision: Decision; readonly decided: Decision }

async function readBase(tx: Records, issueId: number): Promise<Base | undefined> {
  const row = await tx
    .selectFrom('issue_merge_base')
    .selectAll()
    .where('issue_id', '=', issueId)
    .executeTakeFirst()
  return (
    row && {
      figures: row.figures === '' ? undefined : (JSON.parse(row.figures) as Figures),
      decision: JSON.parse(row.decision) as Decision,
      decided: JSON.parse(row.decided) as Decision,
    }
  )
}

/** What somebody decided since the merge stays; else it is what it would be with the others alone. */
function decisionWithout(from: Issue, base: Base, others: readonly Member[]): Decision | undefined {
  if (!isSameDecision(decisionIn(from), base.decided)) return undefined
  return others.reduce((decision, { row }) => mergedDecision(decision, decisionIn(row)), base.decision)
}

async function takeThingsBack(
  tx: Records,
  backId: number,
  fromId: number,
  { subscribers, commits, trackerLinks }: GivenThings,
): Promise<void> {
  if (subscribers.length > 0)
    await tx
      .deleteFrom('issue_subscription')
      .where('issue_id', '=', fromId)
      .where('user_id', 'in', subscribers)
      .where('created_ms', '=', (eb) =>
        eb.selectFrom('issue_merge').select('at_ms').where('issue_merge.issue_id', '=', backId),
      )
      .execute()
  if (commits.length > 0)
    await tx
      .updateTable('issue_commit')
      .set({ issue_id: backId })
      .where('issue_id', '=', fromId)
      .where('commit_id', 'in', commits)
      .execute()
  if (trackerLinks.length > 0)
    await tx
      .updateTable('tracker_link')
      .set({ issue_id: backId })
      .where('issue_id', '=', fromId)
      .where('id', 'in', trackerLinks)
      .execute()
}

async function forgetHashes(
  tx: Records,
  members: readonly Member[],
  hashes: readonly string[],
): Promise<void> {
  const taken = new Set(hashes)
  for (const { row, hashes: own } of members)
    if (own.some((hash) => taken.has(hash)))
      await tx
        .updateTable('issue_merge')
        .set({ hashes: JSON.stringify(own.filter((hash) => !taken.has(hash))) })
        .where('issue_id', '=', row.id)
        .execute()
}

// SQLite takes 32,766 parameters in one statement.
const HASHES_AT_ONCE = 1_000

async function moveHashes(
  tx: Records,
  { projectId, hashes, rows, isSettled }: TakeOut,
  fromId: number,
  toId: number,
  atMs: number,
): Promise<void> {
  for (let at = 0; at < hashes.length; at += HASHES_AT_ONCE)
    await tx
      .updateTable('issue_hash')
      .set({ issue_id: toId })
      .where('project_id', '=', projectId)
      .where('issue_id', '=', fromId)
      .where('hash', 'in', hashes.slice(at, at + HASHES_AT_ONCE))
      .execute()
  for (const [id, total] of rows)
    if (id !== toId)
      await askToMove(tx, { projectId, fromId: id, intoId: toId, hashes, total, isSettled, atMs })
}

/** Fingerprints of `issue` that `member` brought and that still lead to it. */
export async function broughtBy(
  records: Records,
  issueId: number,
  memberId: number,
): Promise<readonly string[]> {
  const row = await records
    .selectFrom('issue_merge')
    .select('hashes')
    .where('issue_id', '=', memberId)
    .where('into_issue_id', '=', issueId)
    .executeTakeFirst()
  if (!row) return []
  const own = new Set(await hashesOf(records, issueId))
  return (JSON.parse(row.hashes) as string[]).filter((hash) => own.has(hash))
}
