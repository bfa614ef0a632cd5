/** Which backups go, and what nobody needs afterwards with them. */
import type { BackupSummary } from './manifest.ts'
import type { Repository } from './repository.ts'

export type KeepPolicy = {
  /** The newest ones, whatever their day. */
  readonly last?: number
  /** The newest of each of so many days (UTC), weeks and months that have one. */
  readonly daily?: number
  readonly weekly?: number
  readonly monthly?: number
}

export type Pruned = {
  readonly removed: readonly string[]
  readonly kept: readonly string[]
  /** Freed. */
  readonly pieces: number
  readonly bytes: number
}

/** `remove`: besides, by their ids. Without a policy everything else is kept. */
export async function pruneBackups(
  repository: Repository,
  { keep, remove = [] }: { readonly keep?: KeepPolicy | undefined; readonly remove?: readonly string[] },
): Promise<Pruned> {
  return repository.locked('prune', async () => {
    const listed = await repository.list()
    const kept =
      keep &&
      keptBy(
        keep,
        listed.flatMap(({ summary }) => summary ?? []),
      )
    // One that cannot be read goes only when it is named.
    const removed = listed
      .filter(({ id, summary }) => remove.includes(id) || (summary && kept && !kept.has(id)))
      .map(({ id }) => id)
    for (const id of removed) await repository.remove(id)
    const freed = await repository.collect()
    return { removed, kept: listed.map(({ id }) => id).filter((id) => !removed.includes(id)), ...freed }
  })
}

const DAY_MS = 86_400_000
// 1970-01-01 was a Thursday; weeks begin on Mondays.
const FIRST_MONDAY_MS = 4 * DAY_MS

const PERIODS: Readonly<Record<keyof KeepPolicy, (summary: BackupSummary) => string>> = {
  last: ({ id }) => id,
  daily: ({ createdMs }) => String(Math.floor(createdMs / DAY_MS)),
  weekly: ({ createdMs }) => String(Math.floor((createdMs - FIRST_MONDAY_MS) / (7 * DAY_MS))),
  monthly: ({ createdMs }) => new Date(createdMs).toISOString().slice(0, 7),
}

/** The newest is always kept. */
export function keptBy(keep: KeepPolicy, summaries: readonly BackupSummary[]): ReadonlySet<string> {
  const newestFirst = summaries.toSorted((a, b) => b.createdMs - a.createdMs)
  const kept = new Set(newestFirst.slice(0, 1).map(({ id }) => id))
  for (const [name, periodOf] of Object.entries(PERIODS)) {
    const periods = new Set<string>()
    for (const summary of newestFirst) {
      const period = periodOf(summary)
      if (periods.has(period)) continue
      if (periods.size >= (keep[name as keyof KeepPolicy] ?? 0)) break
      periods.add(period)
      kept.add(summary.id)
    }
  }
  return kept
}
