/** Two releases side by side. Which, is in the address: `?a=…&b=…`; `b` is looked at, `a` is what it is compared with. */
import type { Grant } from '@sonde/access'
import {
  adoptionSeries,
  deployMarkers,
  orderedReleases,
  projectRelease,
  type QueryDeps,
  releaseAdoption,
  type ReleaseDetail,
  releaseDifferences,
  withDeploys,
} from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { adoptionChartSeries } from '../adoption-chart-series.ts'
import { comparedReleases, comparedWindow } from '../compared-releases.server.ts'

/** Offered in the fields; any other can be typed. */
const OFFERED = 200
/** Of each of the two; more are told apart by nobody. */
const ONLY_IN_ONE = 10

export async function loadCompare(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const all = await orderedReleases(queries, grant)
  const versions = all.slice(0, OFFERED).map(({ version }) => version)
  // Of nothing that is said: the last two.
  const b = versionOf(params, 'b') || (versions[0] ?? '')
  const a = versionOf(params, 'a') || (all[all.findIndex(({ version }) => version === b) + 1]?.version ?? '')
  const [first, second] = await Promise.all([
    projectRelease(queries, grant, a),
    projectRelease(queries, grant, b),
  ])
  const found =
    first && second && a !== b
      ? await loadBoth(queries, grant, { a: first, b: second, params, nowMs: clock.nowMs() })
      : undefined
  return {
    asked: { a, b },
    missing: [...(first || a === '' ? [] : [a]), ...(second || b === '' ? [] : [b])],
    versions,
    found,
  }
}

const versionOf = (params: URLSearchParams, name: 'a' | 'b'): string =>
  (params.get(name) ?? '').trim().slice(0, 500)

type Both = {
  readonly a: ReleaseDetail
  readonly b: ReleaseDetail
  readonly params: URLSearchParams
  readonly nowMs: number
}

async function loadBoth(
  queries: QueryDeps,
  grant: Grant<'event:read', 'project'>,
  { a, b, params, nowMs }: Both,
) {
  const window = comparedWindow(params, nowMs)
  const isSaid = ['statsPeriod', 'start'].some((name) => params.has(name))
  // Of all time the chart begins with the first of both.
  const fromMs = isSaid
    ? window.fromMs
    : Math.max(window.fromMs, Math.min(a.firstSeenMs, b.firstSeenMs, window.toMs - 3_600_000))
  const shown = { ...window, fromMs }
  const releases = [b.version, a.version]
  const [adoption, series, markers, compared, differences] = await Promise.all([
    releaseAdoption(queries, grant, { ...shown, releases }),
    adoptionSeries(queries, grant, { ...shown, releases, buckets: 60 }),
    deployMarkers(queries, [grant.projectId], shown),
    comparedReleases(queries, grant, { release: b.version, before: a.version, params, nowMs }),
    releaseDifferences(queries, grant, {
      ...shown,
      release: b.version,
      before: a.version,
      limit: ONLY_IN_ONE,
    }),
  ])
  const useOf = (version: string) => adoption.releases.find(({ release }) => release === version)
  return {
    a: { ...a, use: useOf(a.version) },
    b: { ...b, use: useOf(b.version) },
    basis: adoption.basis,
    total: adoption.total,
    series: adoptionChartSeries(series, withDeploys([], markers)),
    compared,
    differences,
  }
}
