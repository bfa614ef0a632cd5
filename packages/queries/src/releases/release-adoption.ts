/** How much of what an application does is done by which of its releases. */
import type { Grant } from '@sonde/access'
import {
  type Conditions,
  performanceConditions,
  type PerformanceFilter,
} from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'
import { type BucketWindow, bucketWindow } from '../series/intervals.ts'

/**
 * What adoption is a share of: page loads and navigations, where nobody measures them other transactions, else events.
 * Events alone would make a release that breaks more look more used.
 */
const ADOPTION_BASES = ['visits', 'transactions', 'events'] as const
export type AdoptionBasis = (typeof ADOPTION_BASES)[number]

export type AdoptionFilter = Pick<PerformanceFilter, 'fromMs' | 'toMs' | 'environment'>
/** Visits and transactions are counted up from what was sampled; users are those of any of the three, an estimate. */
export type AdoptionCounts = { readonly [Basis in AdoptionBasis]: number } & { readonly users: number }
export type ReleaseAdoption = {
  /** Undefined: nothing happened in this time, under any release or none. */
  readonly basis: AdoptionBasis | undefined
  /** Of all releases, and of what named none. */
  readonly total: AdoptionCounts
  /** One for each release that was asked for and did something. */
  readonly releases: readonly (AdoptionCounts & { readonly release: string })[]
}

/** Each is compared with every row. */
export const MAX_ADOPTION_RELEASES = 200

const NOTHING: AdoptionCounts = { visits: 0, transactions: 0, events: 0, users: 0 }

/**
 * Reads narrow columns of the roots of spans (a range of the ordering key) and of the events in the window, and makes a
 * row for each release that was asked for. More than `MAX_ADOPTION_RELEASES` are not looked at.
 */
export async function releaseAdoption(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { releases, ...filter }: AdoptionFilter & { readonly releases: readonly string[] },
): Promise<ReleaseAdoption> {
  const used = await releaseUse(deps, grant, filter, releases)
  if (used === undefined) return { basis: undefined, total: NOTHING, releases: [] }
  const rows = await deps.telemetry.query<AdoptionCounts & { release: string; isTotal: boolean }>(
    `SELECT release, toBool(grouping(release)) AS isTotal, round(sum(visits)) AS visits,
       round(sum(transactions)) AS transactions, sum(events) AS events, uniqIf(user_key, user_key != '') AS users
     FROM (${used.sql}) GROUP BY GROUPING SETS ((release), ())`,
    used.params,
  )
  const {
    release: _,
    isTotal: __,
    ...total
  } = rows.find(({ isTotal }) => isTotal) ?? {
    ...NOTHING,
    release: '',
    isTotal: true,
  }
  return {
    basis: basisOf(total),
    total,
    releases: rows.flatMap(({ isTotal, ...row }) => (isTotal || row.release === '' ? [] : [row])),
  }
}

/** The first of which there is any. */
const basisOf = (counts: { readonly [Basis in AdoptionBasis]: number }): AdoptionBasis | undefined =>
  ADOPTION_BASES.find((basis) => counts[basis] > 0)

const VISIT = `op IN ('pageload', 'navigation')`

/**
 * A row for each root and each event: its `timestamp`, `user_key` and `release` (empty unless asked for), and what it
 * counts for. Undefined when the grant has no project. Spans of the interface that are sent alone (a vital, a press) are
 * roots in the table and no transactions.
 */
async function releaseUse(
  deps: Pick<QueryDeps, 'records'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { fromMs, toMs, environment }: AdoptionFilter,
  releases: readonly string[],
): Promise<Conditions | undefined> {
  const where = await performanceConditions(deps, grant, {
    fromMs,
    toMs,
    ...(environment && { environment }),
  })
  if (where === undefined) return undefined
  const requested = [...new Set(releases)].filter((release) => release !== '').slice(0, MAX_ADOPTION_RELEASES)
  const release = `if(release IN {releases:Array(String)}, toString(release), '') AS release`
  return {
    sql: `SELECT toDateTime64(timestamp, 3, 'UTC') AS timestamp, user_key, ${release},
            if(${VISIT}, 1 / sample_rate, 0) AS visits, if(${VISIT}, 0, 1 / sample_rate) AS transactions, 0 AS events
          FROM spans WHERE ${where.sql} AND is_segment = 1 AND NOT startsWith(op, 'ui.')
          UNION ALL
          SELECT timestamp, user_key, ${release}, 0 AS visits, 0 AS transactions, 1 + left_out AS events
          FROM events WHERE ${where.sql}`,
    params: { ...where.params, releases: requested },
  }
}

/** Adoption over time: how one release takes over from another. */
export type AdoptionSeriesInput = AdoptionFilter & {
  readonly releases: readonly string[]
  /** At most so many, 60 unless told. */
  readonly buckets?: number | undefined
}
/** `fromMs`/`toMs` are the asked window widened to whole buckets. */
export type AdoptionSeries = BucketWindow & {
  /** Undefined: nothing happened in this time, under any release or none. */
  readonly basis: AdoptionBasis | undefined
  /** One per element of `startsMs`: how many there were under all releases and none. */
  readonly counts: readonly number[]
  /** In the order that was asked for; `counts` as above, of this release alone. */
  readonly releases: readonly { readonly release: string; readonly counts: readonly number[] }[]
}

/** One pass as `releaseAdoption`'s. Throws `SondeError` (`invalid`) for a window without length. */
export async function adoptionSeries(
  deps: Pick<QueryDeps, 'records' | 'telemetry'>,
  grant: Grant<'event:read', 'org' | 'project'>,
  { releases, buckets, ...filter }: AdoptionSeriesInput,
): Promise<AdoptionSeries> {
  const window = bucketWindow({ fromMs: filter.fromMs, toMs: filter.toMs, buckets })
  const { fromMs, toMs, stepMs, startsMs } = window
  const used = await releaseUse(deps, grant, { ...filter, fromMs, toMs }, releases)
  const rows = used
    ? await deps.telemetry.query<Row>(
        `SELECT intDiv(toUnixTimestamp64Milli(timestamp) - {first:Int64}, {step:Int64}) AS bucket, release,
           ${ADOPTION_BASES.map((basis) => `sum(${basis}) AS ${basis}`).join(', ')}
         FROM (${used.sql}) GROUP BY bucket, release`,
        { ...used.params, first: fromMs, step: stepMs },
      )
    : []
  const sumOf = (basis: AdoptionBasis): number => rows.reduce((sum, row) => sum + row[basis], 0)
  const basis = basisOf({
    visits: sumOf('visits'),
    transactions: sumOf('transactions'),
    events: sumOf('events'),
  })
  const countsOf = (own: readonly Row[]): number[] => {
    const counts = startsMs.map(() => 0)
    for (const row of own) counts[row.bucket] = (counts[row.bucket] ?? 0) + (basis ? row[basis] : 0)
    return counts.map((count) => Math.round(count))
  }
  return {
    ...window,
    basis,
    counts: countsOf(rows),
    releases: releases.map((release) => ({
      release,
      counts: countsOf(rows.filter((row) => row.release === release)),
    })),
  }
}

type Row = { readonly [Basis in AdoptionBasis]: number } & {
  readonly bucket: number
  readonly release: string
}
