/**
 * Tells trackers what their links request: to make an issue, to close it, to open it. A request is taken away after the tracker did it,
 * and only if it is still the same, so a crash asks once more for a state that is there already, and a change of mind is not
 * lost. One process at a time runs this, by lease.
 */
import { createHash } from 'node:crypto'
import { type Clock, forEachAtOnce, type Logger } from '@sonde/base'
import {
  HAS_REQUEST,
  noteIssueChange,
  type Records,
  type TrackerRequest,
  writeTransaction,
} from '@sonde/stores'
import { readIssueFacts } from '../issues/incidents.ts'
import { nextAttemptMs } from '../outbox/retry.ts'
import { TrackerRefusal } from './call-tracker.ts'
import { draftOf, issueUrl } from './draft.ts'
import type { ExternalIssue } from './tracker.ts'
import { type OpenTracker, openTracker, type TrackerDeps } from './trackers.ts'

export type SyncDeps = {
  readonly records: Records
  readonly clock: Clock
  readonly logger: Logger
  readonly publicUrl: string
  readonly trackers: TrackerDeps
  /** Called after each step; tests end the process here. */
  readonly afterStep?: (step: SyncStep) => void | Promise<void>
}

const SYNC_STEPS = ['claimed', 'told', 'noted'] as const
export type SyncStep = (typeof SYNC_STEPS)[number]

const DUE_AT_ONCE = 500
const TRACKERS_AT_ONCE = 8
/** The rest of a tracker that does not answer waits so long at least. */
const HOLD_MS = 5_000

export const nextRequestMs = async (records: Records): Promise<number | undefined> => {
  const row = await records
    .selectFrom('tracker_link')
    .select((eb) => eb.fn.min('next_attempt_ms').as('at'))
    .where(HAS_REQUEST)
    .executeTakeFirst()
  return row?.at ?? undefined
}

type Due = Awaited<ReturnType<typeof readDue>>[number]

const readDue = (records: Records, nowMs: number) =>
  records
    .selectFrom('tracker_link')
    .innerJoin('tracker_connection', 'tracker_connection.id', 'tracker_link.connection_id')
    .select([
      'tracker_link.id',
      'connection_id',
      'issue_id',
      'external_id',
      'external_key',
      'state',
      'wanted',
    ])
    .select(['attempts', 'kind', 'settings', 'secret', 'sync_out', 'tracker_link.created_by'])
    .where(HAS_REQUEST)
    .where('next_attempt_ms', '<=', nowMs)
    .orderBy('tracker_link.id')
    .limit(DUE_AT_ONCE)
    .execute()

/** In order for each tracker. Ends early, between two issues, when the signal does. */
export async function syncLinks(deps: SyncDeps, signal: AbortSignal): Promise<number> {
  const due = await readDue(deps.records, deps.clock.nowMs())
  const trackers = [...Map.groupBy(due, ({ connection_id }) => connection_id).values()]
  await forEachAtOnce(trackers, TRACKERS_AT_ONCE, signal, (own) => syncTracker(deps, own, signal))
  return due.length
}

async function syncTracker(deps: SyncDeps, due: readonly Due[], signal: AbortSignal): Promise<void> {
  const { records, clock, afterStep = () => undefined } = deps
  let opened: OpenTracker | undefined
  for (const [at, link] of due.entries()) {
    if (signal.aborted) return
    const attempts = link.attempts + 1
    await records.updateTable('tracker_link').set({ attempts }).where('id', '=', link.id).execute()
    await afterStep('claimed')
    try {
      opened ??= await openTracker(deps.trackers, link)
      const told = await tell(deps, opened, link)
      await afterStep('told')
      await noteDone(deps, link, told)
    } catch (error) {
      if (!(error instanceof TrackerRefusal)) throw error
      const waitMs = await noteRefused(deps, { ...link, attempts }, error)
      if (waitMs !== undefined) return hold(records, due.slice(at + 1), clock.nowMs() + waitMs)
    }
    await afterStep('noted')
  }
}

/** Undefined: there is nothing to tell any more. */
async function tell(
  { records, publicUrl }: SyncDeps,
  { client, settings }: OpenTracker,
  { id, issue_id, external_id, external_key: key, state, wanted }: Due,
): Promise<ExternalIssue | undefined> {
  if (wanted === '') return undefined
  const [facts] = await readIssueFacts(records, [issue_id])
  if (!facts) return undefined
  if (wanted === 'create')
    return client.create(settings.places[0] ?? '', draftOf(facts, publicUrl), onceKey(id))
  if (wanted === 'closed' && (await isOthersToo(records, { id, external_id }))) return undefined
  const issue = { id: external_id, key }
  const told = await client.setState(issue, wanted)
  if (wanted === 'open' && state === 'closed' && (await hasRegressed(records, issue_id))) {
    const release = facts.last_release === '' ? '' : ` in release ${facts.last_release}`
    const shortId = `${facts.project_slug.toUpperCase()}-${facts.short_number}`
    const text = `[${shortId}](${issueUrl(publicUrl, facts)}) has regressed: it was seen again${release}.`
    // The issue is open; that it is not said why is no reason to try again.
    await client.comment(issue, text).catch((error: unknown) => {
      if (!(error instanceof TrackerRefusal)) throw error
    })
  }
  return told
}

/** It is closed with the last of the issues that it stands for. */
async function isOthersToo(
  records: Records,
  { id, external_id }: Pick<Due, 'id' | 'external_id'>,
): Promise<boolean> {
  const row = await records
    .selectFrom('tracker_link as own')
    .innerJoin('tracker_link as other', (join) =>
      join
        .onRef('other.connection_id', '=', 'own.connection_id')
        .onRef('other.external_id', '=', 'own.external_id'),
    )
    .innerJoin('issue', 'issue.id', 'other.issue_id')
    .select('other.id')
    .where('own.id', '=', id)
    .where('other.id', '<>', id)
    .where('other.external_id', '=', external_id)
    .where('issue.status', '=', 'unresolved')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function hasRegressed(records: Records, issueId: number): Promise<boolean> {
  const last = await records
    .selectFrom('issue_change')
    .select('kind')
    .where('issue_id', '=', issueId)
    .where('kind', 'in', ['regressed', 'reopened', 'resolved', 'ignored'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.kind === 'regressed'
}

/** A UUID that is the same for each try, for trackers that make one issue of it. */
function onceKey(linkId: number): string {
  const bytes = createHash('sha256').update(`sonde tracker link ${linkId}`).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const stateOf = ({ isOpen }: ExternalIssue): 'open' | 'closed' => (isOpen ? 'open' : 'closed')

/** A rule had it made: in the activity of the issue. */
async function noteMade(
  tx: Records,
  {
    issue_id: issueId,
    connection_id: trackerId,
    created_by: actor,
  }: Pick<Due, 'issue_id' | 'connection_id' | 'created_by'>,
  { key, url }: ExternalIssue,
  nowMs: number,
): Promise<void> {
  const issue = await tx.selectFrom('issue').select('project_id').where('id', '=', issueId).executeTakeFirst()
  if (!issue) return
  const detail = { trackerId, key, url }
  await noteIssueChange(tx, { projectId: issue.project_id, issueId, kind: 'linked', actor, detail }, nowMs)
}

/** The request goes, unless it became another one meanwhile. */
const endRequest = (tx: Records, id: number, told: TrackerRequest) =>
  tx
    .updateTable('tracker_link')
    .set({ wanted: '', attempts: 0 })
    .where('id', '=', id)
    .where('wanted', '=', told)
    .execute()

async function noteDone(
  { records, clock }: SyncDeps,
  { id, connection_id, issue_id, wanted, sync_out, created_by }: Due,
  told: ExternalIssue | undefined,
): Promise<void> {
  const nowMs = clock.nowMs()
  await writeTransaction(records, async (tx) => {
    const isNew = told !== undefined && wanted === 'create'
    // Who resolves the issue waits here, and then finds a link that can be closed.
    if (isNew)
      await tx
        .updateTable('issue')
        .set((eb) => ({ status: eb.ref('status') }))
        .where('id', '=', issue_id)
        .execute()
    const facts = told && {
      external_id: told.id,
      external_key: told.key,
      url: told.url,
      title: told.title,
      state: stateOf(told),
      changed_ms: told.changedMs,
      synced_ms: nowMs,
    }
    await tx
      .updateTable('tracker_link')
      .set({ attempts: 0, answer: '', ...facts })
      .where('id', '=', id)
      .execute()
    await endRequest(tx, id, wanted)
    // It may stand for other issues as well.
    if (facts)
      await tx
        .updateTable('tracker_link')
        .set(facts)
        .where('connection_id', '=', connection_id)
        .where('external_id', '=', facts.external_id)
        .where('id', '<>', id)
        .execute()
    if (isNew) await noteMade(tx, { issue_id, connection_id, created_by }, told, nowMs)
    if (isNew && sync_out === 1) await closeIfResolved(tx, id, nowMs)
    if (told)
      await tx
        .updateTable('tracker_connection')
        .set({ failing_since_ms: null })
        .where('id', '=', connection_id)
        .where('failing_since_ms', 'is not', null)
        .execute()
  })
}

/** Resolved while it was on its way. */
async function closeIfResolved(tx: Records, linkId: number, nowMs: number): Promise<void> {
  await tx
    .updateTable('tracker_link')
    .set({ wanted: 'closed', next_attempt_ms: nowMs })
    .where('id', '=', linkId)
    .where('issue_id', 'in', (eb) => eb.selectFrom('issue').select('id').where('status', '=', 'resolved'))
    .execute()
}

/** Of one issue alone, which says nothing about the tracker. */
const OF_ISSUE: ReadonlySet<number | undefined> = new Set([400, 404, 409, 410, 422])

/** How long the others of this tracker are to wait; undefined: they may be tried. */
async function noteRefused(
  { records, clock, logger }: SyncDeps,
  { id, connection_id, wanted, attempts }: Due,
  { message: answer, again, afterMs, status }: TrackerRefusal,
): Promise<number | undefined> {
  const nowMs = clock.nowMs()
  const next = again === 'later' ? nextAttemptMs(attempts, nowMs, afterMs) : undefined
  if (next === undefined) logger.warn({ link: id, answer }, 'an issue tracker refused a change for good')
  await writeTransaction(records, async (tx) => {
    await tx
      .updateTable('tracker_link')
      // A request that came meanwhile waits as long: it is the same tracker.
      .set({ answer, ...(next !== undefined && { next_attempt_ms: next }) })
      .where('id', '=', id)
      .execute()
    if (next === undefined) await endRequest(tx, id, wanted)
    if (OF_ISSUE.has(status)) return
    await tx
      .updateTable('tracker_connection')
      .set({ failing_since_ms: nowMs })
      .where('id', '=', connection_id)
      .where('failing_since_ms', 'is', null)
      .execute()
  })
  return again === 'later' ? Math.max(HOLD_MS, afterMs ?? 0) : undefined
}

async function hold(records: Records, due: readonly Due[], untilMs: number): Promise<void> {
  if (due.length === 0) return
  await records
    .updateTable('tracker_link')
    .set({ next_attempt_ms: untilMs })
    .where(
      'id',
      'in',
      due.map(({ id }) => id),
    )
    .execute()
}
