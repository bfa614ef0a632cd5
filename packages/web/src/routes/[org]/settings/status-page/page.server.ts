import { mayAlso, requireAlso } from '@sonde/access'
import { SondeError } from '@sonde/base'
import {
  chooseStatusComponents,
  createStatusPage,
  deleteStatusPage,
  deleteStatusSubscriber,
  InvalidInput,
  publishStatusPage,
  updateStatusPage,
} from '@sonde/commands'
import { statusChoices, type StatusPageSettings, statusPageSettings } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { orEndPage, orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, type RefusedForm } from '../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'org:read')
  const { queries, publicUrl, hasMail } = args.context
  const { orgName, orgSlug } = grant
  if (!mayAlso(grant, 'org:write')) return { orgName, owned: undefined }
  const own = requireAlso(grant, 'org:write')
  const page = await statusPageSettings(queries, own)
  const shown = new Set(page?.components.map(({ ref }) => ref))
  const choices = page ? await statusChoices(queries, own) : []
  return {
    orgName,
    owned: {
      hasMail,
      /** What the form for a new page begins with. */
      suggested: { slug: orgSlug, title: orgName },
      page: page && {
        ...page,
        incidents: undefined,
        open: page.incidents.filter(({ endedMs }) => endedMs === null).length,
        url: publicUrl + paths.publicStatus(page.slug),
        components: page.components.map((component) => ({
          ...component,
          monitor: choices.find(({ ref }) => ref === component.ref),
        })),
      },
      choices: choices.filter(({ ref }) => !shown.has(ref)),
    },
  }
}

type Args = ActionArgs<AppContext, 'org'>

/** 303 back with `?saved=…`, or 422 with the errors of each field. */
export async function action(args: Args) {
  const grant = await orgGrant(args, 'org:write')
  const posted = fieldsOf(await args.formData())
  try {
    const saved = await orEndPage(change(args, posted))
    return redirect(`${paths.statusPage(grant.orgSlug)}?saved=${saved}`, 303)
  } catch (error) {
    // Somebody else made one meanwhile: it is shown.
    if (error instanceof SondeError && error.kind === 'conflict')
      return redirect(paths.statusPage(grant.orgSlug), 303)
    if (!(error instanceof InvalidInput)) throw error
    const component = posted.text('component')
    const answer: RefusedForm = {
      form: component === '' ? posted.text('form') : `component-${component}`,
      fields: Object.fromEntries(
        // `components.3.name` of a list stands beside `name` of the form that was posted.
        Object.entries(error.fields).map(([field, texts]) => [field.split('.').at(-1) ?? field, texts]),
      ),
    }
    return invalid(answer)
  }
}

async function change(args: Args, posted: PostedFields): Promise<SavedForm> {
  const { commands, queries } = args.context
  const grant = await orgGrant(args, 'org:write')
  const input = {
    slug: posted.text('slug'),
    title: posted.text('title'),
    description: posted.text('description'),
  }
  switch (posted.text('form')) {
    case 'new-page':
      await createStatusPage(commands, grant, input)
      return 'status-made'
    case 'page':
      await updateStatusPage(commands, grant, input)
      return 'status-saved'
    case 'publish': {
      const isPublished = posted.text('does') === 'publish'
      await publishStatusPage(commands, grant, isPublished)
      return isPublished ? 'status-published' : 'status-unpublished'
    }
    case 'component':
    case 'add-component': {
      const page = (await statusPageSettings(queries, grant)) ?? notFound()
      const components = changedComponents(page.components, posted).map(componentInput)
      await chooseStatusComponents(commands, grant, { components })
      return 'status-components'
    }
    case 'subscriber':
      await deleteStatusSubscriber(commands, grant, { email: posted.text('email') })
      return 'status-subscriber'
    case 'delete-page':
      await deleteStatusPage(commands, grant)
      return 'status-deleted'
    default:
      return httpError(400)
  }
}

type Listed = Pick<StatusPageSettings['components'][number], 'ref' | 'name' | 'group'>

/** One is added at the end; one is renamed, moved by a place or removed. */
function changedComponents(
  before: StatusPageSettings['components'],
  posted: PostedFields,
): readonly Listed[] {
  const typed = { name: posted.text('name'), group: posted.text('group') }
  if (posted.text('form') === 'add-component') return [...before, { ref: posted.text('monitor'), ...typed }]
  const at = before.findIndex(({ id }) => String(id) === posted.text('component'))
  const component = before[at]
  if (!component) return notFound()
  const others = before.toSpliced(at, 1)
  const does = posted.text('does')
  if (does === 'remove') return others
  const to = at + (does === 'up' ? -1 : does === 'down' ? 1 : 0)
  return others.toSpliced(Math.max(0, to), 0, { ...component, ...typed })
}

function componentInput({ ref, name, group }: Listed) {
  const [kind, id = '', ...environment] = ref.split(':')
  return {
    kind: kind === 'cron' ? ('cron' as const) : ('uptime' as const),
    monitorId: Number(id) || 0,
    environment: environment.join(':'),
    name,
    group,
  }
}
