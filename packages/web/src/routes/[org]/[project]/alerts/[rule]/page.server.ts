import { mayAlso } from '@sonde/access'
import { alertRule, channelNames, teamNames, trackerNames } from '@sonde/queries'
import { type ActionArgs, type LoadArgs, notFound } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { membersNamed } from '../../../../../parts/alerts/members-named.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { draftOf, emptyDraft } from '../rule-draft.ts'
import { storedRule } from '../stored-rule.server.ts'
import { saveRule, tryWithPast } from '../try-rule.server.ts'

type Param = 'org' | 'project' | 'rule'

const idOf = ({ params }: LoadArgs<AppContext, Param>): number => {
  const id = Number(params.rule)
  return Number.isSafeInteger(id) && id > 0 ? id : notFound()
}

export async function load(args: LoadArgs<AppContext, Param>) {
  const { queries } = args.context
  const grant = await projectGrant(args, 'alert:read')
  const row = (await alertRule(queries, grant, idOf(args))) ?? notFound()
  const stored = storedRule(row)
  const draft = stored ? draftOf(row.name, stored) : { ...emptyDraft(row.kind), name: row.name }
  const [channels, trackers, members, teams, tried] = await Promise.all([
    channelNames(queries, grant),
    trackerNames(queries, grant),
    membersNamed(args),
    teamNames(queries, grant),
    tryWithPast(queries, grant, draft, row.id),
  ])
  const { value: _, ...rule } = row
  return { rule, draft, channels, trackers, members, teams, tried, mayWrite: mayAlso(grant, 'alert:write') }
}

export async function action(args: ActionArgs<AppContext, Param>) {
  const grant = await projectGrant(args, 'alert:write')
  const row = (await alertRule(args.context.queries, grant, idOf(args))) ?? notFound()
  return saveRule(args, grant, { ruleId: row.id, kind: row.kind })
}
