/**
 * Commits that probably caused an issue: those that changed a file on its stack, of the release that brought it, else of the
 * releases before. docs/operate/ownership.md says the rule in words.
 */
import type { NormalizedEvent } from '@sonde/protocol/event'
import type { Records } from '../records/schema.ts'
import { ownFrames, pathParts } from './event-facts.ts'

/** A place of the application on the stack; the first is where it was thrown. */
type SuspectPlace = {
  /** Parts of the path, without what a bundler or a server put in front. */
  readonly parts: readonly string[]
  readonly function: string | undefined
  readonly line: number | undefined
}

/** Farther down one finds what is always there: the server, the router. */
const MAX_PLACES = 10

/** Frames of the application, those of the exception that was thrown first; each file once, where it is nearest. */
export function suspectPlaces(event: NormalizedEvent): readonly SuspectPlace[] {
  const seen = new Set<string>()
  return ownFrames(event)
    .flatMap((frame) => {
      const parts = pathParts(frame.filename ?? frame.abs_path ?? '')
      const key = parts.join('/')
      if (parts.length === 0 || seen.has(key)) return []
      seen.add(key)
      return [{ parts, function: frame.function, line: frame.lineno }]
    })
    .slice(0, MAX_PLACES)
}

/**
 * How many parts of two paths are the same from the end, when one of them ends with all of the other; else 0. A name alone
 * (`index.ts`) is the same file only where neither has a folder.
 */
export function sharedEnd(a: readonly string[], b: readonly string[]): number {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (short.length === 0 || (short.length === 1 && long.length > 1)) return 0
  return short.every((part, index) => part === long[long.length - short.length + index]) ? short.length : 0
}

export type SuspectCommit = {
  readonly sha: string
  readonly repository: string
  readonly authorName: string
  readonly authorEmail: string
  readonly message: string
  readonly atMs: number
  /** What it changed, as the repository calls it. */
  readonly path: string
  /** Where on the stack that is; 0 is where it was thrown. */
  readonly frame: number
  readonly function: string | undefined
  readonly line: number | undefined
  /** Where it can be read; undefined: nobody told where its repository is. */
  readonly url: string | undefined
}
export type SuspectCommits = {
  /** The one that brought the issue, or brought it back, or the nearest before it with such a commit. */
  readonly release: string
  /** The nearest to where it was thrown first, then the newest. */
  readonly commits: readonly SuspectCommit[]
}

/** A release that changes more was not meant to be read commit by commit. */
const MAX_COMMITS = 1_000
const MAX_FILES = 500
/** Releases with commits, before the one that brought the issue. */
const MAX_RELEASES_BEFORE = 5
const DAY_MS = 86_400_000
/** Older than what Sentry still suspects. https://docs.sentry.io/product/issues/suspect-commits/#how-it-works */
const MAX_AGE_MS = 365 * DAY_MS

export type SuspectsInput = {
  readonly orgId: number
  readonly projectId: number
  /** That brought the issue, or brought it back. */
  readonly release: string
  readonly event: NormalizedEvent
  /** At most so many commits. */
  readonly limit: number
}

/** Reads the names of files of at most a thousand commits of each of at most six releases; mostly of one. */
export async function findSuspectCommits(
  records: Records,
  { orgId, projectId, release, event, limit }: SuspectsInput,
): Promise<SuspectCommits> {
  const places = suspectPlaces(event)
  const own = await records
    .selectFrom('release')
    .leftJoin('release_project', (join) =>
      join
        .onRef('release_project.release_id', '=', 'release.id')
        .on('release_project.project_id', '=', projectId),
    )
    .select(['release.id', 'release.version', 'release.created_ms', 'release_project.first_event_ms'])
    .where('release.org_id', '=', orgId)
    .where('release.version', '=', release)
    .executeTakeFirst()
  if (!own || places.length === 0) return { release, commits: [] }
  const sinceMs = event.timestamp * 1000 - MAX_AGE_MS
  const commits = await commitsOf(records, own.id, places, sinceMs, limit)
  if (commits.length > 0) return { release, commits }
  const before = await releasesBefore(records, projectId, own.id, own.first_event_ms ?? own.created_ms)
  for (const { id, version } of before) {
    const found = await commitsOf(records, id, places, sinceMs, limit)
    if (found.length > 0) return { release: version, commits: found }
  }
  return { release, commits: [] }
}

/** By when they were first seen in the project: the newest first. */
const releasesBefore = (records: Records, projectId: number, releaseId: number, beforeMs: number) =>
  records
    .selectFrom('release_project')
    .innerJoin('release', 'release.id', 'release_project.release_id')
    .select(['release.id', 'release.version'])
    .where('release_project.project_id', '=', projectId)
    .where('release.id', '!=', releaseId)
    .where((eb) => eb(eb.fn.coalesce('release_project.first_event_ms', 'release.created_ms'), '<=', beforeMs))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('release_commit')
          .select('release_id')
          .whereRef('release_commit.release_id', '=', 'release.id'),
      ),
    )
    .orderBy((eb) => eb.fn.coalesce('release_project.first_event_ms', 'release.created_ms'), 'desc')
    .orderBy('release.id', 'desc')
    .limit(MAX_RELEASES_BEFORE)
    .execute()

async function commitsOf(
  records: Records,
  releaseId: number,
  places: readonly SuspectPlace[],
  sinceMs: number,
  limit: number,
): Promise<readonly SuspectCommit[]> {
  const names = [...new Set(places.map(({ parts }) => parts.at(-1) ?? ''))]
  const changed = await records
    .selectFrom('release_commit')
    .innerJoin('source_commit', 'source_commit.id', 'release_commit.commit_id')
    .innerJoin('source_commit_file', 'source_commit_file.commit_id', 'source_commit.id')
    .leftJoin('repository', (join) =>
      join
        .onRef('repository.org_id', '=', 'source_commit.org_id')
        .onRef('repository.name', '=', 'source_commit.repository'),
    )
    .selectAll('source_commit')
    .select(['source_commit_file.path', 'repository.url'])
    .where('release_commit.release_id', '=', releaseId)
    .where('release_commit.position', '<', MAX_COMMITS)
    .where('source_commit.at_ms', '>=', sinceMs)
    .where('source_commit_file.change', '!=', 'D')
    .where(({ eb, or }) =>
      or(
        names.flatMap((name) => [
          eb('source_commit_file.path', '=', name),
          // Of a path with folders; `_` and `%` in a name match more, which the comparison below leaves out.
          eb('source_commit_file.path', 'like', `%/${name}`),
        ]),
      ),
    )
    .orderBy('release_commit.position')
    .limit(MAX_FILES)
    .execute()
  const found = changed.flatMap((row) => {
    const parts = pathParts(row.path)
    const frame = places.findIndex((place) => sharedEnd(place.parts, parts) > 0)
    return frame < 0 ? [] : [{ row, frame }]
  })
  const nearest = found.toSorted((a, b) => a.frame - b.frame || b.row.at_ms - a.row.at_ms)
  const ids = new Set<number>()
  const commits = nearest.filter(({ row }) => !ids.has(row.id) && ids.add(row.id)).slice(0, limit)
  return commits.map(({ row, frame }) => ({
    sha: row.sha,
    repository: row.repository,
    authorName: row.author_name,
    authorEmail: row.author_email,
    message: row.message,
    atMs: row.at_ms,
    path: row.path,
    frame,
    function: places[frame]?.function,
    line: places[frame]?.line,
    url: row.url === null ? undefined : commitUrl(row.url, row.sha),
  }))
}

/** As GitHub, GitLab and Bitbucket have it. */
export const commitUrl = (repository: string, sha: string): string =>
  `${repository.endsWith('/') ? repository.slice(0, -1) : repository}/commit/${encodeURIComponent(sha)}`
