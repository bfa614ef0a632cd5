import { routeTransactions, TRANSACTION_SORTS } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { loadMeasured } from '../../../../performance/load-measured.server.ts'
import type { AppContext } from '../../../../server/app-context.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const sort = TRANSACTION_SORTS.find((each) => each === args.url.searchParams.get('sort')) ?? 'count'
  const measured = await loadMeasured(args, 'transactions', (queries, scope, input) =>
    routeTransactions(queries, scope, { ...input, sort }),
  )
  return { ...measured, sort }
}
