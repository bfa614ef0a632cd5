import type { UserViewer } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  addPushSubscription,
  type FieldErrors,
  InvalidInput,
  removePushSubscription,
  setProjectNotifications,
  setUsualNotifications,
} from '@sonde/commands'
import { listProjects, notificationSettings, pushBrowsers } from '@sonde/queries'
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
  const [settings, browsers, pushKey, projects] = await Promise.all([
    notificationSettings(queries, viewer),
    pushBrowsers(queries, viewer),
    args.context.pushKey(),
    Promise.all(
      grants.map(async (grant) =>
        (await listProjects(queries, grant)).map(({ slug }) => `${grant.orgSlug}/${slug}`),
      ),
    ),
  ])
  const timeZone = viewer.timeZone ?? ''
  return { email: viewer.email, hasMail, timeZone, settings, browsers, pushKey, projects: projects.flat() }
}

export async function action(args: ActionArgs<AppContext>) {
  const viewer = requireViewer(args)
  const { commands } = args.context
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  const saved = (what: SavedForm): never => redirect(`${paths.notifications()}?saved=${what}`, 303)
  try {
    if (form === 'usual') {
      const pace = posted.text('pace') as 'once'
      const times = {
        pace,
        ...(posted.has('digestHour') && { digestHour: posted.number('digestHour') }),
      }
      await setUsualNotifications(commands, viewer, { ...choicesOf(posted), ...activityOf(posted), ...times })
      return saved('notifications')
    }
    if (form === 'project') {
      const [org = '', project = ''] = posted.text('project').split('/')
      const grant = await orEndPage(grantsOf(args).openProject(org, project, 'project:read'))
      await setProjectNotifications(commands, viewer, grant, { ...choicesOf(posted), ...activityOf(posted) })
      return saved('notifications-project')
    }
    if (form === 'push-on') {
      const [endpoint, p256dh, auth] = [posted.text('endpoint'), posted.text('p256dh'), posted.text('auth')]
      const userAgent = args.request.headers.get('user-agent') ?? ''
      await addPushSubscription(commands, viewer, { endpoint, p256dh, auth, userAgent })
      return saved('push-on')
    }
    if (form !== 'push-off' && form !== 'push-test') return httpError(400)
    const id = posted.number('id')
    if (!Number.isSafeInteger(id) || id < 1) return httpError(400)
    if (form === 'push-test')
      return { form, fields: {}, tested: await tryPush(args, viewer, id) } satisfies Answer
    await removePushSubscription(commands, viewer, { id })
    return saved('push-off')
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const answer: Answer = { form, fields: error.fields }
    return invalid(answer)
  }
}

type Tested = { readonly isDelivered: boolean; readonly answer: string }
type Answer = { readonly form: string; readonly fields: FieldErrors; readonly tested?: Tested }

async function tryPush({ context }: ActionArgs<AppContext>, viewer: UserViewer, id: number): Promise<Tested> {
  try {
    const { isDelivered, answer } = await context.testPush(viewer, { id })
    return { isDelivered, answer }
  } catch (error) {
    if (errorKind(error) !== 'not-found') throw error
    return { isDelivered: false, answer: 'It was switched off meanwhile.' }
  }
}

/** What is no choice is refused by the command, in words. */
const choicesOf = (posted: PostedFields) => ({
  inbox: posted.text('inbox') as 'all',
  email: posted.text('email') as 'all',
  push: posted.text('push') as 'all',
})

const activityOf = (posted: PostedFields) =>
  posted.has('activity-inbox') && {
    activity: {
      inbox: posted.text('activity-inbox') as 'none',
      email: posted.text('activity-email') as 'none',
      push: posted.text('activity-push') as 'none',
    },
  }
