import type { Grant } from '@sonde/access'
import { heldNewcomers } from '@sonde/stores'
import type { DoorRefusals } from './project-refusals.ts'
import type { QueryDeps } from './query-deps.ts'

const DAY_MS = 86_400_000

export type ProjectNewcomers = {
  /** Events and their files that would have made one issue too many. */
  readonly issues: DoorRefusals
  /** How often a release was not listed; its events are stored. */
  readonly releases: DoorRefusals
}

/** What was held back within 24 hours because a project makes only so many a minute. Two ranges of a small table. */
export async function projectNewcomers(
  { records, clock }: Pick<QueryDeps, 'records' | 'clock'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
): Promise<ProjectNewcomers> {
  const sinceMs = clock.nowMs() - DAY_MS
  const of = async (kind: 'issue' | 'release'): Promise<DoorRefusals> => {
    const { held, lastMs } = await heldNewcomers(records, grant, kind, sinceMs)
    return { quantity: held, lastMs }
  }
  return { issues: await of('issue'), releases: await of('release') }
}
