/** Which shares of the rows of two releases went wrong, side by side in one read, and how certain they are. */
import { type Change, type Estimate, rateEstimate, shareChange } from '../performance/change-interval.ts'
import { clusteredSamples, GROUPS } from '../performance/clustered-samples.ts'
import type { Conditions } from '../performance/performance-filter.ts'
import type { QueryDeps } from '../query-deps.ts'

export type SharesInput<Name extends string> = {
  /** A table with `user_key` and `sample_rate`. */
  readonly from: string
  readonly where: Conditions
  /** 1 for the side that is looked at, 0 for the other; ours, with parameters of `where`. */
  readonly isNowSql: string
  /** What a row is told apart by when nobody is named. */
  readonly rowSql: string
  /** Conditions, ours. */
  readonly shares: Readonly<Record<Name, string>>
}
export type ShareSide<Name extends string> = {
  /** Counted up from what was sampled. */
  readonly count: number
  /** Rows that were stored. */
  readonly samples: number
  readonly of: Readonly<Record<Name, { readonly count: number; readonly estimate: Estimate | undefined }>>
}

/** The side that is looked at and the other; undefined where there is no row. One pass, grouped by people. */
export async function shareSides<Name extends string>(
  { telemetry }: Pick<QueryDeps, 'telemetry'>,
  { from, where, isNowSql, rowSql, shares }: SharesInput<Name>,
): Promise<readonly [now: ShareSide<Name> | undefined, before: ShareSide<Name> | undefined]> {
  const names = Object.keys(shares) as Name[]
  const sums = names.map((_, at) => `[sum(part${at}), sum(part${at} * part${at}), sum(part${at} * weight)]`)
  const parts = names.map((name, at) => `sumIf(1 / sample_rate, ${shares[name]}) AS part${at}`)
  const rows = await telemetry.query<Row>(
    `SELECT isNow, count() AS groups, sum(weight) AS whole, sum(weight * weight) AS wholeSquares, [${sums.join(', ')}] AS counts,
       sum(rows) AS samples, pow(sum(weight), 2) / sum(rowSquares) AS effective
     FROM (
       SELECT ${isNowSql} AS isNow, cityHash64(if(user_key = '', toString(${rowSql}), user_key)) % ${GROUPS} AS people,
         count() AS rows, sum(1 / sample_rate) AS weight, sum(pow(1 / sample_rate, 2)) AS rowSquares, ${parts.join(', ')}
       FROM ${from} WHERE ${where.sql} GROUP BY isNow, people
     ) GROUP BY isNow`,
    where.params,
  )
  const sideOf = (isNow: 0 | 1): ShareSide<Name> | undefined => {
    const row = rows.find((each) => each.isNow === isNow)
    if (!row) return undefined
    const of = names.map((name, at) => {
      const [below = 0, squares = 0, products = 0] = row.counts[at] ?? []
      const samples = clusteredSamples({ ...row, below, squares, products }, row.effective)
      return [name, { count: below, estimate: rateEstimate(below / row.whole, samples) }]
    })
    return { count: row.whole, samples: row.samples, of: Object.fromEntries(of) as ShareSide<Name>['of'] }
  }
  return [sideOf(1), sideOf(0)]
}

/** Of one share, `now` less `before`. */
export const changeOfShare = <Name extends string>(
  [now, before]: Awaited<ReturnType<typeof shareSides<Name>>>,
  name: Name,
): Change => shareChange(now?.of[name].estimate, before?.of[name].estimate)

type Row = {
  readonly isNow: 0 | 1
  readonly groups: number
  readonly whole: number
  readonly wholeSquares: number
  /** For each share: of it, squared by group, and times the group's weight. */
  readonly counts: readonly (readonly number[])[]
  readonly samples: number
  /** Samples of equal weight that would tell as much. */
  readonly effective: number
}
