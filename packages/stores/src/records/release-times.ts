/** The releases of a project with the times that order them where versions do not. */
import { compareReleases, compareVersions, type Release } from '@sonde/protocol/release-version'
import type { Records } from './schema.ts'

/** Of the newest `limit`, or of the named ones. In no order: `inReleaseOrder`. */
export async function readReleaseTimes(
  records: Records,
  projectId: number,
  { versions, limit = 5_000 }: { readonly versions?: readonly string[]; readonly limit?: number } = {},
): Promise<readonly Release[]> {
  const rows = await records
    .selectFrom('release_project')
    .innerJoin('release', 'release.id', 'release_project.release_id')
    .select(['release.version', 'release.created_ms', 'release_project.first_event_ms'])
    .where('release_project.project_id', '=', projectId)
    .$if(versions !== undefined, (query) => query.where('release.version', 'in', versions ?? []))
    .orderBy('release.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ version, created_ms, first_event_ms }) => ({
    version,
    firstSeenMs: Math.min(created_ms, first_event_ms ?? created_ms),
  }))
}

/**
 * Compares these versions of a project, as `compareReleases` does. Reads times only when versions do not tell; one without
 * a row was forgotten, and counts as the oldest.
 */
export async function compareReleasesOf(
  records: Records,
  projectId: number,
  versions: readonly string[],
): Promise<(a: string, b: string) => number> {
  const distinct = [...new Set(versions)]
  const isReported = areReported(distinct)
  const times = isReported ? [] : await readReleaseTimes(records, projectId, { versions: distinct })
  const timeOf = new Map(times.map(({ version, firstSeenMs }) => [version, firstSeenMs]))
  const release = (version: string): Release => ({ version, firstSeenMs: timeOf.get(version) ?? 0 })
  return (a, b) => (isReported ? (compareVersions(a, b) ?? 0) : compareReleases(release(a), release(b)))
}

/** Being comparable holds for all when it holds with one; two that are the same as far as versions tell are told by time. */
function areReported(versions: readonly string[]): boolean {
  const [first = ''] = versions
  if (versions.some((version) => compareVersions(first, version) === undefined)) return false
  const sorted = versions.toSorted((a, b) => compareVersions(a, b) ?? 0)
  return sorted.every((version, at) => at === 0 || compareVersions(sorted[at - 1] ?? '', version) !== 0)
}
