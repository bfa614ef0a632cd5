/** What a rule would have told, for scripts; without them the page of the rule answers the same. */
import { requireAlso } from '@sonde/access'
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { postedDraft } from '../rule-draft.ts'
import { tryRule, tryWithPast } from '../try-rule.server.ts'

export function load({ params }: LoadArgs<AppContext, 'org' | 'project'>) {
  return redirect(paths.newAlert(params.org, params.project), 303)
}

export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'alert:write')
  const posted = fieldsOf(await args.formData())
  const { queries } = args.context
  const draft = postedDraft(posted)
  const ruleId = posted.number('ruleId')
  return Response.json(
    Number.isSafeInteger(ruleId) && ruleId > 0
      ? await tryWithPast(queries, grant, draft, ruleId)
      : await tryRule(queries, requireAlso(grant, 'event:read'), draft),
  )
}
