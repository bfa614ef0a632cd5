/** Everything the page of one release shows; each question is one bounded query. */
import type { Grant } from '@sonde/access'
import {
  adoptionSeries,
  deployMarkers,
  projectRelease,
  type QueryDeps,
  RELEASE_ISSUE_KINDS,
  releaseAdoption,
  releaseBundles,
  releaseCommits,
  releaseDeploys,
  releaseHealth,
  type ReleaseDetail,
  releaseIssues,
  releaseVerdict,
  verdictWindow,
  withDeploys,
} from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { chartWindow } from '../../../../../parts/event-filter/chart-window.server.ts'
import { readEventFilter, spanOf } from '../../../../../parts/event-filter/event-filter.ts'
import { verdictView } from '../../../../../parts/releases/verdict-view.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { adoptionChartSeries } from '../adoption.ts'
import { comparedReleases } from '../compared-releases.server.ts'
import { crashRateSeries } from '../health.ts'
import { COMMITS_A_PAGE, readPage } from '../release-search.ts'

const ISSUES = 50

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'release'>) {
  const { queries, clock, publicUrl } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  // `paths.release` puts a space behind names that would be another page's.
  const release = (await projectRelease(queries, grant, args.params.release.trim())) ?? notFound()
  const { version, previous } = release
  const kind = RELEASE_ISSUE_KINDS.find((each) => each === params.get('issues')) ?? 'new'
  const commitPage = readPage(params.get('commits'))
  const [used, issues, commits, deploys, bundles, compared, verdict] = await Promise.all([
    loadUse(queries, grant, release, params, clock.nowMs()),
    releaseIssues(queries, grant, { version, previous, kind, limit: ISSUES }),
    releaseCommits(queries, release.id, { offset: (commitPage - 1) * COMMITS_A_PAGE, limit: COMMITS_A_PAGE }),
    releaseDeploys(queries, grant, release.id),
    releaseBundles(queries, grant, version),
    previous === undefined
      ? undefined
      : comparedReleases(queries, grant, {
          release: version,
          before: previous,
          params,
          nowMs: clock.nowMs(),
        }),
    loadVerdict(queries, grant, release, params, clock.nowMs()),
  ])
  return {
    release,
    ...used,
    kind,
    issues,
    commits,
    commitPage,
    deploys,
    bundles,
    compared,
    verdict,
    place: { url: publicUrl, org: args.params.org, project: args.params.project },
  }
}

/** Of the days around the release, unless the address has a time range. */
async function loadVerdict(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  { version, previous, firstEventMs, firstSeenMs }: ReleaseDetail,
  params: URLSearchParams,
  nowMs: number,
) {
  const requested = readEventFilter(params)
  const span = spanOf(requested, nowMs)
  const around = verdictWindow(firstEventMs ?? firstSeenMs, nowMs)
  const judged = await releaseVerdict(queries, grant, {
    release: version,
    before: previous,
    fromMs: span?.fromMs ?? around.fromMs,
    toMs: span?.toMs ?? around.toMs,
    environment: requested.environments,
  })
  return verdictView(judged)
}

/** From the first event to now, unless the address has a time range. */
async function loadUse(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  release: ReleaseDetail,
  params: URLSearchParams,
  nowMs: number,
) {
  const { version, previous, firstEventMs = release.firstSeenMs, lastEventMs = nowMs } = release
  const requested = readEventFilter(params)
  const life = { firstSeenMs: firstEventMs, lastSeenMs: lastEventMs }
  const window = { ...chartWindow(life, requested, nowMs), environment: requested.environments }
  const releases = previous === undefined ? [version] : [version, previous]
  const [adoption, series, markers, health] = await Promise.all([
    releaseAdoption(queries, grant, { ...window, releases: [version] }),
    adoptionSeries(queries, grant, { ...window, releases, buckets: 60 }),
    deployMarkers(queries, [grant.projectId], window),
    releaseHealth(queries, grant, { ...window, release: version, before: previous }),
  ])
  const deploys = withDeploys([], markers)
  return {
    basis: adoption.basis,
    total: adoption.total,
    use: adoption.releases[0],
    series: adoptionChartSeries(series, deploys),
    health: {
      release: health.release,
      total: health.total,
      environments: health.environments,
      series: crashRateSeries(health, { release: version, before: previous }, deploys),
    },
  }
}
