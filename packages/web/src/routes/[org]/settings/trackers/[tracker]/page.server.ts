import type { Grant } from '@sonde/access'
import { deleteTracker, type FieldErrors, InvalidInput, testTracker, updateTracker } from '@sonde/commands'
import { trackerById } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { orEndPage, orgGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields } from '../../../../../parts/forms/posted-fields.ts'
import { postedKind } from '../../../../../parts/integrations/kind-form.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { KINDS } from '../tracker-kinds.ts'

type Requested = LoadArgs<AppContext, 'org' | 'tracker'>

/** What is no id is no tracker. */
const idOf = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : notFound())

const open = async ({ context, params }: Requested, grant: Grant<'integration:write', 'org'>) =>
  (await trackerById(context.queries, grant, idOf(params.tracker))) ?? notFound()

export async function load(args: Requested) {
  const grant = await orgGrant(args, 'integration:write')
  return { orgName: grant.orgName, tracker: await open(args, grant) }
}

type TrackerAnswer = {
  readonly form: string
  readonly fields: FieldErrors
  readonly tried?: { readonly isGood: boolean; readonly answer: string }
  readonly webhookSecret?: string
}

/** 303 with `?saved=…`, 422 with the errors of each field, or 200 with a test's answer or a new secret. */
export async function action(args: ActionArgs<AppContext, 'org' | 'tracker'>) {
  args.setHeader('cache-control', 'no-store')
  const grant = await orgGrant(args, 'integration:write')
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  try {
    return await orEndPage(change(args, grant, form, posted))
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const answer: TrackerAnswer = { form, fields: error.fields }
    return invalid(answer)
  }
}

async function change(
  args: Requested,
  grant: Grant<'integration:write', 'org'>,
  form: string,
  posted: PostedFields,
) {
  const { commands } = args.context
  const { orgSlug } = grant
  const { id: trackerId, kind } = await open(args, grant)
  if (form === 'tracker') {
    const { name, settings, secret } = postedKind(KINDS[kind], posted)
    const [isSyncedIn, isSyncedOut] = [posted.has('syncIn'), posted.has('syncOut')]
    const changes = { trackerId, name, settings, isSyncedIn, isSyncedOut, ...(secret && { secret }) }
    await updateTracker(commands, grant, changes)
    return redirect(`${paths.tracker(orgSlug, trackerId)}?saved=tracker-saved`, 303)
  }
  if (form === 'webhook-secret') {
    const { webhookSecret } = await updateTracker(commands, grant, { trackerId, newWebhookSecret: true })
    if (webhookSecret === undefined) return httpError(400)
    const answer: TrackerAnswer = { form: 'secret-made', fields: {}, webhookSecret }
    return answer
  }
  if (form === 'test') {
    const { isWorking, answer: said } = await testTracker(commands, grant, { trackerId })
    const answer: TrackerAnswer = { form: 'tried', fields: {}, tried: { isGood: isWorking, answer: said } }
    return answer
  }
  if (form === 'delete') {
    await deleteTracker(commands, grant, { trackerId })
    return redirect(`${paths.trackers(orgSlug)}?saved=tracker-deleted`, 303)
  }
  return httpError(400)
}
