/** Commits that probably caused an issue: those of the release that brought it which changed a file on its stack. */
import type { Grant } from '@sonde/access'
import type { Frame, NormalizedEvent } from '@sonde/protocol/event'
import type { QueryDeps } from '../query-deps.ts'

// Which files of a repository the frames of a stack may be of. Pure.

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
export function suspectPlaces({ exception = [], threads = [] }: NormalizedEvent): readonly SuspectPlace[] {
  const stacks = exception.length > 0 ? exception.toReversed() : threads.filter(({ crashed }) => crashed)
  const seen = new Set<string>()
  return stacks
    .flatMap(({ stacktrace }) => stacktrace?.frames.toReversed() ?? [])
    .filter((frame) => frame.in_app)
    .flatMap((frame) => {
      const parts = pathParts(nameOf(frame))
      const key = parts.join('/')
      if (parts.length === 0 || seen.has(key)) return []
      seen.add(key)
      return [{ parts, function: frame.function, line: frame.lineno }]
    })
    .slice(0, MAX_PLACES)
}

const nameOf = ({ filename, abs_path: absPath }: Frame): string => filename ?? absPath ?? ''

/** `webpack://shop/./src/cart.ts?1a2b` → `src`, `cart.ts`. */
export function pathParts(path: string): readonly string[] {
  const plain = path.replaceAll('\\', '/').replace(/^[a-z][a-z0-9+.-]*:\/\/\/?(?:[^/]*\/(?=\.\/))?/i, '')
  return (plain.split(/[?#]/)[0] ?? '').split('/').filter((part) => !['', '.', '..'].includes(part))
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
}
export type SuspectCommits = {
  /** The one that brought the issue, or brought it back. */
  readonly release: string
  /** The nearest to where it was thrown first, then the newest. */
  readonly commits: readonly SuspectCommit[]
}
export type SuspectInput = {
  readonly issueId: number
  readonly event: NormalizedEvent
  /** At most so many commits. */
  readonly limit: number
}

/** A release that changes more was not meant to be read commit by commit. */
const MAX_COMMITS = 1_000
const MAX_FILES = 500

/** Undefined when no release is known to have brought it. Reads the names of files of at most a thousand commits. */
export async function suspectCommits(
  { records }: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read' | 'project:read', 'project'>,
  { issueId, event, limit }: SuspectInput,
): Promise<SuspectCommits | undefined> {
  const issue = await records
    .selectFrom('issue')
    .select(['first_release', 'regressed_release'])
    .where('id', '=', issueId)
    .where('project_id', '=', grant.projectId)
    .executeTakeFirst()
  // What brought it back is what somebody looks for now.
  const release = issue?.regressed_release || issue?.first_release
  if (release === undefined || release === '') return undefined
  const places = suspectPlaces(event)
  if (places.length === 0) return { release, commits: [] }
  const names = [...new Set(places.map(({ parts }) => parts.at(-1) ?? ''))]
  const changed = await records
    .selectFrom('release')
    .innerJoin('release_commit', 'release_commit.release_id', 'release.id')
    .innerJoin('source_commit', 'source_commit.id', 'release_commit.commit_id')
    .innerJoin('source_commit_file', 'source_commit_file.commit_id', 'source_commit.id')
    .selectAll('source_commit')
    .select('source_commit_file.path')
    .where('release.org_id', '=', grant.orgId)
    .where('release.version', '=', release)
    .where('release_commit.position', '<', MAX_COMMITS)
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
  const shas = new Set<number>()
  const commits = nearest.filter(({ row }) => !shas.has(row.id) && shas.add(row.id)).slice(0, limit)
  return {
    release,
    commits: commits.map(({ row, frame }) => ({
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
    })),
  }
}
