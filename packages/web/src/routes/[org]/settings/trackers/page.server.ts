import { mayAlso } from '@sonde/access'
import { createTracker, type FieldErrors, InvalidInput } from '@sonde/commands'
import { listTrackers, trackerById } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, notFound } from '@sonde/router/server'
import { orgGrant } from '../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../parts/forms/posted-fields.ts'
import { postedKind } from '../../../../parts/integrations/kind-form.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { isKind, KINDS } from './tracker-kinds.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'alert:read')
  const kind = args.url.searchParams.get('kind')
  const mayChange = mayAlso(grant, 'integration:write')
  return {
    orgName: grant.orgName,
    trackers: await listTrackers(args.context.queries, grant),
    mayChange,
    kind: mayChange && isKind(kind) ? kind : undefined,
  }
}

type TrackersAnswer = {
  /** The form that was posted: when it was refused, its fields are marked. */
  readonly form: string
  readonly fields: FieldErrors
  readonly made?: {
    readonly id: number
    readonly kind: keyof typeof KINDS
    readonly name: string
    readonly webhookUrl: string
    /** Shown this once; undefined: it was typed in. */
    readonly webhookSecret: string | undefined
  }
}

/** 200 with what the tracker's webhook needs, or 422 with the errors of each field. */
export async function action(args: ActionArgs<AppContext, 'org'>) {
  args.setHeader('cache-control', 'no-store')
  const { commands, queries } = args.context
  const grant = await orgGrant(args, 'integration:write')
  const posted = fieldsOf(await args.formData())
  const kind = posted.text('kind')
  const form = posted.text('form')
  if (form !== 'new-tracker' || !isKind(kind)) return httpError(400)
  const { name, settings, secret = {} } = postedKind(KINDS[kind], posted)
  try {
    const { id, webhookSecret } = await createTracker(commands, grant, {
      kind,
      name,
      settings,
      secret,
      isSyncedIn: posted.has('syncIn'),
      isSyncedOut: posted.has('syncOut'),
    })
    const { webhookUrl } = (await trackerById(queries, grant, id)) ?? notFound()
    const made = { id, kind, name, webhookUrl, webhookSecret }
    const answer: TrackersAnswer = { form: 'tracker-made', fields: {}, made }
    return answer
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const answer: TrackersAnswer = { form, fields: error.fields }
    return invalid(answer)
  }
}
