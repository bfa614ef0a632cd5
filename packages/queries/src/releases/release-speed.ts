/** How a release feels to those who use it, against another one: web vitals, navigations that went wrong, failed transactions. */
import type { Grant } from '@sonde/access'
import type { Change } from '../performance/change-interval.ts'
import {
  HUNG_SQL,
  navigationConditions,
  navigationPart,
  WAITED_FOR_SQL,
} from '../performance/navigation-filter.ts'
import { TROUBLED_SQL } from '../performance/navigation-summary.ts'
import type { PerformanceFilter } from '../performance/performance-filter.ts'
import { HAS_FAILED, transactionConditions } from '../performance/transaction-windows.ts'
import { vitalConditions } from '../performance/vital-conditions.ts'
import { type VitalChange, vitalSides } from '../performance/vital-sides.ts'
import type { QueryDeps } from '../query-deps.ts'
import { changeOfShare, shareSides } from './release-shares.ts'

/** `release` is looked at, `before` is what it is compared with; both within the same time. */
export type ReleasePair = Pick<PerformanceFilter, 'fromMs' | 'toMs' | 'environment'> & {
  readonly release: string
  readonly before: string
}

/** Of those that visits of both told. The method: docs/internals/performance-changes.md. */
export async function releaseVitalChanges(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { release, before, ...filter }: ReleasePair,
): Promise<readonly VitalChange[]> {
  const where = await vitalConditions(deps, grant, { ...filter, release: [release, before] })
  if (where === undefined) return []
  return vitalSides(deps, { sql: where.sql, params: { ...where.params, isNow: release } }, IS_NOW)
}

const IS_NOW = 'toUInt8(release = {isNow:String})'

export type NavigationFailures = {
  /** Navigations that somebody waited for; counted up, `samples` were stored. */
  readonly count: number
  readonly samples: number
  /** Of them: hung, left, failed or fell back. */
  readonly troubled: number
  /** Of them: hung, whatever came of it. */
  readonly hung: number
}
export type ReleaseNavigations = {
  /** Undefined where nobody told a navigation. */
  readonly release: NavigationFailures | undefined
  readonly before: NavigationFailures | undefined
  /** Of the share in trouble, in shares of one. */
  readonly change: Change
  /** Of the share that hung. */
  readonly hungChange: Change
}

/** One pass over the navigations of both; of very many a part is read. */
export async function releaseNavigations(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { release, before, ...filter }: ReleasePair,
): Promise<ReleaseNavigations> {
  const requested = { ...filter, release: [release, before] }
  const part = await navigationPart(deps, grant, requested)
  const where = await navigationConditions(deps, grant, { ...requested, part })
  const sides = where
    ? await shareSides(deps, {
        from: 'navigations FINAL',
        where: { sql: `${where.sql} AND ${WAITED_FOR_SQL}`, params: { ...where.params, isNow: release } },
        isNowSql: IS_NOW,
        rowSql: 'navigation_id',
        shares: { troubled: TROUBLED_SQL, hung: HUNG_SQL },
      })
    : NO_SIDES
  const failuresOf = (side: (typeof sides)[number]): NavigationFailures | undefined => {
    if (!side) return undefined
    const whole = (sum: number): number => Math.round(sum / part)
    const { count, samples, of } = side
    return {
      count: whole(count),
      samples: whole(samples),
      troubled: whole(of.troubled.count),
      hung: whole(of.hung.count),
    }
  }
  return {
    release: failuresOf(sides[0]),
    before: failuresOf(sides[1]),
    change: changeOfShare(sides, 'troubled'),
    hungChange: changeOfShare(sides, 'hung'),
  }
}

const NO_SIDES = [undefined, undefined] as const

export type TransactionFailures = {
  /** Transactions that were stored; `count` is counted up. */
  readonly count: number
  readonly samples: number
  /** Of them: their status says that they failed. */
  readonly failed: number
}
export type ReleaseErrorRate = {
  /** Undefined where nobody sent a transaction. */
  readonly release: TransactionFailures | undefined
  readonly before: TransactionFailures | undefined
  /** Of the share that failed, in shares of one. */
  readonly change: Change
}

/**
 * The failure rate of transactions, which every Sentry SDK with tracing tells: in a browser a page load or navigation in
 * which an error was not caught has the status of one that failed. One pass over the roots of both.
 */
export async function releaseErrorRate(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { release, before, ...filter }: ReleasePair,
): Promise<ReleaseErrorRate> {
  const where = await transactionConditions(deps, grant, { ...filter, release: [release, before] })
  const sides = where
    ? await shareSides(deps, {
        from: 'spans',
        where: { sql: where.sql, params: { ...where.params, isNow: release } },
        isNowSql: IS_NOW,
        rowSql: 'span_id',
        shares: { failed: HAS_FAILED },
      })
    : NO_SIDES
  const failuresOf = (side: (typeof sides)[number]): TransactionFailures | undefined =>
    side && {
      count: Math.round(side.count),
      samples: side.samples,
      failed: Math.round(side.of.failed.count),
    }
  return {
    release: failuresOf(sides[0]),
    before: failuresOf(sides[1]),
    change: changeOfShare(sides, 'failed'),
  }
}
