/** Two releases side by side, from the address: `?a=…&b=…` compares `b` with `a`. */
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
  releaseVerdict,
  withDeploys,
} from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { verdictView } from '../../../../../parts/releases/verdict-view.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { adoptionChartSeries } from '../adoption.ts'
import { comparedReleases, comparedWindow } from '../compared-releases.server.ts'

/** Suggested in the fields; any other can be typed. */
const OFFERED = 200
/** Issues per release; more are not useful to read. */
const ONLY_IN_ONE = 10

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const all = await orderedReleases(queries, grant)
  const versions = all.slice(0, OFFERED).map(({ version }) => version)
  // By default the last two.
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
    requested: { a, b },
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
  const isTimed = ['statsPeriod', 'start'].some((name) => params.has(name))
  // Without a time range the chart starts with the first of both.
  const fromMs = isTimed
    ? window.fromMs
    : Math.max(window.fromMs, Math.min(a.firstSeenMs, b.firstSeenMs, window.toMs - 3_600_000))
  const shown = { ...window, fromMs }
  const releases = [b.version, a.version]
  const [adoption, series, markers, compared, differences, judged] = await Promise.all([
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
    releaseVerdict(queries, grant, { ...window, release: b.version, before: a.version }),
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
    verdict: verdictView(judged),
  }
}
