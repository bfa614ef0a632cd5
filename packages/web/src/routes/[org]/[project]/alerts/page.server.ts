/** The alert rules of a project. */
import { mayAlso } from '@sonde/access'
import type { AnyRule } from '@sonde/alerts'
import { alertRules, channelNames, teamNames, trackerNames } from '@sonde/queries'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { membersNamed, ownerName } from '../../../../parts/alerts/members-named.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { changeRule } from './change-rules.server.ts'
import { ruleWords, scheduleWords, tellsWords } from './rule-words.ts'
import { storedRule } from './stored-rule.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries } = args.context
  const grant = await projectGrant(args, 'alert:read')
  const [rows, channels, trackers, members, teams] = await Promise.all([
    alertRules(queries, grant),
    channelNames(queries, grant),
    trackerNames(queries, grant),
    membersNamed(args),
    teamNames(queries, grant),
  ])
  return {
    mayWrite: mayAlso(grant, 'alert:write'),
    rules: rows.map(({ value, ...row }) => {
      const stored = storedRule({ kind: row.kind, value })
      return {
        ...row,
        words: stored ? ruleWords(stored) : 'What is stored of this rule cannot be read.',
        search: searchOf(stored),
        tells: stored ? tellsWords(stored.rule, { channels, trackers, members, teams }) : '',
        owner: ownerName(stored?.rule.ownerId, members),
        schedule: scheduleWords(stored?.rule.schedule),
      }
    }),
  }
}

function searchOf(stored: AnyRule | undefined): string {
  if (stored?.kind === 'issue') return stored.rule.search
  return stored?.kind === 'metric' ? stored.rule.metric.search : ''
}

export const action = (args: ActionArgs<AppContext, 'org' | 'project'>) => changeRule(args)
