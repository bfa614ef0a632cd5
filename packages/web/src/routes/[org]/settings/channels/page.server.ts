import { mayAlso } from '@sonde/access'
import { createChannel, type FieldErrors, InvalidInput } from '@sonde/commands'
import { listChannels } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../parts/forms/posted-fields.ts'
import { postedKind } from '../../../../parts/integrations/kind-form.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { isKind, KINDS } from './channel-kinds.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'alert:read')
  const kind = args.url.searchParams.get('kind')
  const mayChange = mayAlso(grant, 'integration:write')
  return {
    orgName: grant.orgName,
    channels: await listChannels(args.context.queries, grant),
    mayChange,
    kind: mayChange && isKind(kind) ? kind : undefined,
  }
}

type ChannelsAnswer = {
  /** The form that was posted: when it was refused, its fields are marked. */
  readonly form: string
  readonly fields: FieldErrors
  readonly made?: { readonly id: number; readonly name: string; readonly signingSecret: string }
}

/** 303 to the new channel, 422 with the errors of each field, or 200 with a signing secret: it is shown this once. */
export async function action(args: ActionArgs<AppContext, 'org'>) {
  args.setHeader('cache-control', 'no-store')
  const grant = await orgGrant(args, 'integration:write')
  const posted = fieldsOf(await args.formData())
  const kind = posted.text('kind')
  const form = posted.text('form')
  if (form !== 'new-channel' || !isKind(kind)) return httpError(400)
  const { name, settings, secret = {} } = postedKind(KINDS[kind], posted)
  try {
    const { id, signingSecret } = await createChannel(args.context.commands, grant, {
      kind,
      name,
      settings,
      secret,
    })
    if (signingSecret === undefined)
      return redirect(`${paths.channel(grant.orgSlug, id)}?saved=channel-made`, 303)
    const answer: ChannelsAnswer = { form: 'channel-made', fields: {}, made: { id, name, signingSecret } }
    return answer
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const answer: ChannelsAnswer = { form, fields: error.fields }
    return invalid(answer)
  }
}
