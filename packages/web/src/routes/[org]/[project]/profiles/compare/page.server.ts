/** Profiles of two releases side by side, or of this time and the one before. */
import { compareProfiles, profiledReleases, profiledTransactions } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { performanceFilterOf } from '../../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const filter = performanceFilterOf(params, clock.nowMs())
  const transaction = params.get('transaction') || undefined
  const all = { ...filter, transaction }
  const [transactions, releases] = await Promise.all([
    profiledTransactions(queries, grant, { ...filter, release: [] }),
    profiledReleases(queries, grant, all),
  ])
  // The newest release after the one before it, unless the address names others.
  const by: 'release' | 'time' = params.get('by') === 'time' ? 'time' : 'release'
  const b = params.get('b') || (releases[0]?.release ?? '')
  const a = params.get('a') || (releases.find(({ release }) => release !== b)?.release ?? '')
  const spanMs = filter.toMs - filter.fromMs
  const isPossible = by === 'time' || (a !== '' && b !== '' && a !== b)
  const compared = isPossible
    ? await compareProfiles(
        queries,
        grant,
        by === 'time'
          ? {
              before: { ...all, fromMs: Math.max(0, filter.fromMs - spanMs), toMs: filter.fromMs },
              after: all,
            }
          : { before: { ...all, release: [a] }, after: { ...all, release: [b] } },
      )
    : undefined
  return {
    by,
    a,
    b,
    transaction: transaction ?? '',
    transactions: transactions.map((each) => each.transaction),
    releases: releases.map(({ release }) => release),
    compared,
  }
}
