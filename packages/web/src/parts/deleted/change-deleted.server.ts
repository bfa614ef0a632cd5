/** What the buttons beside something deleted post: `does` is `restore`, `undo` or `purge`, `id` names the line. */
import { purgeDeleted, restoreDeleted } from '@sonde/commands'
import { type ActionArgs, httpError, redirect } from '@sonde/router/server'
import { paths } from '../../paths.ts'
import type { AppContext } from '../../server/app-context.server.ts'
import { orEndPage, requireViewer } from '../access/page-grant.server.ts'
import { fieldsOf } from '../forms/posted-fields.ts'
import { orBusy } from './or-busy.server.ts'

/** To what was restored, or back to the list at `listPath`. */
export async function changeDeleted(args: ActionArgs<AppContext>, listPath: string): Promise<never> {
  const viewer = requireViewer(args)
  const posted = fieldsOf(await args.formData())
  const id = posted.number('id')
  const does = posted.text('does')
  const { commands } = args.context
  if (does === 'purge') {
    await orEndPage(purgeDeleted(commands, viewer, { id }))
    return redirect(`${listPath}?saved=deleted-now`, 303)
  }
  if (does !== 'restore' && does !== 'undo') return httpError(400)
  const { kind, orgSlug, projectSlug } = await orBusy(
    `${listPath}?saved=deleted-busy`,
    restoreDeleted(commands, viewer, { id }),
  )
  if (projectSlug === undefined) return redirect(`${paths.org(orgSlug)}?saved=organization-restored`, 303)
  // Undo leads back to where the issues are.
  if (kind === 'issues' && does === 'undo')
    return redirect(`${paths.issues(orgSlug, projectSlug)}?saved=issues-restored`, 303)
  return redirect(`${listPath}?saved=${kind}-restored`, 303)
}
