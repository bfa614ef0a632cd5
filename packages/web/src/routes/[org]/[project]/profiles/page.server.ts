/** Transactions with profiles, the slowest functions, and one flame graph of the newest. */
import { mayAlso } from '@sonde/access'
import {
  aggregateProfile,
  certainChange,
  functionTrends,
  newestProfiles,
  profiledTransactions,
  projectKeys,
  slowFunctions,
} from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import {
  filterChoices,
  isFiltered,
  performanceFilterOf,
} from '../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

const NEWEST = 20

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  const grant = await projectGrant(args, 'event:read')
  const { searchParams: params } = args.url
  const nowMs = clock.nowMs()
  const transaction = params.get('transaction') ?? undefined
  const filter = performanceFilterOf(params, nowMs)
  const input = { ...filter, transaction }
  const [transactions, functions, newest, aggregate, choices] = await Promise.all([
    profiledTransactions(queries, grant, filter),
    slowFunctions(queries, grant, input),
    newestProfiles(queries, grant, { ...input, limit: NEWEST }),
    aggregateProfile(queries, grant, input),
    filterChoices(queries, grant, { params, nowMs, source: 'profiles' }),
  ])
  const { trends, stepMs } = await functionTrends(queries, grant, { ...input, functions })
  const shown = functions.flatMap((row, index) => {
    const trend = trends[index]
    return trend ? [{ ...row, ...trend }] : []
  })
  const isBySlower = params.get('functions') === 'slower'
  const keys = newest.length === 0 ? await projectKeys(queries, grant) : []
  return {
    transaction,
    transactions,
    functions: isBySlower
      ? shown.toSorted((a, b) => certainChange(b.change) - certainChange(a.change))
      : shown,
    isBySlower,
    stepMs,
    mayAlert: mayAlso(grant, 'alert:write'),
    newest,
    tree: aggregate.tree,
    merged: aggregate.profiles.length,
    choices,
    isNarrowed: isFiltered(params) || transaction !== undefined,
    dsn: keys.find((key) => key.isActive)?.dsn,
  }
}
