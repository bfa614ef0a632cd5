/** What a comment would look like, for scripts; without them the page of the activity answers the same. */
import { previewComment } from '@sonde/commands'
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { projectGrant } from '../../../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../../../paths.ts'
import type { AppContext } from '../../../../../../../server/app-context.server.ts'
import type { PreviewedComment } from '../../comment-help.tsx'

type Param = 'org' | 'project' | 'issue'

export function load({ params }: LoadArgs<AppContext, Param>) {
  return redirect(paths.issueActivity(params.org, params.project, params.issue), 303)
}

export async function action(args: ActionArgs<AppContext, Param>): Promise<Response> {
  const grant = await projectGrant(args, 'event:write')
  const text = fieldsOf(await args.formData()).text('text')
  const answer: PreviewedComment = await previewComment(args.context.commands, grant, text)
  return Response.json(answer)
}
