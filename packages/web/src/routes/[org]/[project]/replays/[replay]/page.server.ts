/** One replay: what it was, and the errors in it. Its recording is fetched by the player. */
import { mayAlso } from '@sonde/access'
import { deleteReplay } from '@sonde/commands'
import { openReplay, replayIdOf, replayViewers } from '@sonde/queries'
import { type ActionArgs, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

type Params = 'org' | 'project' | 'replay'

export async function load(args: LoadArgs<AppContext, Params>) {
  const grant = await projectGrant(args, 'event:read')
  const { queries } = args.context
  const replay = (await openReplay(queries, grant, args.params.replay)) ?? notFound()
  const viewers = await replayViewers(queries, grant, replay)
  return {
    ...replay,
    seenBy: viewers.map(({ name }) => name),
    mayNote: mayAlso(grant, 'event:write'),
    mayDelete: mayAlso(grant, 'event:delete'),
  }
}

/** Deletes it, then shows the list. */
export async function action(args: ActionArgs<AppContext, Params>) {
  const { org, project, replay } = args.params
  const grant = await projectGrant(args, 'event:delete')
  const replayId = replayIdOf(replay) ?? notFound()
  await orEndPage(deleteReplay(args.context.commands, grant, { replayId }))
  return redirect(paths.replays(org, project), 303)
}
