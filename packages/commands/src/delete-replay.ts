/** Takes a session replay away: its recording and its rows. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { discardRecordings, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { writeAudit } from './audit.ts'
import type { CommandDeps } from './command-deps.ts'
import { readInput } from './fields.ts'

const INPUT = z.object({ replayId: z.string().regex(/^[0-9a-f]{32}$/) })

/**
 * Cannot be undone: it is hidden at once, its bytes and rows leave soon after, and so does what the visitor's page still
 * sends of it. Throws `SondeError` (`not-found`), `InvalidInput`.
 */
export async function deleteReplay(
  deps: CommandDeps,
  grant: Grant<'event:delete', 'project'>,
  input: { readonly replayId: string },
): Promise<void> {
  const operation = 'delete a replay'
  const { replayId } = readInput(operation, INPUT, input)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const segments = await tx
      .deleteFrom('replay_segment')
      .where('project_id', '=', grant.projectId)
      .where('replay_id', '=', replayId)
      .returning(['blob', 'raw_bytes', 'video_blob', 'video_bytes'])
      .execute()
    if (segments.length === 0) {
      throw new SondeError('not-found', `the project has no recording of the replay ${replayId}`, {
        operation,
        subject: `${grant.orgSlug}/${grant.projectSlug}/${replayId}`,
      })
    }
    await discardRecordings(
      tx,
      segments.flatMap(({ blob, video_blob }) => [blob, ...(video_blob === null ? [] : [video_blob])]),
      atMs,
    )
    await tx
      .deleteFrom('replay_view')
      .where('project_id', '=', grant.projectId)
      .where('replay_id', '=', replayId)
      .execute()
    await tx
      .insertInto('replay_deletion')
      .values({ project_id: grant.projectId, replay_id: replayId, requested_ms: atMs })
      .onConflict((on) => on.doNothing())
      .execute()
    await writeAudit(tx, {
      orgId: grant.orgId,
      viewer: grant.viewer,
      action: 'replay.delete',
      subject: `${grant.orgSlug}/${grant.projectSlug}/${replayId}`,
      detail: {
        segments: segments.length,
        bytes: segments.reduce((sum, { raw_bytes, video_bytes }) => sum + raw_bytes + (video_bytes ?? 0), 0),
      },
      atMs,
    })
  })
  deps.onDeletion?.()
}
