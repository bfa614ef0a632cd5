/**
 * Makes the releases that a batch names, and notes when the first and the last of each came. Runs inside the transaction
 * that counts the batch; told twice it changes nothing.
 */
import type { Records } from '@sonde/stores'
import type { DigestedEvent } from '../digest/digested.ts'
import type { DigestedSpans } from '../spans/digested-spans.ts'

export type SeenRelease = {
  readonly projectId: number
  readonly version: string
  readonly firstMs: number
  readonly lastMs: number
}

/** One for each project and release, with its earliest and latest time. A sender's clock that runs ahead is held back. */
export function releasesIn(
  events: readonly DigestedEvent[],
  spans: readonly DigestedSpans[],
): readonly SeenRelease[] {
  const seen = new Map<string, SeenRelease>()
  const note = (projectId: number, version: string, atMs: number): void => {
    if (version === '') return
    const key = keyOf({ projectId, version })
    const { firstMs, lastMs } = seen.get(key) ?? { firstMs: atMs, lastMs: atMs }
    seen.set(key, { projectId, version, firstMs: Math.min(firstMs, atMs), lastMs: Math.max(lastMs, atMs) })
  }
  for (const { projectId, issue, receivedMs } of events)
    note(projectId, issue.release, Math.min(issue.timestampMs, receivedMs))
  for (const { projectId, releases, timestampMs, receivedMs } of spans)
    for (const version of releases) note(projectId, version, Math.min(timestampMs, receivedMs))
  return [...seen.values()]
}

/** Times move by a minute at least: otherwise every batch would write. */
const STEP_MS = 60_000
const MAX_REMEMBERED = 10_000

export type ReleaseMemory = {
  /** What the records may not know yet. */
  unknown(seen: readonly SeenRelease[]): readonly SeenRelease[]
  /** Once the transaction is through. */
  remember(seen: readonly SeenRelease[]): void
}

const memories = new WeakMap<object, ReleaseMemory>()

/** One for each set of records, as long as they are open. A release that is deleted meanwhile comes back within a minute. */
export function releaseMemoryOf(records: Records): ReleaseMemory {
  const memory = memories.get(records) ?? createReleaseMemory()
  memories.set(records, memory)
  return memory
}

export function createReleaseMemory(): ReleaseMemory {
  const known = new Map<string, Pick<SeenRelease, 'firstMs' | 'lastMs'>>()
  return {
    unknown: (seen) =>
      seen.filter((release) => {
        const before = known.get(keyOf(release))
        return (
          before === undefined ||
          release.lastMs >= before.lastMs + STEP_MS ||
          release.firstMs <= before.firstMs - STEP_MS
        )
      }),
    remember(seen) {
      for (const release of seen) {
        const key = keyOf(release)
        const { firstMs, lastMs } = known.get(key) ?? release
        known.delete(key)
        known.set(key, {
          firstMs: Math.min(firstMs, release.firstMs),
          lastMs: Math.max(lastMs, release.lastMs),
        })
      }
      for (const key of known.keys()) {
        if (known.size <= MAX_REMEMBERED) break
        known.delete(key)
      }
    },
  }
}

export async function seeReleases(tx: Records, seen: readonly SeenRelease[]): Promise<void> {
  for (const [projectId, releases] of Map.groupBy(seen, (release) => release.projectId)) {
    const project = await tx
      .selectFrom('project')
      .select('org_id')
      .where('id', '=', projectId)
      .executeTakeFirst()
    // Deleted meanwhile.
    if (project) for (const release of releases) await seeRelease(tx, project.org_id, release)
  }
}

async function seeRelease(
  tx: Records,
  orgId: number,
  { projectId, version, firstMs, lastMs }: SeenRelease,
): Promise<void> {
  await tx
    .insertInto('release')
    .values({ org_id: orgId, version, created_ms: firstMs })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await tx
    .insertInto('release_project')
    .columns(['release_id', 'project_id', 'first_event_ms', 'last_event_ms'])
    .expression((eb) =>
      eb
        .selectFrom('release')
        .select(['id', eb.val(projectId).as('p'), eb.val(firstMs).as('f'), eb.val(lastMs).as('l')])
        .where('org_id', '=', orgId)
        .where('version', '=', version),
    )
    .onConflict((conflict) =>
      conflict.columns(['release_id', 'project_id']).doUpdateSet((eb) => ({
        first_event_ms: eb.fn('min', [
          eb.fn.coalesce('release_project.first_event_ms', 'excluded.first_event_ms'),
          'excluded.first_event_ms',
        ]),
        last_event_ms: eb.fn('max', [
          eb.fn.coalesce('release_project.last_event_ms', 'excluded.last_event_ms'),
          'excluded.last_event_ms',
        ]),
      })),
    )
    .execute()
}

const keyOf = ({ projectId, version }: Pick<SeenRelease, 'projectId' | 'version'>): string =>
  `${projectId} ${version}`
