/** Moves the rows of events after their fingerprints, and removes those of deleted issues: one after the other, in the order asked. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus, Clock, Logger, Tracer } from '@sonde/base'
import { dueNow, type RecordsWatch, type RunningJob, startJob } from '@sonde/jobs'
import { openMoves, type OpenMove, type Records, type Telemetry } from '@sonde/stores'
import type { ReprocessingChange } from '../reprocess/reprocessing-cursor.ts'
import { createThrottle, type Throttle } from '../reprocess/start-reprocessing.ts'
import type { Pipeline } from '../start-pipeline.ts'
import { deleteIssueEvents, type OpenDeletion, openDeletions } from './delete-events.ts'
import {
  type HideStep,
  openEventDeletions,
  type OpenEventDeletion,
  workOffEventDeletion,
} from './hide-events.ts'
import { moveChunk, type MoveStep } from './move-events.ts'

export type MovesOptions = {
  readonly records: Records
  readonly telemetry: Pick<Telemetry, 'insert' | 'query' | 'deleteRows'>
  readonly clock: Clock
  readonly logger: Logger
  readonly bus?: Bus
  readonly watch?: RecordsWatch
  readonly tracer?: Tracer
  /** Moving rests while much arrives. */
  readonly pipeline: { readonly state: () => Pick<ReturnType<Pipeline['state']>, 'records'> }
  /** Once what was moved can be queried. */
  readonly onChange?: (change: ReprocessingChange) => void
  /** Only tests of crashes need it. */
  readonly afterStep?: (step: MoveStep | HideStep) => void | Promise<void>
}
type Needs = MovesOptions & {
  readonly throttle: Throttle
  readonly signal: AbortSignal
  readonly afterStep: (step: MoveStep | HideStep) => void | Promise<void>
}

// Another process's command cannot wake it but by the bus. A look is two reads of small indexes.
const LOOK_EVERY_MS = 5_000
// Finished ones are kept for a look into what happened.
const KEPT_MS = 30 * 86_400_000

export function startMoves(options: MovesOptions): RunningJob {
  const { records, pipeline, afterStep = () => undefined } = options
  return startJob(options, {
    name: 'issue-moves',
    lookEveryMs: LOOK_EVERY_MS,
    dueMs: async () =>
      dueNow(
        (await openMoves(records)).length > 0 ||
          (await openDeletions(records)).length > 0 ||
          (await openEventDeletions(records)).length > 0,
      ),
    async run(signal) {
      const pause = async (ms: number): Promise<void> => {
        await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)
      }
      const throttle = createThrottle(() => pipeline.state().records, pause)
      const needs: Needs = { ...options, afterStep, signal, throttle }
      for (const move of await openMoves(records)) {
        if (signal.aborted) return 'done'
        await moveAll(needs, move)
      }
      for (const deletion of await openDeletions(records)) {
        if (signal.aborted) return 'done'
        await deleteAll(needs, deletion)
      }
      for (const deletion of await openEventDeletions(records)) {
        if (signal.aborted) return 'done'
        await hideOrPurge(needs, deletion)
      }
      return 'done'
    },
  })
}

async function moveAll(needs: Needs, move: OpenMove): Promise<void> {
  const { records, clock, signal, throttle, onChange } = needs
  const change = {
    projects: [move.project_id],
    issues: [move.from_issue_id, move.into_issue_id],
    created: [],
    regressed: [],
  }
  try {
    // What stood between two chunks is found by another look, which finds nothing in the end.
    for (let moved = 1; moved > 0;) {
      moved = 0
      for (
        let at = await moveChunk(needs, move, undefined);
        at;
        at = await moveChunk(needs, move, at.after)
      ) {
        moved += at.moved
        const { moved: count } = at
        await records
          .updateTable('issue_move')
          .set((eb) => ({ moved_count: eb('moved_count', '+', count), trouble: '' }))
          .where('id', '=', move.id)
          .execute()
        if (count > 0) onChange?.(change)
        await throttle.rest()
        if (signal.aborted) return
      }
    }
    const nowMs = clock.nowMs()
    await records
      .updateTable('issue_move')
      .set({ finished_ms: nowMs, trouble: '' })
      .where('id', '=', move.id)
      .execute()
    await records
      .deleteFrom('issue_move')
      .where('finished_ms', '<', nowMs - KEPT_MS)
      .execute()
    onChange?.(change)
  } catch (error) {
    if (signal.aborted) return
    const trouble = error instanceof Error ? error.message.slice(0, 500) : String(error)
    await records
      .updateTable('issue_move')
      .set({ trouble })
      .where('id', '=', move.id)
      .execute()
      .catch(() => undefined)
    throw error
  }
}

async function hideOrPurge(needs: Needs, deletion: OpenEventDeletion): Promise<void> {
  const { records, signal, onChange } = needs
  const { id, projectId, items } = deletion
  try {
    await workOffEventDeletion(needs, deletion)
  } catch (error) {
    if (signal.aborted) return
    const trouble = error instanceof Error ? error.message.slice(0, 500) : String(error)
    await records
      .updateTable('event_deletion')
      .set({ trouble })
      .where('id', '=', id)
      .execute()
      .catch(() => undefined)
    throw error
  }
  const issues = [...new Set(items.flatMap(({ from, to }) => (to === 0 ? [from] : [from, to])))]
  onChange?.({ projects: [projectId], issues, created: [], regressed: [] })
}

async function deleteAll(needs: Needs, deletion: OpenDeletion): Promise<void> {
  const { records, clock, signal, throttle, onChange } = needs
  while ((await deleteIssueEvents(needs, deletion)) > 0) {
    await throttle.rest()
    if (signal.aborted) return
  }
  const nowMs = clock.nowMs()
  await records
    .updateTable('issue_deletion')
    .set({ finished_ms: nowMs })
    .where('id', '=', deletion.id)
    .execute()
  await records
    .deleteFrom('issue_deletion')
    .where('finished_ms', '<', nowMs - KEPT_MS)
    .execute()
  onChange?.({ projects: [deletion.projectId], issues: deletion.issueIds, created: [], regressed: [] })
}
