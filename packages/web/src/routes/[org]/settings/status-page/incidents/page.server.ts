import { SondeError } from '@sonde/base'
import {
  deleteStatusIncident,
  InvalidInput,
  postStatusIncident,
  scheduleMaintenance,
  updateStatusIncident,
} from '@sonde/commands'
import { statusPageSettings } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import type { StatusImpact } from '@sonde/stores'
import { orEndPage, orgGrant, requireViewer } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, type RefusedForm } from '../../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../../parts/forms/saved-notice.tsx'
import { readZonedTime } from '../../../../../parts/forms/zoned-time.server.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'org:write')
  const page = (await statusPageSettings(args.context.queries, grant)) ?? notFound()
  const { title, isPublished, components, incidents, subscribers } = page
  return {
    orgName: grant.orgName,
    title,
    isPublished,
    subscribers,
    components: components.map(({ id, name }) => ({ id, name })),
    incidents,
  }
}

type Args = ActionArgs<AppContext, 'org'>

/** 303 back with `?saved=…`, or 422 with the errors of each field. */
export async function action(args: Args) {
  const grant = await orgGrant(args, 'org:write')
  const posted = fieldsOf(await args.formData())
  const here = paths.statusIncidents(grant.orgSlug)
  try {
    const saved = await orEndPage(change(args, posted))
    return redirect(`${here}?saved=${saved}`, 303)
  } catch (error) {
    // It is over meanwhile: what it came to is shown.
    if (error instanceof SondeError && error.kind === 'conflict') return redirect(here, 303)
    if (!(error instanceof InvalidInput)) throw error
    const incident = posted.text('incident')
    const answer: RefusedForm = {
      form: incident === '' ? posted.text('form') : `update-${incident}`,
      fields: error.fields,
    }
    return invalid(answer)
  }
}

async function change(args: Args, posted: PostedFields): Promise<SavedForm> {
  const { commands } = args.context
  const grant = await orgGrant(args, 'org:write')
  const incidentId = posted.number('incident')
  const common = {
    title: posted.text('title'),
    body: posted.text('body'),
    components: posted.all('components').map(Number),
  }
  switch (posted.text('form')) {
    case 'incident': {
      const impact = posted.text('impact') as StatusImpact
      const state = posted.text('state') as 'investigating'
      await postStatusIncident(commands, grant, { ...common, impact, state })
      return 'status-posted'
    }
    case 'maintenance': {
      const timeOf = (name: string): number =>
        readZonedTime({ at: posted.text(name), zone: posted.text(`${name}Zone`) }, requireViewer(args)) ?? NaN
      await scheduleMaintenance(commands, grant, {
        ...common,
        startMs: timeOf('start'),
        endMs: timeOf('end'),
      })
      return 'status-posted'
    }
    case 'update':
      await updateStatusIncident(commands, grant, incidentId, {
        state: posted.text('state'),
        body: posted.text('body'),
      })
      return 'status-updated'
    case 'remove':
      await deleteStatusIncident(commands, grant, incidentId)
      return 'status-removed'
    default:
      return httpError(400)
  }
}
