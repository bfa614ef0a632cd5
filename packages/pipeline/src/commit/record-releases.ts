/**
 * Makes the releases that a batch names, and notes when the first and the last of each came. Runs inside the transaction
 * that counts the batch; run twice it changes nothing.
 */
import { createBoundedMap } from '@sonde/base'
import {
  greatest,
  type IssueTable,
  least,
  openNewcomerRoom,
  type Records,
  type Selectable,
} from '@sonde/stores'
import type { ProcessedEvent, ProcessedRows } from '../process/processed.ts'

export type SeenRelease = {
  readonly projectId: number
  readonly version: string
  readonly firstMs: number
  readonly lastMs: number
  /** When the first of it in the batch was received. */
  readonly receivedMs: number
}

/** One for each project and release, with its earliest and latest time. A sender's clock that runs ahead is held back. */
export function releasesIn(
  events: readonly ProcessedEvent[],
  items: readonly ProcessedRows[],
): readonly SeenRelease[] {
  const seen = new Map<string, SeenRelease>()
  const note = (projectId: number, version: string, timestampMs: number, receivedMs: number): void => {
    if (version === '') return
    const key = keyOf({ projectId, version })
    const atMs = Math.min(timestampMs, receivedMs)
    const before = seen.get(key)
    seen.set(key, {
      projectId,
      version,
      firstMs: Math.min(before?.firstMs ?? atMs, atMs),
      lastMs: Math.max(before?.lastMs ?? atMs, atMs),
      receivedMs: Math.min(before?.receivedMs ?? receivedMs, receivedMs),
    })
  }
  for (const { projectId, issue, receivedMs } of events)
    note(projectId, issue.release, issue.timestampMs, receivedMs)
  for (const { projectId, releases, timestampMs, receivedMs } of items)
    for (const version of releases) note(projectId, version, timestampMs, receivedMs)
  return [...seen.values()]
}

/** Times move by a minute at least: otherwise every batch would write. */
const STEP_MS = 60_000
const MAX_REMEMBERED = 10_000

export type ReleaseMemory = {
  /** What the records may not know yet. */
  unknown(seen: readonly SeenRelease[], nowMs: number): readonly SeenRelease[]
  /** Once the transaction is through. */
  remember(seen: readonly SeenRelease[], nowMs: number): void
}

type Remembered = Pick<SeenRelease, 'firstMs' | 'lastMs'> & { readonly writtenMs: number }

const memories = new WeakMap<object, ReleaseMemory>()

/**
 * One for each set of records, as long as they are open. It only spares writes that would change nothing, and forgets after
 * a minute: a release that somebody deleted meanwhile, in this process or another, comes back with the next event.
 */
export function releaseMemoryOf(records: Records): ReleaseMemory {
  const memory = memories.get(records) ?? createReleaseMemory()
  memories.set(records, memory)
  return memory
}

export function createReleaseMemory(): ReleaseMemory {
  const known = createBoundedMap<string, Remembered>(MAX_REMEMBERED)
  return {
    unknown: (seen, nowMs) =>
      seen.filter((release) => {
        const before = known.get(keyOf(release))
        return (
          before === undefined ||
          Math.abs(nowMs - before.writtenMs) >= STEP_MS ||
          release.lastMs >= before.lastMs + STEP_MS ||
          release.firstMs <= before.firstMs - STEP_MS
        )
      }),
    remember(seen, nowMs) {
      for (const release of seen) {
        const key = keyOf(release)
        const { firstMs, lastMs } = known.get(key) ?? release
        known.set(key, {
          firstMs: Math.min(firstMs, release.firstMs),
          lastMs: Math.max(lastMs, release.lastMs),
          writtenMs: nowMs,
        })
      }
    },
  }
}

/**
 * Returns those that were left out because the minute had enough new ones: their events are stored, and the release is
 * listed with the first event that comes when there is room again.
 */
export async function recordReleases(
  tx: Records,
  seen: readonly SeenRelease[],
  newPerMinute?: number,
): Promise<ReadonlySet<SeenRelease>> {
  const unlisted = new Set<SeenRelease>()
  for (const [projectId, releases] of Map.groupBy(seen, (release) => release.projectId)) {
    const project = await tx
      .selectFrom('project')
      .select('org_id')
      .where('id', '=', projectId)
      .executeTakeFirst()
    // Deleted meanwhile.
    if (!project) continue
    if (newPerMinute !== undefined)
      for (const release of await overLimit(tx, project.org_id, releases, newPerMinute)) unlisted.add(release)
    for (const release of releases) if (!unlisted.has(release)) await seeRelease(tx, project.org_id, release)
  }
  return unlisted
}

// SQLite takes 32,766 parameters in one statement; short lists keep its cache of prepared statements useful.
const MAX_LIST = 500

/** Of those that the organization does not have yet, whatever the minute has no room for. All are of one project. */
async function overLimit(
  tx: Records,
  orgId: number,
  releases: readonly SeenRelease[],
  perMinute: number,
): Promise<readonly SeenRelease[]> {
  const known = new Set<string>()
  for (let at = 0; at < releases.length; at += MAX_LIST) {
    const versions = releases.slice(at, at + MAX_LIST).map(({ version }) => version)
    const rows = await tx
      .selectFrom('release')
      .select('version')
      .where('org_id', '=', orgId)
      .where('version', 'in', versions)
      .execute()
    for (const { version } of rows) known.add(version)
  }
  const fresh = releases.filter(({ version }) => !known.has(version))
  const [first] = fresh
  if (!first) return []
  const room = await openNewcomerRoom(tx, first.projectId, 'release', perMinute, {
    fromMs: fresh.reduce((earliest, { receivedMs }) => Math.min(earliest, receivedMs), Infinity),
    toMs: fresh.reduce((most, { receivedMs }) => Math.max(most, receivedMs), 0),
  })
  const over = fresh.filter(({ receivedMs }) => !room.take(receivedMs))
  await room.save()
  return over
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
        first_event_ms: least(eb.ref('release_project.first_event_ms'), eb.ref('excluded.first_event_ms')),
        last_event_ms: greatest(eb.ref('release_project.last_event_ms'), eb.ref('excluded.last_event_ms')),
      })),
    )
    .execute()
}

const keyOf = ({ projectId, version }: Pick<SeenRelease, 'projectId' | 'version'>): string =>
  `${projectId} ${version}`

// Which releases an issue is of, and whether events bring a resolved one back. Pure. docs/decisions/0020-order-of-releases.md

/** Negative: `a` came before `b`. */
export type CompareVersions = (a: string, b: string) => number

type Issue = Pick<
  Selectable<IssueTable>,
  'first_release' | 'last_release' | 'resolved_in' | 'resolved_release'
>

/** The first and the last by their order, not by when events of them came: an old tab may speak last. */
export function releasesOfIssue(
  issue: Pick<Issue, 'first_release' | 'last_release'>,
  versions: readonly string[],
  compare: CompareVersions,
): Pick<Issue, 'first_release' | 'last_release'> {
  const seen = [issue.first_release, issue.last_release, ...versions].filter((version) => version !== '')
  return {
    first_release: seen.reduce((a, b) => (compare(b, a) < 0 ? b : a), seen[0] ?? ''),
    last_release: seen.reduce((a, b) => (compare(b, a) >= 0 ? b : a), seen[0] ?? ''),
  }
}

type BroughtBack = {
  readonly status: 'unresolved'
  readonly substatus: 'regressed'
  readonly resolved_in: ''
  readonly resolved_release: ''
  readonly regressed_release: string
}

/**
 * Undefined: none of them does. One that is resolved in a release, or in the one after it, stays resolved while builds
 * before that go on sending, and while events that name no release do: those tell nothing of what they were built from.
 */
export function bringBack(
  issue: Issue,
  events: readonly ProcessedEvent[],
  compare: CompareVersions,
): BroughtBack | undefined {
  const telling = events.filter(({ issue: { release } }) => {
    if (issue.resolved_in === '') return true
    if (release === '') return false
    const order = compare(release, issue.resolved_release)
    return issue.resolved_in === 'release' ? order >= 0 : order > 0
  })
  const [first] = telling
  if (first === undefined) return undefined
  const newest = telling.reduce((a, b) => (b.issue.timestampMs >= a.issue.timestampMs ? b : a), first)
  return {
    status: 'unresolved',
    substatus: 'regressed',
    resolved_in: '',
    resolved_release: '',
    regressed_release: newest.issue.release,
  }
}
