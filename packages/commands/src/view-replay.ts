/** Notes that a person looked at a replay. */
import { type Grant } from '@sonde/access'
import { z } from 'zod'
import type { CommandDeps } from './command-deps.ts'
import { readInput } from './fields.ts'

const INPUT = z.object({ replayId: z.string().regex(/^[0-9a-f]{32}$/) })

/** False: the project has no recording of it, or nobody asks. The last time counts. Throws `InvalidInput`. */
export async function viewReplay(
  { records, clock }: Pick<CommandDeps, 'records' | 'clock'>,
  { projectId, viewer }: Grant<'event:read', 'project'>,
  input: { readonly replayId: string },
): Promise<boolean> {
  const { replayId } = readInput('note who saw a replay', INPUT, input)
  const userId = viewer.kind === 'operator' ? undefined : viewer.userId
  if (userId === undefined) return false
  const known = await records
    .selectFrom('replay_segment')
    .select('segment_id')
    .where('project_id', '=', projectId)
    .where('replay_id', '=', replayId)
    .limit(1)
    .executeTakeFirst()
  if (!known) return false
  const atMs = clock.nowMs()
  await records
    .insertInto('replay_view')
    .values({ project_id: projectId, replay_id: replayId, user_id: userId, at_ms: atMs })
    .onConflict((on) => on.columns(['project_id', 'replay_id', 'user_id']).doUpdateSet({ at_ms: atMs }))
    .execute()
  return true
}
