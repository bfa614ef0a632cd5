/**
 * Tabs that could not load code: after a deployment the files of the build before are often gone, and every tab that is
 * still open fails at its next step. One finding per build and environment, however many files and errors it made.
 */
import type { Grant } from '@sonde/access'
import { CHUNK_ERROR_PATTERN } from '@sonde/protocol/chunk-error'
import { CHUNK_FAILURE_OP, CHUNK_FAILURE_PREFIX, type ChunkFailureKind } from '@sonde/protocol/navigation'
import type { QueryDeps } from '../query-deps.ts'
import { type ChunkFile, chunkSources } from '../scripts/chunk-sources.ts'
import { issuesOfTraces, type TraceIssue } from './issues-of-traces.ts'
import { navigationConditions, type NavigationFilter } from './navigation-filter.ts'
import { PAGES_SQL } from './navigation-page-data.ts'
import { performanceConditions } from './performance-filter.ts'

/** Which builds of the site run in people's tabs, and since when. */
export type Build = {
  /** Of the navigation recorder: the release, or the name of the entry script. */
  readonly build: string
  readonly environment: string
  readonly firstMs: number
  readonly lastMs: number
}

/** A build that is older than this when the window begins is as old as can be told. */
const BEFORE_MS = 30 * 86_400_000
const MAX_BUILDS_IN_USE = 100

/**
 * Newest first, of every release: a filter by release, browser or device does not change when something was deployed. Not
 * FINAL: a row that was replaced has the same build, at the same time. Read in part, a build is first seen a little later.
 */
export async function buildsInUse(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { fromMs, toMs, environment, part }: NavigationFilter,
): Promise<Build[]> {
  const where = await navigationConditions(deps, grant, {
    fromMs: Math.max(0, fromMs - BEFORE_MS),
    toMs,
    part,
    ...(environment && { environment }),
  })
  if (where === undefined) return []
  return deps.telemetry.query<Build>(
    `SELECT build, environment, toUnixTimestamp64Milli(min(timestamp)) AS firstMs,
       toUnixTimestamp64Milli(max(timestamp)) AS lastMs
     FROM navigations WHERE ${where.sql} AND build != ''
     GROUP BY build, environment ORDER BY firstMs DESC, build LIMIT ${MAX_BUILDS_IN_USE}`,
    where.params,
  )
}

export type ChunkFailures = {
  /** What the tabs run: a release, or the name of the entry script. */
  readonly build: string
  readonly environment: string
  /** The build that was first seen before the failures began and after this one; undefined: none was. */
  readonly replacedBy: Pick<Build, 'build' | 'firstMs'> | undefined
  readonly tabs: number
  /** As far as the site tells who they are. */
  readonly users: number
  /** Files that failed, in any tab. */
  readonly count: number
  readonly kinds: { readonly [Kind in ChunkFailureKind]?: number }
  /** The most frequent first; at most five, of `fileCount` different ones. */
  readonly files: readonly ChunkFile[]
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
const CHUNK_ERROR = `(?i)${CHUNK_ERROR_PATTERN}`
const text = (key: string): string => `strings['${CHUNK_FAILURE_PREFIX}${key}']`

/** Most tabs first. One range of the ordering key of `spans` per project. `known`: of `buildsInUse`, if it is asked anyway. */
export async function chunkFailures(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: NavigationFilter,
  known?: Promise<readonly Build[]>,
): Promise<ChunkFailures[]> {
  const where = await performanceConditions(deps, grant, input)
  if (where === undefined) return []
  const rows = await deps.telemetry.query<Row>(
    `SELECT if(${text('build')} = '', release, ${text('build')}) AS build, environment, ${PAGES_SQL} AS tabs,
       uniqIf(user_key, user_key != '') AS users, sum(1 / sample_rate) AS count,
       sumMap(map(${text('kind')}, 1 / sample_rate)) AS kinds,
       topKIf(5)(${text('url')}, ${text('url')} != '') AS files, uniqIf(${text('url')}, ${text('url')} != '') AS fileCount,
       topKIf(3)(${text('route')}, ${text('route')} != '') AS routes,
       toUnixTimestamp64Milli(toDateTime64(min(timestamp), 3)) AS firstMs,
       toUnixTimestamp64Milli(toDateTime64(max(timestamp), 3)) AS lastMs,
       groupUniqArray(20)((trace_id, toUnixTimestamp64Milli(toDateTime64(timestamp, 3)))) AS samples,
       argMax((trace_id, project_id, release), timestamp) AS latest
     FROM spans
     WHERE ${where.sql} AND is_segment = 0 AND op = '${CHUNK_FAILURE_OP}'
       ${input.to === undefined ? '' : `AND ${text('route')} = {toRoute:String}`}
     GROUP BY build, environment ORDER BY tabs DESC, build, environment LIMIT ${MAX_BUILDS}`,
    { ...where.params, toRoute: input.to ?? '' },
  )
  if (rows.length === 0) return []
  const samples = rows.flatMap((row) => row.samples.map(([traceId, atMs]) => ({ traceId, atMs })))
  const [builds, issues, files] = await Promise.all([
    known ?? buildsInUse(deps, grant, input),
    issuesOfTraces(deps, grant, samples, CHUNK_ERROR),
    filesOf(deps, rows),
  ])
  return rows.map(({ samples: own, latest: [traceId], ...row }, at) => ({
    ...row,
    traceId,
    files: files[at] ?? [],
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

/** The newest build of the environment that was out when the tabs began to fail, if it is newer than theirs. */
export function replacementOf(
  builds: readonly Build[],
  { build, environment, firstMs }: Pick<ChunkFailures, 'build' | 'environment' | 'firstMs'>,
): Pick<Build, 'build' | 'firstMs'> | undefined {
  const same = builds.filter((each) => each.environment === environment)
  const own = same.find((each) => each.build === build)
  const [newest] = same
    .filter((each) => each.build !== build && each.firstMs <= firstMs + DEPLOY_SLACK_MS)
    .filter((each) => own === undefined || each.firstMs > own.firstMs)
    .toSorted((a, b) => b.firstMs - a.firstMs)
  return newest && { build: newest.build, firstMs: newest.firstMs }
}

type Row = Omit<ChunkFailures, 'kinds' | 'replacedBy' | 'issue' | 'files' | 'traceId'> & {
  readonly files: readonly string[]
  readonly latest: readonly [traceId: string, projectId: number, release: string]
  readonly kinds: Readonly<Record<string, number>>
  readonly samples: readonly (readonly [traceId: string, atMs: number])[]
}
