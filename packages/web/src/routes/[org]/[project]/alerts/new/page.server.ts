import { requireAlso } from '@sonde/access'
import { channelNames, teamNames, trackerNames } from '@sonde/queries'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { membersNamed } from '../../../../../parts/alerts/members-named.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { startedDraft } from '../rule-draft.ts'
import { saveRule, tryRule } from '../try-rule.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries } = args.context
  const grant = await projectGrant(args, 'alert:write')
  const draft = startedDraft(args.url.searchParams)
  const [channels, trackers, members, teams, tried] = await Promise.all([
    channelNames(queries, grant),
    trackerNames(queries, grant),
    membersNamed(args),
    teamNames(queries, grant),
    tryRule(queries, requireAlso(grant, 'event:read'), draft),
  ])
  return { draft, channels, trackers, members, teams, tried }
}

export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  return saveRule(args, await projectGrant(args, 'alert:write'))
}
