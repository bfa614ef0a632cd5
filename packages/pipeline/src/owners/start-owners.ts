/**
 * Finds owners again: of issues whose stored events got their source maps late, and of the open issues of a project whose
 * ownership changed. A page of issues at a time; may be interrupted anywhere. docs/decisions/0051
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus, Clock, Logger, Tracer } from '@sonde/base'
import { dueNow, type RecordsWatch, type RunningJob, startJob } from '@sonde/jobs'
import {
  keepOwners,
  ownerSearch,
  type OwnerSearch,
  type FoundOwner,
  type Records,
  tellHeldChanges,
  type Telemetry,
  writeTransaction,
} from '@sonde/stores'
import { createThrottle } from '../reprocess/start-reprocessing.ts'
import type { Pipeline } from '../start-pipeline.ts'
import { findAgain, type OpenIssue } from './find-again.ts'

export type OwnersOptions = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'query'>
  readonly clock: Clock
  readonly logger: Logger
  readonly bus?: Bus
  readonly watch?: RecordsWatch
  readonly tracer?: Tracer
  readonly pipeline: Pick<Pipeline, 'state'>
  /** Once others have them. */
  readonly onAssigned?: (projectId: number, issueIds: readonly number[]) => void
}

// Reprocessing of another process cannot wake it but by the bus. A look is two reads of small indexes.
const LOOK_EVERY_MS = 5_000
/** Their payloads are in memory together. */
const PAGE = 20
/** The newest of a project: nobody goes through more, and each may take milliseconds. */
const MAX_ISSUES = 10_000

export function startOwners(options: OwnersOptions): RunningJob {
  const { records, pipeline } = options
  return startJob(options, {
    name: 'owners',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: async () =>
      dueNow((await requested(records, 1)).length > 0 || (await openRuns(records)).length > 0),
    async run(signal) {
      const pause = async (ms: number): Promise<void> => {
        await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
      }
      const throttle = createThrottle(() => pipeline.state().records, pause)
      while (!signal.aborted && (await findRequested(options))) await throttle.rest()
      for (const projectId of await openRuns(records))
        try {
          while (!signal.aborted && (await runStep(options, projectId))) await throttle.rest()
        } catch (error) {
          if (!signal.aborted) await noteTrouble(records, projectId, error)
          throw error
        }
      return 'done'
    },
  })
}

const requested = (records: Records, limit: number) =>
  records
    .selectFrom('owner_request')
    .select(['issue_id', 'project_id', 'times'])
    .orderBy('owner_request.issue_id')
    .limit(limit)
    .execute()

/** False: nothing is left. */
async function findRequested({ records, telemetry, clock, onAssigned }: OwnersOptions): Promise<boolean> {
  const requests = await requested(records, PAGE)
  for (const [projectId, own] of Map.groupBy(requests, (request) => request.project_id)) {
    const search = await ownerSearch(records, projectId, records)
    if (!search) continue
    const issues = await records
      .selectFrom('issue')
      .select(FINDABLE)
      .where(
        'id',
        'in',
        own.map((request) => request.issue_id),
      )
      .where('event_count', '>', 0)
      .execute()
    // Nothing to find is nothing that a map could have changed.
    const found = search.mayFind ? await findAgain({ records, telemetry }, search, issues) : new Map()
    const kept = await writeTransaction(records, async (tx) => {
      for (const { issue_id, times } of own)
        await tx
          .deleteFrom('owner_request')
          .where('issue_id', '=', issue_id)
          .where('times', '=', times)
          .execute()
      return keepAll(tx, search, found, { mayAssign: true, isHeld: false, nowMs: clock.nowMs() })
    })
    if (kept.assigned.length > 0) onAssigned?.(projectId, kept.assigned)
  }
  return requests.length === PAGE
}

const FINDABLE = ['id', 'project_id', 'last_event_id', 'first_release', 'regressed_release'] as const

const openRuns = async (records: Records): Promise<readonly number[]> => {
  const rows = await records
    .selectFrom('ownership_run')
    .select('project_id')
    .where('finished_ms', 'is', null)
    .orderBy('ownership_run.project_id')
    .execute()
  return rows.map((row) => row.project_id)
}

/** A page of one run, from the newest issue to the oldest. False: it is over. */
async function runStep(options: OwnersOptions, projectId: number): Promise<boolean> {
  const { records, telemetry, clock, onAssigned } = options
  const run = await records
    .selectFrom('ownership_run')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('finished_ms', 'is', null)
    .executeTakeFirst()
  const search = run && (await ownerSearch(records, projectId, records))
  if (!run || !search) return false
  const isNew = run.total_count === null
  const left = MAX_ISSUES - run.seen_count
  const issues = left <= 0 ? [] : await openIssues(records, run, Math.min(left, PAGE))
  const found = await findAgain({ records, telemetry }, search, issues)
  const total = isNew ? Math.min(MAX_ISSUES, await countOpen(records, projectId)) : run.total_count
  const nowMs = clock.nowMs()
  const kept = await writeTransaction(records, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('ownership_run')
      .set({
        trouble: '',
        total_count: total,
        seen_count: run.seen_count + issues.length,
        before_number: issues.at(-1)?.short_number ?? run.before_number,
        ...(issues.length === 0 && { finished_ms: nowMs }),
      })
      .where('project_id', '=', projectId)
      // The ownership changed meanwhile: it begins anew.
      .where('version', '=', run.version)
      .executeTakeFirst()
    if (Number(numUpdatedRows) === 0) return undefined
    const how = { mayAssign: run.is_assigning === 1, isHeld: true, nowMs }
    const { changed, assigned } = await keepAll(tx, search, found, how)
    await tx
      .updateTable('ownership_run')
      .set({
        changed_count: run.changed_count + changed,
        assigned_count: run.assigned_count + assigned.length,
      })
      .where('project_id', '=', projectId)
      .execute()
    if (issues.length === 0) await tellHeldChanges(tx, projectId)
    return { assigned }
  })
  if (kept && kept.assigned.length > 0) onAssigned?.(projectId, kept.assigned)
  return !kept || issues.length > 0
}

const selectOpen = (records: Records, projectId: number) =>
  records
    .selectFrom('issue')
    .where('project_id', '=', projectId)
    .where('status', '=', 'unresolved')
    .where('event_count', '>', 0)
    // Their events are another's.
    .where('id', 'not in', (eb) =>
      eb.selectFrom('issue_merge').select('issue_id').where('issue_merge.project_id', '=', projectId),
    )

const openIssues = (
  records: Records,
  {
    project_id: projectId,
    before_number: before,
  }: { readonly project_id: number; readonly before_number: number },
  limit: number,
): Promise<readonly (OpenIssue & { readonly short_number: number })[]> =>
  selectOpen(records, projectId)
    .select([...FINDABLE, 'short_number'])
    .$if(before > 0, (query) => query.where('short_number', '<', before))
    .orderBy('short_number', 'desc')
    .limit(limit)
    .execute()

async function countOpen(records: Records, projectId: number): Promise<number> {
  const { count } = await selectOpen(records, projectId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

type Keeping = { readonly mayAssign: boolean; readonly isHeld: boolean; readonly nowMs: number }

async function keepAll(
  tx: Records,
  { ownership }: OwnerSearch,
  found: ReadonlyMap<number, readonly FoundOwner[]>,
  { mayAssign, ...how }: Keeping,
): Promise<{ readonly changed: number; readonly assigned: readonly number[] }> {
  const assigned: number[] = []
  let changed = 0
  const there = await tx
    .selectFrom('issue')
    .select(['id', 'status'])
    .where('id', 'in', [0, ...found.keys()])
    .execute()
  for (const { id: issueId, status } of there) {
    // What is resolved or archived is nobody's work any more.
    const isOpen = status === 'unresolved'
    const issue = { issueId, projectId: ownership.projectId }
    const kept = await keepOwners(tx, ownership, issue, found.get(issueId) ?? [], {
      ...how,
      mayAssign: mayAssign && isOpen,
    })
    if (kept.isChanged) changed += 1
    if (kept.isAssigned) assigned.push(issueId)
  }
  return { changed, assigned }
}

async function noteTrouble(records: Records, projectId: number, error: unknown): Promise<void> {
  const trouble = error instanceof Error ? error.message.slice(0, 500) : String(error)
  await records
    .updateTable('ownership_run')
    .set({ trouble })
    .where('project_id', '=', projectId)
    .where('finished_ms', 'is', null)
    .execute()
    .catch(() => undefined)
}
