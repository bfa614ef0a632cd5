/**
 * Tabs that could not load code: after a deployment the files of the build before are often gone, and every tab that is
 * still open fails at its next step. One finding per build and environment, however many files and errors it made.
 */
import type { Grant } from '@sonde/access'
import type { ChunkFailureKind } from '@sonde/protocol/navigation'
import type { Build } from '../deployments/build.ts'
import { buildsInUse } from '../deployments/builds-in-use.ts'
import { CHUNK_ERROR, chunkRows } from '../deployments/chunk-rows.ts'
import { fileReleases, type FileRelease, nameOf } from '../deployments/file-releases.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type ChunkFile, chunkSources } from '../scripts/chunk-sources.ts'
import { issuesOfTraces, type TraceIssue } from './issues-of-traces.ts'
import type { NavigationFilter } from './navigation-filter.ts'

/** `uploaded`: which release had it, of those whose files were uploaded. */
export type FailedFile = ChunkFile & { readonly uploaded: FileRelease | undefined }

export type ChunkFailures = {
  /** What the tabs run: a release, or the name of the entry script. */
  readonly build: string
  readonly environment: string
  /** The build that was served when the failures began, and came after this one; undefined: none was. */
  readonly replacedBy: Pick<Build, 'build' | 'servedMs'> | undefined
  readonly tabs: number
  /** As far as the site tells who they are. */
  readonly users: number
  /** Files that failed, in any tab. */
  readonly count: number
  readonly kinds: { readonly [Kind in ChunkFailureKind]?: number }
  /** The most frequent first; at most five, of `fileCount` different ones. */
  readonly files: readonly FailedFile[]
  readonly fileCount: number
  readonly routes: readonly string[]
  readonly firstMs: number
  readonly lastMs: number
  /** The latest. */
  readonly traceId: string
  readonly issue: TraceIssue | undefined
}

const MAX_BUILDS = 20
/** The first page load of a new build may be told a little after the first tab of the old one failed. */
const DEPLOY_SLACK_MS = 15 * 60_000

/** Most tabs first. One range of the ordering key of `spans` per project. `known`: of `buildsInUse`, if it is asked anyway. */
export async function chunkFailures(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: NavigationFilter,
  known?: Promise<readonly Build[]>,
): Promise<ChunkFailures[]> {
  const chunks = await chunkRows(deps, grant, input)
  if (chunks === undefined) return []
  const rows = await deps.telemetry.query<Row>(
    `SELECT build, environment, uniqExact(tab) AS tabs, uniqIf(user_key, user_key != '') AS users, sum(weight) AS count,
       sumMap(map(kind, weight)) AS kinds, topKIf(5)(url, url != '') AS files, uniqIf(url, url != '') AS fileCount,
       topKIf(3)(route, route != '') AS routes, toUnixTimestamp64Milli(min(at)) AS firstMs,
       toUnixTimestamp64Milli(max(at)) AS lastMs,
       groupUniqArray(20)((trace_id, toUnixTimestamp64Milli(at))) AS samples,
       argMax((trace_id, project_id, release), at) AS latest
     FROM (${chunks.sql})
     GROUP BY build, environment ORDER BY tabs DESC, build, environment LIMIT ${MAX_BUILDS}`,
    chunks.params,
  )
  if (rows.length === 0) return []
  const samples = rows.flatMap((row) => row.samples.map(([traceId, atMs]) => ({ traceId, atMs })))
  const [builds, issues, files, releases] = await Promise.all([
    known ?? buildsInUse(deps, grant, input),
    issuesOfTraces(deps, grant, samples, CHUNK_ERROR),
    filesOf(deps, rows),
    fileReleases(
      deps,
      grant,
      rows.flatMap((row) => row.files),
    ),
  ])
  return rows.map(({ samples: own, latest: [traceId], ...row }, at) => ({
    ...row,
    traceId,
    files: (files[at] ?? []).map((file) => ({ ...file, uploaded: releases.get(nameOf(file.url)) })),
    count: Math.round(row.count),
    kinds: Object.fromEntries(Object.entries(row.kinds).map(([kind, count]) => [kind, Math.round(count)])),
    replacedBy: replacementOf(builds, row),
    issue: own.flatMap(([trace]) => issues.get(trace) ?? [])[0],
  }))
}

/** By row. A release of a build is that of its latest failure: a build is mostly named by it. */
async function filesOf(deps: Parameters<typeof chunkSources>[0], rows: readonly Row[]) {
  const chunks = rows.map(({ files, latest: [, projectId, release] }) =>
    files.map((url) => ({ url, projectId, release })),
  )
  const read = [...(await chunkSources(deps, chunks.flat()))]
  return chunks.map((own) => read.splice(0, own.length))
}

/** What the environment served when the tabs began to fail, if it came after theirs. */
export function replacementOf(
  builds: readonly Build[],
  { build, environment, firstMs }: Pick<ChunkFailures, 'build' | 'environment' | 'firstMs'>,
): Pick<Build, 'build' | 'servedMs'> | undefined {
  // What came back was served before that too.
  const cameMs = (each: Build, untilMs: number): number =>
    each.cameMs.findLast((atMs) => atMs <= untilMs) ?? each.firstMs
  const same = builds.filter((each) => each.environment === environment)
  const own = same.find((each) => each.build === build)
  return same
    .filter((each) => each.build !== build)
    .map((each) => ({ build: each.build, servedMs: cameMs(each, firstMs + DEPLOY_SLACK_MS) }))
    .filter(({ servedMs }) => servedMs <= firstMs + DEPLOY_SLACK_MS)
    .filter(({ servedMs }) => own === undefined || servedMs > cameMs(own, firstMs))
    .toSorted((a, b) => b.servedMs - a.servedMs)[0]
}

type Row = Omit<ChunkFailures, 'kinds' | 'replacedBy' | 'issue' | 'files' | 'traceId'> & {
  readonly files: readonly string[]
  readonly latest: readonly [traceId: string, projectId: number, release: string]
  readonly kinds: Readonly<Record<string, number>>
  readonly samples: readonly (readonly [traceId: string, atMs: number])[]
}
