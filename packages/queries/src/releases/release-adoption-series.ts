/** Adoption over time: how one release takes over from another. */
import type { Grant } from '@sonde/access'
import type { QueryDeps } from '../query-deps.ts'
import { type BucketWindow, bucketWindow } from '../series/intervals.ts'
import {
  ADOPTION_BASES,
  type AdoptionBasis,
  type AdoptionFilter,
  basisOf,
  releaseUse,
} from './release-adoption.ts'

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
