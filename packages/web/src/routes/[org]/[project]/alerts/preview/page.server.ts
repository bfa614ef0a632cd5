/** What a rule would have told, for scripts; without them the page of the rule answers the same. */
import { requireAlso } from '@sonde/access'
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { postedDraft } from '../rule-draft.ts'
import { tryRule } from '../try-rule.server.ts'

export function load({ params }: LoadArgs<AppContext, 'org' | 'project'>) {
  return redirect(paths.newAlert(params.org, params.project), 303)
}

export async function action(args: ActionArgs<AppContext, 'org' | 'project'>) {
  const grant = await projectGrant(args, 'alert:write')
  const draft = postedDraft(fieldsOf(await args.formData()))
  return Response.json(await tryRule(args.context.queries, requireAlso(grant, 'event:read'), draft))
}
