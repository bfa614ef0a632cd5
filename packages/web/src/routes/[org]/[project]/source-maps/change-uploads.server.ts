import { errorKind } from '@sonde/base'
import { deleteUpload, repairEvents } from '@sonde/commands'
import { type ActionArgs, httpError, type Invalid, invalid, notFound, redirect } from '@sonde/router/server'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type RefusedForm } from '../../../../parts/forms/posted-fields.ts'

type Args = ActionArgs<AppContext, 'org' | 'project'>

/** 303 to the list with `?saved=…`, or 422 when it was not confirmed. */
export async function changeUploads(args: Args): Promise<Invalid<RefusedForm>> {
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  const grant = await projectGrant(args, 'release:write')
  const here = paths.sourceMaps(grant.orgSlug, grant.projectSlug)
  if (form === 'repair') {
    await repairEvents(args.context.commands, grant, {})
    return redirect(`${here}?saved=repair-asked`, 303)
  }
  if (form !== 'delete-upload') return httpError(400)
  const id = Number(posted.text('uploadId'))
  if (!Number.isSafeInteger(id) || id < 1) return notFound()
  if (posted.text('confirm') !== 'on')
    return invalid({
      form: 'delete-upload',
      fields: { confirm: ['check the box to delete the upload'] },
    })
  try {
    await deleteUpload(args.context.commands, grant, { id })
  } catch (error) {
    // Somebody else deleted it, which is what was wanted.
    if (errorKind(error) !== 'not-found') throw error
  }
  return redirect(`${here}?saved=upload-deleted`, 303)
}
