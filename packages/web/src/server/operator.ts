import type { UserViewer } from '@sonde/access'
import { type LoadArgs, notFound } from '@sonde/router/server'
import type { AppContext } from './app-context.ts'
import { requireViewer } from './page-scope.ts'

/** Owners of every organisation of this installation: what belongs to all of them shows these nobody else's. */
export async function isOperator({
  queries,
  viewer,
}: Pick<AppContext, 'queries' | 'viewer'>): Promise<boolean> {
  const owned = new Set(
    viewer?.memberships.filter(({ role }) => role === 'owner').map(({ orgId }) => orgId) ?? [],
  )
  if (owned.size === 0) return false
  const all = await queries.records.selectFrom('organization').select('id').execute()
  return all.every(({ id }) => owned.has(id))
}

/** For everybody else the page does not exist. */
export async function requireOperator(
  args: Pick<LoadArgs<AppContext>, 'context' | 'url'>,
): Promise<UserViewer> {
  const viewer = requireViewer(args)
  return (await isOperator(args.context)) ? viewer : notFound()
}
