/** "Reprocess now": stored events that are not readable are read again with the source maps that are there. */
import { actorOf, type Grant } from '@sonde/access'
import { type AuditAction, type Records, type ReprocessingTarget, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { readInput } from './fields.ts'

const MAX_RELEASE_CHARS = 250
const INPUT = z.object({
  release: z.string().trim().min(1).max(MAX_RELEASE_CHARS).optional(),
})

/** Without a release: events of all of them. */
export type ReprocessEventsInput = { readonly release?: string | undefined }
/** `isNew`: false when the same was asked before and has not begun. */
export type RequestedReprocessing = { readonly id: number; readonly isNew: boolean }

/**
 * Uploads ask by themselves; this is for what they cannot know, such as a map that was sent to another project first.
 * Begins within seconds, also when the command line asks. For who uploads maps, and
 * for who looks after the project. Throws `InvalidInput`.
 */
export async function reprocessEvents(
  deps: CommandDeps,
  grant: Grant<'release:write' | 'project:write', 'project'>,
  input: ReprocessEventsInput,
): Promise<RequestedReprocessing> {
  const { release } = readInput('reprocess events', INPUT, input)
  const target: ReprocessingTarget = {
    debugIds: [],
    projectIds: [grant.projectId],
    ...(release !== undefined && { release }),
  }
  return request(deps, grant, target, 'artifacts.repair_asked', { release })
}

/**
 * Applies the scrubbing rules that the project has to every event that is stored of it. It goes on in the background; what was
 * removed cannot be brought back.
 */
export const scrubStoredEvents = (
  deps: CommandDeps,
  grant: Grant<'project:write', 'project'>,
): Promise<RequestedReprocessing> =>
  request(
    deps,
    grant,
    { debugIds: [], projectIds: [grant.projectId], scrub: true },
    'project.scrub-stored',
    {},
  )

async function request(
  deps: CommandDeps,
  grant: Grant<'release:write' | 'project:write', 'project'>,
  target: ReprocessingTarget,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
): Promise<RequestedReprocessing> {
  const { orgId, viewer } = grant
  const atMs = deps.clock.nowMs()
  const requested = await writeTransaction(deps.records, async (tx) => {
    const before = await openOne(tx, orgId, target)
    if (before !== undefined) return { id: before, isNew: false }
    const { id } = await tx
      .insertInto('repair')
      .values({
        org_id: orgId,
        cause: 'asked',
        actor: actorOf(viewer),
        target: JSON.stringify(target),
        requested_ms: atMs,
        started_ms: null,
        finished_ms: null,
        total_count: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await writeAudit(tx, {
      orgId,
      viewer,
      action,
      subject: `${grant.orgSlug}/${grant.projectSlug}`,
      detail: { repair: id, ...detail },
      atMs,
    })
    return { id, isNew: true }
  })
  deps.onArtifacts?.()
  return requested
}

/** One that has not begun looks at everything that another would. */
async function openOne(tx: Records, orgId: number, target: ReprocessingTarget): Promise<number | undefined> {
  const row = await tx
    .selectFrom('repair')
    .select('id')
    .where('org_id', '=', orgId)
    .where('cause', '=', 'asked')
    .where('target', '=', JSON.stringify(target))
    .where('started_ms', 'is', null)
    .where('finished_ms', 'is', null)
    .executeTakeFirst()
  return row?.id
}
