import {
  type FieldErrors,
  InvalidInput,
  setProjectNotifications,
  setUsualNotifications,
} from '@sonde/commands'
import { listProjects, notificationSettings } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { grantsOf, orEndPage, requireViewer } from '../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields } from '../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext>) {
  const viewer = requireViewer(args)
  const { queries, hasMail } = args.context
  const grants = await grantsOf(args).openOrgs('project:read')
  const [settings, projects] = await Promise.all([
    notificationSettings(queries, viewer),
    Promise.all(
      grants.map(async (grant) =>
        (await listProjects(queries, grant)).map(({ slug }) => `${grant.orgSlug}/${slug}`),
      ),
    ),
  ])
  return { email: viewer.email, hasMail, settings, projects: projects.flat() }
}

export async function action(args: ActionArgs<AppContext>) {
  const viewer = requireViewer(args)
  const { commands } = args.context
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  const saved = (what: SavedForm): never => redirect(`${paths.notifications()}?saved=${what}`, 303)
  try {
    if (form === 'usual') {
      const { inbox, email } = choicesOf(posted)
      await setUsualNotifications(commands, viewer, { inbox, email, pace: posted.text('pace') as 'once' })
      return saved('notifications')
    }
    if (form === 'project') {
      const [org = '', project = ''] = posted.text('project').split('/')
      const grant = await orEndPage(grantsOf(args).openProject(org, project, 'project:read'))
      await setProjectNotifications(commands, viewer, grant, choicesOf(posted))
      return saved('notifications-project')
    }
    return httpError(400)
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const answer: { form: string; fields: FieldErrors } = { form, fields: error.fields }
    return invalid(answer)
  }
}

/** What is no choice is refused by the command, in words. */
const choicesOf = (posted: PostedFields) => ({
  inbox: posted.text('inbox') as 'all',
  email: posted.text('email') as 'all',
})
