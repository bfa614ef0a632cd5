/** Whom a monitor can tell. */
import type { Grant } from '@sonde/access'
import { channelNames, teamNames } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../../server/app-context.server.ts'
import { membersNamed } from './members-named.server.ts'
import type { Tellable } from './tell-fields.tsx'

export async function tellable(
  args: LoadArgs<AppContext, 'org' | 'project'>,
  grant: Grant<'alert:write', 'project'>,
): Promise<Tellable> {
  const { queries } = args.context
  const [channels, members, teams] = await Promise.all([
    channelNames(queries, grant),
    membersNamed(args),
    teamNames(queries, grant),
  ])
  return { channels, members, teams }
}
