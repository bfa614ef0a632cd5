/**
 * Fingerprints leave an issue: for the one that brought them (it is given back), or for a new one (a split). As a merge, all of it is one
 * transaction but the rows of events.
 */
import { compareReleasesOf, type Counted, type Figures, hashesOf, type Records } from '@sonde/stores'
import { type CompareVersions } from '../commit/record-releases.ts'
import { createIssue } from '../commit/resolve-issues.ts'
import { type GivenThings, readGiven, takeThingsBack } from './given-things.ts'
import { askToMove, named, type NamedIssue, readBase, writeBase } from './merge-by-people.ts'
import {
  decisionIn,
  decisionWith,
  figuresIn,
  figuresOfEvents,
  type Issue,
  leftFigures,
  mergedFigures,
  readIssue,
  ruledPriority,
} from './merge-state.ts'
import { copySnooze, shiftSnooze } from './snoozes.ts'

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
  /** When it was merged. */
  readonly atMs: number
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
      atMs: merge.at_ms,
      hashes: JSON.parse(merge.hashes) as string[],
      removed: merge.removed_count,
      gave: readGiven(merge.gave),
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
  const gone = take.gone
    ? mergedFigures(member.row, figuresOfEvents(take.gone, compare), compare)
    : figuresIn(member.row)
  await tx
    .updateTable('issue')
    .set({ ...gone, ...ruledPriority({ ...member.row, ...gone }), event_count: events })
    .where('id', '=', backId)
    .execute()
  const base = await readBase(tx, from)
  const left = take.left && figuresOfEvents(take.left, compare)
  const figures = base?.figures
    ? [...others.map(({ row }) => figuresIn(row)), ...(left ? [left] : [])].reduce(
        (a, b) => mergedFigures(a, b, compare),
        base.figures,
      )
    : leftFigures(from, gone, left)
  const decision =
    base &&
    decisionWith(
      base,
      decisionIn(from),
      others.map(({ row, atMs: mergedMs }) => ({ decision: decisionIn(row), atMs: mergedMs })),
    )
  const whole = { ...from, ...figures, ...decision }
  await tx
    .updateTable('issue')
    .set({ ...figures, ...decision, ...ruledPriority(whole), event_count: from.event_count - events })
    .where('id', '=', from.id)
    .execute()
  await takeThingsBack(tx, from.id, member, events)
  await tx.deleteFrom('issue_redirect').where('from_issue_id', '=', backId).execute()
  await tx.deleteFrom('issue_merge').where('issue_id', '=', backId).execute()
  await forgetHashes(tx, others, take.hashes)
  if (others.length === 0) await tx.deleteFrom('issue_merge_base').where('issue_id', '=', from.id).execute()
  else if (base) await writeBase(tx, from.id, { ...base, decided: { ...base.decided, ...decision } })
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
  const part = { ...figures, ...decisionIn(from) }
  await tx
    .updateTable('issue')
    .set({ ...part, ...ruledPriority(part), event_count: events })
    .where('id', '=', toId)
    .execute()
  await copySnooze(tx, from.id, toId, events, atMs)
  await shiftSnooze(tx, from.id, -events)
  const left = leftFigures(from, figures, take.left && figuresOfEvents(take.left, compare))
  await tx
    .updateTable('issue')
    .set({ ...left, ...ruledPriority({ ...from, ...left }), event_count: from.event_count - events })
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

export async function compareAll(
  tx: Records,
  issues: readonly Issue[],
  { projectId, gone, left }: Pick<TakeOut, 'projectId' | 'gone' | 'left'>,
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
