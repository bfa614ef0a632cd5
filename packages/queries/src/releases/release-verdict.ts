/** One answer about a release: better, same or worse than the one before, or not enough data, with what it rests on. */
import type { Grant } from '@sonde/access'
import { SondeError } from '@sonde/base'
import { type Change, rateEstimate, shareChange } from '../performance/change-interval.ts'
import type { QueryDeps } from '../query-deps.ts'
import { releasesHealth, type Health } from '../sessions/release-health.ts'
import {
  type JudgedRelease,
  judgeMeasure,
  judgeRelease,
  type MeasuredChange,
  RELEASE_MEASURES,
} from './judge-release.ts'
import { releaseDifferences } from './release-differences.ts'
import { oneRelease, orderedReleases } from './release-order.ts'
import { releaseErrorRate, releaseNavigations, releaseVitalChanges } from './release-speed.ts'

/** Data of so many days, unless told, and at most. */
export const VERDICT_DAYS = 14
export const MAX_VERDICT_DAYS = 90

const DAY_MS = 86_400_000
/** What arrives this very moment counts too. */
const MAX_AHEAD_MS = 60_000

/** What is looked at unless somebody says a time: as many days before a release as after it, so that an old one keeps its verdict. */
export function verdictWindow(
  firstMs: number,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } {
  const aroundMs = VERDICT_DAYS * DAY_MS
  const toMs = Math.max(1, Math.min(nowMs + MAX_AHEAD_MS, firstMs + aroundMs))
  return { fromMs: Math.max(0, Math.min(firstMs, nowMs) - aroundMs), toMs }
}

export type ReleaseVerdictInput = {
  readonly release: string
  /** Absent: the release before it. */
  readonly before?: string | undefined
  /** Unix milliseconds; of both releases, `toMs` exclusive. */
  readonly fromMs: number
  readonly toMs: number
  /** Empty or absent: every environment. */
  readonly environment?: readonly string[] | undefined
}

/** Throws `SondeError` (`not-found`) for a release that the project does not have. */
export async function releaseVerdict(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'project'>,
  { release, fromMs, toMs, environment = [], ...input }: ReleaseVerdictInput,
): Promise<JudgedRelease> {
  const slugs = `${grant.orgSlug}/${grant.projectSlug}`
  for (const version of [release, input.before])
    if (version !== undefined && !(await oneRelease(deps, grant, version)))
      throw new SondeError('not-found', `project ${slugs} has no release ${version}`, {
        operation: 'judge a release',
        subject: version,
      })
  const before = input.before ?? (await versionBefore(deps, grant, release))
  const judged = { release, before, fromMs, toMs }
  if (before === undefined) return { ...judged, verdict: 'not_enough_data', measures: [], absent: [] }
  const filter = { fromMs, toMs, environment }
  const pair = { ...filter, release, before }
  const [health, errors, navigations, transactions, vitals] = await Promise.all([
    releasesHealth(deps, grant, { ...filter, releases: [release, before] }),
    releaseDifferences(deps, grant, { ...pair, limit: 1 }),
    releaseNavigations(deps, grant, pair),
    releaseErrorRate(deps, grant, pair),
    releaseVitalChanges(deps, grant, pair),
  ])
  const healthOf = (version: string) => health.releases.find((each) => each.release === version)
  const found: MeasuredChange[] = [
    ...crashChanges(healthOf(release), healthOf(before)),
    {
      name: 'users_with_error',
      change: errors.change,
      release: errors.release.users,
      before: errors.before.users,
    },
    { name: 'failed_navigations', change: navigations.change, ...samplesOf(navigations) },
    { name: 'hung_navigations', change: navigations.hungChange, ...samplesOf(navigations) },
    { name: 'error_rate', change: transactions.change, ...samplesOf(transactions) },
    ...vitals.map(({ name, change, samples: [now, past] }) => ({ name, change, release: now, before: past })),
  ]
  const measures = found.filter((each) => each.release + each.before > 0).map((each) => judgeMeasure(each))
  const names = RELEASE_MEASURES.map(({ name }) => name)
  const absent = names.filter((name) => measures.every((each) => each.name !== name))
  return { ...judged, verdict: judgeRelease(measures), measures, absent }
}

type Sampled = { readonly samples: number } | undefined

const samplesOf = ({ release, before }: { readonly release: Sampled; readonly before: Sampled }) => ({
  release: release?.samples ?? 0,
  before: before?.samples ?? 0,
})

async function versionBefore(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'project'>,
  release: string,
): Promise<string | undefined> {
  const versions = (await orderedReleases(deps, grant)).map(({ version }) => version)
  const at = versions.indexOf(release)
  return at < 0 ? undefined : versions[at + 1]
}

function crashChanges(now: Health | undefined, past: Health | undefined): readonly MeasuredChange[] {
  const changeOf = (of: 'sessions' | 'users'): Change => {
    const [a, b] = [now, past].map((health) => {
      const { all, crashed } = health?.[of] ?? { all: 0, crashed: 0 }
      return rateEstimate(crashed / all, all)
    })
    return shareChange(a, b)
  }
  return (['sessions', 'users'] as const).map((of) => ({
    name: of === 'sessions' ? 'crashed_sessions' : 'users_with_crash',
    change: changeOf(of),
    release: now?.[of].all ?? 0,
    before: past?.[of].all ?? 0,
  }))
}
