/** What each deployment left behind: tabs on the build before, how many of them missed code, and what became of those. */
import type { Grant } from '@sonde/access'
import { chunkFailures } from '../performance/navigation-chunks.ts'
import type { NavigationFilter } from '../performance/navigation-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type Build, nextBuild } from './build.ts'
import { buildsInUse } from './builds-in-use.ts'
import { type ChunkOutcomes, chunkOutcomes } from './chunk-outcomes.ts'
import { type KeepFiles, oldTabs } from './old-tabs.ts'
import { type OpenTabs, openTabs } from './open-tabs.ts'

/** A build that people's tabs run or ran. */
export type DeployedBuild = Build & {
  /** The one that its environment served after it; undefined: it is served now. */
  readonly replacedBy: Pick<Build, 'build' | 'servedMs'> | undefined
  /** Open now; undefined: none was seen. */
  readonly open: Pick<OpenTabs, 'tabs' | 'source'> | undefined
  /** Seen on it after the next build came. */
  readonly leftTabs: number
  /** Tabs that could not load code of it in the window. */
  readonly missedTabs: number
  readonly outcomes: ChunkOutcomes['outcomes']
}

export type Deployments = {
  /** Served last first, those that are of interest: deployed, replaced, open or failed in the window. At most 50. */
  readonly builds: readonly DeployedBuild[]
  /** One for each environment. */
  readonly keep: readonly KeepFiles[]
}

const MAX_SHOWN = 50

/** `known`: of `buildsInUse` until now, if it is asked anyway; the same for `failures`. */
export async function deployments(
  deps: Pick<QueryDeps, 'records' | 'telemetry' | 'clock' | 'resolvePositions'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  input: NavigationFilter,
  known: Promise<readonly Build[]> = buildsInUse(deps, grant, { ...input, toMs: deps.clock.nowMs() }),
  failing: ReturnType<typeof chunkFailures> = chunkFailures(deps, grant, input, known),
): Promise<Deployments> {
  const { environment, fromMs, toMs } = input
  const [builds, failures, outcomes, open, { left, keep }] = await Promise.all([
    known,
    failing,
    // Where nothing failed nothing became of it: most sites, most of the time.
    failing.then((failed) => (failed.length === 0 ? [] : chunkOutcomes(deps, grant, input))),
    openTabs(deps, grant, environment),
    known.then((each) => oldTabs(deps, grant, each, environment)),
  ])
  const shown = builds.map((build): DeployedBuild => {
    const next = nextBuild(builds, build)
    const isOwn = sameBuild(build)
    const own = open.find(isOwn)
    return {
      ...build,
      replacedBy: next,
      open: own && { tabs: own.tabs, source: own.source },
      leftTabs: left.find(isOwn)?.tabs ?? 0,
      missedTabs: failures.find(isOwn)?.tabs ?? 0,
      outcomes: outcomes.find(isOwn)?.outcomes ?? {},
    }
  })
  const isInWindow = (ms: number | undefined): boolean => ms !== undefined && ms >= fromMs && ms < toMs
  return {
    builds: shown
      .filter(
        ({ servedMs, replacedBy, open: tabs, missedTabs }) =>
          isInWindow(servedMs) || isInWindow(replacedBy?.servedMs) || tabs !== undefined || missedTabs > 0,
      )
      .slice(0, MAX_SHOWN),
    keep,
  }
}

const sameBuild =
  ({ build, environment }: Pick<Build, 'build' | 'environment'>) =>
  (other: Pick<Build, 'build' | 'environment'>): boolean =>
    other.build === build && other.environment === environment
