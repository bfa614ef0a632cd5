/** Finds the issue of each event by its hashes, or makes one. Runs inside the transaction that marks the batch. */
import type { NormalizedEvent } from '@sonde/protocol/event'
import {
  compareReleasesOf,
  type IssueChange,
  type NewcomerRoom,
  noteIssueChanges,
  openNewcomerRoom,
  readHashes,
  type OwnableIssue,
  payloadOfRow,
  type Records,
  PRIORITY_VALUES,
  priorityOf,
} from '@sonde/stores'
import { openFeedbackPlaces, type Placed } from '../feedback/place-feedback.ts'
import { deriveTags } from '../normalize/index.ts'
import type { ProcessedEvent } from '../process/processed.ts'
import type { FirstSeen } from './note-first-seen.ts'
import { bringBack, type CompareVersions, releasesOfIssue } from './record-releases.ts'

export type ResolvedIssues = {
  readonly issueOf: ReadonlyMap<ProcessedEvent, number>
  /** Events whose project was deleted while they were queued: counted as `invalid/project_gone`, never stored. */
  readonly projectGone: ReadonlySet<ProcessedEvent>
  readonly created: readonly number[]
  /** Theirs would be one new issue too many: they are counted, and stored nowhere. */
  readonly held: ReadonlySet<ProcessedEvent>
}

export type NewIssues = {
  /** Within a minute of receipt. Undefined: any number. */
  readonly perMinute: number | undefined
  /** The previous attempt decided for all of the batch. */
  readonly isHeld: ((event: ProcessedEvent) => boolean) | undefined
}
const ANY_NUMBER: NewIssues = { perMinute: undefined, isHeld: undefined }

// An event keeps the frames of the application and varies those around them: each variant is a row of a known issue.
const HASHES_PER_ISSUE = 10

/** `alreadyStored`: events that an issue has already; reprocessing moves them if their hashes changed. */
export async function resolveIssues(
  tx: Records,
  events: readonly ProcessedEvent[],
  nowMs: number,
  alreadyStored: ReadonlyMap<ProcessedEvent, number> = new Map(),
  { perMinute, isHeld }: NewIssues = ANY_NUMBER,
): Promise<ResolvedIssues> {
  const issueOf = new Map<ProcessedEvent, number>()
  const projectGone = new Set<ProcessedEvent>()
  const created: number[] = []
  const held = new Set<ProcessedEvent>()
  for (const [projectId, own] of Map.groupBy(events, (event) => event.projectId)) {
    const project = await tx
      .selectFrom('project')
      .select('issue_counter')
      .where('id', '=', projectId)
      .executeTakeFirst()
    if (!project) {
      for (const event of own) projectGone.add(event)
      continue
    }
    const known = await readHashes(tx, projectId, own)
    let counter = project.issue_counter
    const placeFeedback = openFeedbackPlaces(tx, projectId)
    let room: NewcomerRoom | undefined
    let hashRoom: NewcomerRoom | undefined
    let feedbackRoom: NewcomerRoom | undefined
    const isRoom = async ({ receivedMs, issue }: ProcessedEvent): Promise<boolean> => {
      if (perMinute === undefined || isHeld) return true
      if (issue.type === 'feedback') {
        // A spike of errors does not take the place of what people write.
        feedbackRoom ??= await openNewcomerRoom(tx, projectId, 'feedback', perMinute, rangeOf(own))
        return feedbackRoom.take(receivedMs)
      }
      room ??= await openNewcomerRoom(tx, projectId, 'issue', perMinute, rangeOf(own))
      return room.take(receivedMs)
    }
    const isRoomForHash = async ({ receivedMs }: ProcessedEvent): Promise<boolean> => {
      if (perMinute === undefined || isHeld) return true
      hashRoom ??= await openNewcomerRoom(tx, projectId, 'hash', perMinute * HASHES_PER_ISSUE, rangeOf(own))
      return hashRoom.take(receivedMs)
    }
    for (const event of own) {
      const kept = alreadyStored.get(event)
      if (kept !== undefined) {
        issueOf.set(event, kept)
        continue
      }
      if (isHeld?.(event)) {
        held.add(event)
        continue
      }
      let isNew = false
      let issueId = event.hashes.map((hash) => known.get(hash)).find((id) => id !== undefined)
      if (issueId === undefined) {
        if (!(await isRoom(event))) {
          held.add(event)
          continue
        }
        const placed = event.issue.type === 'feedback' ? await placeFeedback(event) : undefined
        issueId = await createIssue(tx, event, ++counter, nowMs, placed)
        created.push(issueId)
        isNew = true
      }
      issueOf.set(event, issueId)
      for (const hash of event.hashes) {
        if (known.has(hash)) continue
        // Without its row the event is found by the hash that is known; only the other way leads elsewhere.
        if (!isNew && event.issue.type !== 'feedback' && !(await isRoomForHash(event))) continue
        await tx.insertInto('issue_hash').values({ project_id: projectId, hash, issue_id: issueId }).execute()
        known.set(hash, issueId)
      }
    }
    await room?.save()
    await hashRoom?.save()
    await feedbackRoom?.save()
    if (counter !== project.issue_counter) {
      await tx.updateTable('project').set({ issue_counter: counter }).where('id', '=', projectId).execute()
    }
  }
  return { issueOf, projectGone, created, held }
}

const rangeOf = (events: readonly ProcessedEvent[]) => ({
  fromMs: events.reduce((least, { receivedMs }) => Math.min(least, receivedMs), Infinity),
  toMs: events.reduce((most, { receivedMs }) => Math.max(most, receivedMs), 0),
})

/** Without events yet: they are counted once they are stored. Screens leave out issues whose count is 0. */
export async function createIssue(
  tx: Records,
  event: Pick<ProcessedEvent, 'projectId' | 'eventId' | 'issue'>,
  shortNumber: number,
  nowMs: number,
  placed?: Placed,
): Promise<number> {
  const { issue } = event
  const row = await tx
    .insertInto('issue')
    .values({
      project_id: event.projectId,
      short_number: shortNumber,
      type: issue.type,
      level: issue.level,
      title: issue.title,
      culprit: issue.culprit,
      platform: issue.platform,
      metadata: placed?.metadata ?? issue.metadata,
      logger: issue.logger,
      status: placed?.isSpam ? 'ignored' : 'unresolved',
      substatus: placed?.isSpam ? 'archived_forever' : 'new',
      priority: PRIORITY_VALUES[priorityOf(issue)],
      review_reason: placed?.isSpam ? '' : 'new',
      review_ms: nowMs,
      is_unhandled: issue.isUnhandled ? 1 : 0,
      first_seen_ms: issue.timestampMs,
      last_seen_ms: issue.timestampMs,
      event_count: 0,
      first_release: issue.release,
      last_release: issue.release,
      last_event_id: event.eventId,
      created_ms: nowMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Adds stored events to their issues and projects. Runs inside the transaction that moves the position. */
type Counted = {
  readonly regressed: readonly number[]
  /** New and come back, for whoever looks who owns them. */
  readonly ownable: readonly OwnableIssue[]
}

/** `leftOut`: a stored event → those that count with it and are stored nowhere. */
export async function countEvents(
  tx: Records,
  stored: readonly ProcessedEvent[],
  issueOf: ReadonlyMap<ProcessedEvent, number>,
  firstSeen: Pick<FirstSeen, 'note'>,
  nowMs: number,
  leftOut: ReadonlyMap<ProcessedEvent, readonly ProcessedEvent[]> = new Map(),
): Promise<Counted> {
  const changes: IssueChange[] = []
  const fresh = new Map<number, ProcessedEvent>()
  const ownable: OwnableIssue[] = []
  for (const [issueId, kept] of Map.groupBy(stored, (event) => issueOf.get(event) ?? 0)) {
    const issue = await readIssue(tx, issueId)
    // Somebody deleted it meanwhile; its events go with the next deletion run.
    if (!issue) continue
    const events = leftOut.size === 0 ? kept : kept.flatMap((event) => [event, ...(leftOut.get(event) ?? [])])
    const versions = [issue.first_release, issue.last_release, issue.resolved_release, ...versionsOf(events)]
    const compare = await compareReleasesOf(
      tx,
      issue.project_id,
      versions.filter((version) => version !== ''),
    )
    const change = touched(issue, events, newestOf(kept), compare, nowMs)
    await tx.updateTable('issue').set(change).where('id', '=', issueId).execute()
    const kind = issue.event_count === 0 ? 'new' : change.status === 'unresolved' ? 'regressed' : undefined
    // Spam: nobody is told.
    if (!kind || (kind === 'new' && issue.status === 'ignored')) continue
    const newest = newestOf(kept)
    const { release: ofEvent } = newest.issue
    changes.push({
      projectId: issue.project_id,
      issueId,
      kind,
      eventId: newest.eventId,
      ...(ofEvent !== '' && { detail: { release: ofEvent } }),
    })
    const release = kind === 'new' ? ofEvent : (change.regressed_release ?? '')
    ownable.push({ issueId, projectId: issue.project_id, release, read: () => readStored(newest) })
    if (kind === 'new') fresh.set(issueId, newest)
  }
  await noteIssueChanges(tx, [...changes, ...(await firstSeen.note(tx, fresh))], nowMs)
  for (const [projectId, events] of Map.groupBy(stored, (event) => event.projectId)) {
    await tx
      .updateTable('project')
      .set({ first_event_ms: Math.min(...events.map((event) => event.receivedMs)) })
      .where('id', '=', projectId)
      .where('first_event_ms', 'is', null)
      .execute()
  }
  const regressed = changes.flatMap(({ kind, issueId }) => (kind === 'regressed' ? [issueId] : []))
  return { regressed, ownable }
}

/** The event as it was stored. Undefined for a row that a test made up. */
function readStored({ row }: ProcessedEvent): ReturnType<OwnableIssue['read']> {
  const payload = payloadOfRow(row)
  if (payload === '') return undefined
  const event = JSON.parse(payload) as NormalizedEvent
  return { event, tags: deriveTags(event) }
}

const newestOf = (events: readonly ProcessedEvent[]): ProcessedEvent =>
  events.reduce((a, b) => (b.issue.timestampMs >= a.issue.timestampMs ? b : a))

const versionsOf = (events: readonly ProcessedEvent[]): readonly string[] => [
  ...new Set(events.map(({ issue }) => issue.release)),
]

type IssueRow = NonNullable<Awaited<ReturnType<typeof readIssue>>>
const readIssue = (tx: Records, id: number) =>
  tx.selectFrom('issue').selectAll().where('id', '=', id).executeTakeFirst()

type Touched = Partial<Omit<IssueRow, 'id' | 'project_id' | 'short_number' | 'created_ms'>>

/** Times only widen; what an issue is called follows its newest event of those that can be looked at. */
function touched(
  issue: IssueRow,
  events: readonly ProcessedEvent[],
  newest: ProcessedEvent,
  compare: CompareVersions,
  nowMs: number,
): Touched {
  const lastMs = newestOf(events).issue.timestampMs
  const oldest = events.reduce((a, b) => (b.issue.timestampMs < a.issue.timestampMs ? b : a))
  const isNewest = newest.issue.timestampMs >= issue.last_seen_ms
  const isUnhandled = issue.is_unhandled === 1 || events.some((event) => event.issue.isUnhandled)
  const isEscalating = issue.substatus === 'escalating'
  const { level } = isNewest ? newest.issue : issue
  const back = issue.status === 'resolved' ? bringBack(issue, events, compare) : undefined
  return {
    event_count: issue.event_count + events.length,
    first_seen_ms: Math.min(issue.first_seen_ms, oldest.issue.timestampMs),
    last_seen_ms: Math.max(issue.last_seen_ms, lastMs),
    is_unhandled: isUnhandled ? 1 : 0,
    ...(issue.is_priority_set === 0 && {
      priority: PRIORITY_VALUES[priorityOf({ level, isUnhandled, isEscalating })],
    }),
    ...(isNewest && {
      type: newest.issue.type,
      level: newest.issue.level,
      title: newest.issue.title,
      culprit: newest.issue.culprit,
      platform: newest.issue.platform,
      // Of feedback it says also why it is spam, which the event alone does not know.
      metadata: issue.type === 'feedback' ? issue.metadata : newest.issue.metadata,
      logger: newest.issue.logger,
      last_event_id: newest.eventId,
    }),
    ...releasesOfIssue(issue, versionsOf(events), compare),
    ...(back && { ...back, review_reason: 'regression', review_ms: nowMs }),
  }
}
