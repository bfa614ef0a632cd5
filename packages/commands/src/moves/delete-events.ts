/** Deletes chosen events of a project, which can be taken back for a day. */
import { setTimeout as sleep } from 'node:timers/promises'
import { actorOf, type Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { readInput } from '../fields.ts'
import { movesOf, type Refused, type DeletedEvents, type RestoredEvents } from './issue-moves.ts'

/** Their ids stand in a row of the records, and in a statement of the engine. */
const MAX_DELETED_EVENTS = 1_000

const EVENT_ID = z.string().regex(/^[0-9a-f]{32}$/, 'ids have 32 hex digits')
const INPUT = z.object({
  eventIds: z
    .array(EVENT_ID)
    .min(1, 'at least one is needed')
    .max(MAX_DELETED_EVENTS, `at most ${MAX_DELETED_EVENTS} at once`),
})

type DeleteEventsInput = { readonly eventIds: readonly string[] }
type ProjectGrant = Grant<'event:delete', 'project'>

/**
 * Their issues count less at once, and nobody sees them when it resolves, unless the engine is very busy: then soon after. For a day
 * `restoreEvents` has them back; then they and their attachments go for good. Ids that the project has not are left out silently.
 * Throws `SondeError` (`not-found` for none, `conflict` while events of the project move), `InvalidInput`, `UnavailableError`.
 */
export async function deleteEvents(
  deps: CommandDeps,
  grant: ProjectGrant,
  input: DeleteEventsInput,
): Promise<DeletedEvents> {
  const operation = 'delete events'
  const { eventIds } = readInput(operation, INPUT, input)
  const { projectId, orgId, viewer } = grant
  const actor = actorOf(viewer)
  const end = await movesOf(deps, operation).deleteEvents(
    { projectId, eventIds: [...new Set(eventIds)], actor },
    (tx, { deletionId, events, issues }, atMs) =>
      writeAudit(tx, {
        orgId,
        viewer,
        action: 'event.delete',
        subject: nameOf(grant),
        detail: { deletion: deletionId, events, issues: issues.slice(0, 100) },
        atMs,
      }),
  )
  const done = doneOr(operation, end)
  deps.onMoves?.()
  await settled(deps, done.deletionId)
  return done
}

/** To the issues that their fingerprints lead to now. Throws like `deleteEvents`: `not-found` once their day is over. */
export async function restoreEvents(
  deps: CommandDeps,
  grant: ProjectGrant,
  { deletionId }: { readonly deletionId: number },
): Promise<RestoredEvents> {
  const operation = 'restore events'
  const { projectId, orgId, viewer } = grant
  if (!Number.isSafeInteger(deletionId)) throw notThere(operation)
  const end = await movesOf(deps, operation).restoreEvents(
    { projectId, deletionId },
    (tx, { events, issues }, atMs) =>
      writeAudit(tx, {
        orgId,
        viewer,
        action: 'event.restore',
        subject: nameOf(grant),
        detail: { deletion: deletionId, events, issues: issues.slice(0, 100) },
        atMs,
      }),
  )
  const done = doneOr(operation, end)
  deps.onMoves?.()
  await settled(deps, deletionId)
  return done
}

// Rows follow within some tenths of a second. Whoever waits sees a page on which they are where they should be.
const WAIT_MS = 5_000
const LOOK_AGAIN_MS = 25

async function settled({ records }: CommandDeps, id: number): Promise<void> {
  const untilMs = performance.now() + WAIT_MS
  while (performance.now() < untilMs) {
    const row = await records
      .selectFrom('event_deletion')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirst()
    if (row?.state !== 'hides' && row?.state !== 'restores') return
    await sleep(LOOK_AGAIN_MS)
  }
}

function doneOr<Done extends object>(operation: string, end: Done | Refused): Done {
  if (!('refused' in end)) return end
  if (end.refused === 'gone') throw notThere(operation)
  throw new SondeError('conflict', 'events of the project are moving or being erased just now', {
    operation,
    hint: 'try it again in a moment',
  })
}

const notThere = (operation: string): SondeError =>
  new SondeError('not-found', 'there are no such events', {
    operation,
    hint: 'what was deleted can be restored for a day',
  })
