/**
 * Which build a site serves, and since when: a rollback makes an older one the newest again. By recorded deploys; else, of
 * the newest, by what people's pages load. Versions and their order say nothing of it.
 */
import type { Grant } from '@sonde/access'
import { performanceConditions, type PerformanceFilter } from '../performance/performance-filter.ts'
import { projectIdsOf, type QueryDeps } from '../query-deps.ts'
import { deployMarkers, type ReleaseMarker } from '../series/markers.ts'
import { type Build, PAGE_SEGMENTS_SQL, type SeenBuild } from './build.ts'

/** A return is believed when chance explains it in less than this share of cases. */
const BY_CHANCE = 0.01
/** Whatever the share: pages come out of caches and service workers too. */
const LEAST_TABS = 3

/** `seen`: all builds of the window. Reads the deploys of that time, and page loads since the newest build came. */
export async function servedBuilds(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  seen: readonly SeenBuild[],
  { toMs, environment }: Pick<PerformanceFilter, 'toMs' | 'environment'>,
): Promise<Build[]> {
  const [first] = seen.toSorted((a, b) => a.firstMs - b.firstMs)
  if (first === undefined) return []
  const projects = await projectIdsOf(deps, grant)
  const deploys = await deployMarkers(deps, projects, { fromMs: first.firstMs, toMs, environment })
  const served = withDeployed(seen, deploys)
  const newest = newestOf(served).filter(({ build, environment: own, servedMs }) =>
    served.some((each) => each.environment === own && each.build !== build && each.lastMs > servedMs),
  )
  const loads = await laterLoads(deps, grant, newest, { toMs, ...(environment && { environment }) })
  return withReturned(served, newest, loads)
}

/** A build is served from its first page on, and again from a deploy of it after another came. Pure. */
function withDeployed(seen: readonly SeenBuild[], deploys: readonly ReleaseMarker[]): Build[] {
  const came = seen.flatMap((build) => [
    { build, atMs: build.firstMs },
    // Before its first page nobody's tab ran it.
    ...deploys
      .filter(({ release, deployedTo }) => release === build.build && deployedTo === build.environment)
      .filter(({ atMs }) => atMs > build.firstMs)
      .map(({ atMs }) => ({ build, atMs })),
  ])
  const current = new Map<string, SeenBuild>()
  const times = new Map<SeenBuild, number[]>()
  for (const { build, atMs } of came.toSorted((a, b) => a.atMs - b.atMs)) {
    // Deployed twice in a row it is the same build all the time.
    if (current.get(build.environment) !== build) times.set(build, [...(times.get(build) ?? []), atMs])
    current.set(build.environment, build)
  }
  return seen.map((build) => {
    const cameMs = times.get(build) ?? [build.firstMs]
    return { ...build, cameMs, servedMs: cameMs.at(-1) ?? build.firstMs }
  })
}

function newestOf(builds: readonly Build[]): Build[] {
  const newest = new Map<string, Build>()
  for (const build of builds)
    if (build.servedMs > (newest.get(build.environment)?.servedMs ?? -Infinity))
      newest.set(build.environment, build)
  return [...newest.values()]
}

/** Of a build since the newest one of its environment came. */
type Loads = {
  readonly build: string
  readonly environment: string
  /** Page loads until the last one of the newest build. */
  readonly during: number
  /** Tabs that loaded a page after that: one that reloads every minute shows no more than another. */
  readonly later: number
  /** The first page load after it. */
  readonly sinceMs: number
}

/** When the newest build of the row's environment came. */
const SERVED_MS = `transform(environment, {environments:Array(String)}, {servedMs:Array(Int64)}, toInt64(0))`

async function laterLoads(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  newest: readonly Build[],
  filter: Pick<PerformanceFilter, 'toMs' | 'environment'>,
): Promise<readonly Loads[]> {
  if (newest.length === 0) return []
  const fromMs = Math.min(...newest.map(({ servedMs }) => servedMs))
  const where = await performanceConditions(deps, grant, { ...filter, fromMs })
  if (where === undefined) return []
  const tabs = `tabs WHERE ${where.sql} AND build != ''`
  return deps.telemetry.query<Loads>(
    `WITH loads AS (
       SELECT environment, build, if(tab_id = '', toString(page_id), tab_id) AS tab, toUnixTimestamp64Milli(started) AS at
       FROM ${tabs} AND started <= received
       UNION ALL
       SELECT environment, release AS build, if(user_key != '', user_key, toString(trace_id)) AS tab,
         toUnixTimestamp64Milli(toDateTime64(timestamp, 3)) AS at
       FROM spans WHERE ${where.sql} AND ${PAGE_SEGMENTS_SQL} AND op = 'pageload'
         AND (environment, release) NOT IN (SELECT environment, build FROM ${tabs})
     ), newest AS (
       SELECT environment, max(at) AS last FROM loads
       WHERE build = transform(environment, {environments:Array(String)}, {newest:Array(String)}, '')
         AND at >= ${SERVED_MS} GROUP BY environment
     )
     SELECT environment, build, toUInt32(countIf(at <= last)) AS during,
       toUInt32(uniqCombined64If(tab, at > last)) AS later, minIf(at, at > last) AS sinceMs
     FROM loads INNER JOIN newest USING environment WHERE at >= ${SERVED_MS}
     GROUP BY environment, build ORDER BY later DESC, build LIMIT 1000`,
    {
      ...where.params,
      environments: newest.map(({ environment }) => environment),
      newest: newest.map(({ build }) => build),
      servedMs: newest.map(({ servedMs }) => servedMs),
    },
  )
}

/**
 * Where the newest build of an environment is loaded no more and an older one is, that is served again. How many tabs in a
 * row show it depends on the share that the newest one had: of a canary's few a run without one is nothing new. Pure.
 */
function withReturned(builds: readonly Build[], newest: readonly Build[], loads: readonly Loads[]): Build[] {
  const returned = newest.flatMap(({ build, environment }) => {
    const here = loads.filter((each) => each.environment === environment)
    const own = here.find((each) => each.build === build)?.during ?? 0
    const [most] = here.filter((each) => each.build !== build).toSorted((a, b) => b.later - a.later)
    const share = own / (here.reduce((sum, { during }) => sum + during, 0) + 1)
    const needed = Math.max(LEAST_TABS, Math.log(BY_CHANCE) / Math.log(1 - share))
    return most !== undefined && most.later >= needed ? [most] : []
  })
  return builds.map((build) => {
    const again = returned.find(
      (each) => each.build === build.build && each.environment === build.environment,
    )
    return again ? { ...build, servedMs: again.sinceMs, cameMs: [...build.cameMs, again.sinceMs] } : build
  })
}
