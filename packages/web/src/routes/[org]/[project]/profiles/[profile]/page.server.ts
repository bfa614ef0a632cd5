/** One profile: of a transaction, of a chunk, or the newest chunks of a profiler. */
import { openProfile } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'profile'>) {
  const grant = await projectGrant(args, 'event:read')
  const thread = args.url.searchParams.get('thread') ?? undefined
  const opened = await openProfile(args.context.queries, grant, { id: args.params.profile, thread })
  return opened === undefined ? notFound() : { ...opened, thread }
}
