import type { Grant } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  deleteChannel,
  type FieldErrors,
  InvalidInput,
  retryNotification,
  updateChannel,
} from '@sonde/commands'
import { channelById, channelDeliveries } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { orEndPage, orgGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields } from '../../../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../../../parts/forms/saved-notice.tsx'
import { postedKind } from '../../../../../parts/integrations/kind-form.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { KINDS } from '../channel-kinds.ts'

type Requested = LoadArgs<AppContext, 'org' | 'channel'>

/** What is no id is no channel. */
function idOf(text: string): number {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : notFound()
}

async function open({ context, params }: Requested, grant: Grant<'integration:write', 'org'>) {
  return (await channelById(context.queries, grant, idOf(params.channel))) ?? notFound()
}

export async function load(args: Requested) {
  const grant = await orgGrant(args, 'integration:write')
  const channel = await open(args, grant)
  const before = args.url.searchParams.get('before')
  const log = await channelDeliveries(args.context.queries, grant, {
    channelId: channel.id,
    beforeId: before === null ? undefined : idOf(before),
  })
  const hookUrl = `${args.context.publicUrl}/api/0/channels/${channel.id}/hook/`
  return { orgName: grant.orgName, channel, hookUrl, ...log, isFirst: before === null }
}

type ChannelAnswer = {
  readonly form: string
  readonly fields: FieldErrors
  readonly tested?: { readonly isGood: boolean; readonly answer: string }
  readonly signingSecret?: string
}

/** 303 with `?saved=…`, 422 with the errors of each field, or 200 with a test's answer or a new signing secret. */
export async function action(args: ActionArgs<AppContext, 'org' | 'channel'>) {
  args.setHeader('cache-control', 'no-store')
  const grant = await orgGrant(args, 'integration:write')
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  try {
    return await orEndPage(change(args, grant, posted))
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const answer: ChannelAnswer = { form, fields: error.fields }
    return invalid(answer)
  }
}

async function change(
  args: ActionArgs<AppContext, 'org' | 'channel'>,
  grant: Grant<'integration:write', 'org'>,
  posted: PostedFields,
) {
  const { context, params } = args
  const { commands } = context
  const channelId = idOf(params.channel)
  const { orgSlug } = grant
  const saved = (what: SavedForm): never =>
    redirect(`${paths.channel(orgSlug, channelId)}?saved=${what}`, 303)
  const form = posted.text('form')
  if (form === 'channel') {
    const { kind } = await open(args, grant)
    const { name, settings, secret } = postedKind(KINDS[kind], posted)
    await updateChannel(commands, grant, { channelId, name, settings, ...(secret && { secret }) })
    return saved('channel-saved')
  }
  if (form === 'signing-secret') {
    const { signingSecret } = await updateChannel(commands, grant, { channelId, newSigningSecret: true })
    if (signingSecret === undefined) return httpError(400)
    const answer: ChannelAnswer = { form: 'secret-made', fields: {}, signingSecret }
    return answer
  }
  if (form === 'test') {
    const { isDelivered, answer: said } = await context.testChannel(grant, { channelId })
    const answer: ChannelAnswer = {
      form: 'tested',
      fields: {},
      tested: { isGood: isDelivered, answer: said },
    }
    return answer
  }
  if (form === 'retry') {
    const notificationId = posted.number('notificationId')
    if (!Number.isSafeInteger(notificationId) || notificationId < 1) return httpError(400)
    try {
      await retryNotification(commands, grant, { channelId, notificationId })
    } catch (error) {
      // On its way just now: the page shows how it ended.
      if (errorKind(error) !== 'conflict') throw error
    }
    return saved('channel-retry')
  }
  if (form === 'delete') {
    await deleteChannel(commands, grant, { channelId })
    return redirect(`${paths.channels(orgSlug)}?saved=channel-deleted`, 303)
  }
  return httpError(400)
}
