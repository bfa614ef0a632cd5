/** What the forms of an organisation's settings post: the field `form` says which one it is. */
import { SondeError } from '@sonde/base'
import {
  allowEndlessTokens,
  createToken,
  deleteToken,
  type FieldErrors,
  InvalidInput,
  removeMember,
  setMemberRole,
} from '@sonde/commands'
import { type ActionArgs, httpError, invalid, redirect } from '@sonde/router/server'
import type { Role } from '@sonde/stores'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { orEndPage, orgScope, requireViewer } from '../../../parts/access/page-scope.server.ts'
import { fieldsOf, type PostedFields } from '../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../parts/forms/saved-forms.ts'
import type { MadeToken } from '../../../parts/tokens/made-token.tsx'
import { postedLife } from '../../../parts/tokens/posted-life.ts'

export type OrgAnswer = {
  /** The form that was posted: when it was refused, its own fields only are marked. */
  readonly form: string
  readonly fields: FieldErrors
  readonly madeToken?: MadeToken
}

/** 303 with `?saved=…`, 422 with the errors of each field, or 200 with a new token: it is shown this once. */
export async function changeOrg(args: ActionArgs<AppContext, 'org'>) {
  args.setHeader('cache-control', 'no-store')
  const { orgSlug } = await orgScope(args, 'member:read')
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  try {
    if (form === 'new-token') return await orEndPage(makeToken(args, posted))
    const saved = await orEndPage(change(args, posted))
    return redirect(`${paths.orgSettings(orgSlug)}?saved=${saved}`, 303)
  } catch (error) {
    const refused = refusal(error)
    if (!refused) throw error
    const answer: OrgAnswer = { form: form === 'member' ? memberForm(posted) : form, fields: refused }
    return invalid(answer)
  }
}

const memberForm = (posted: PostedFields): string => `member-${posted.text('userId')}`

async function change(args: ActionArgs<AppContext, 'org'>, posted: PostedFields): Promise<SavedForm> {
  const viewer = requireViewer(args)
  const { commands } = args.context
  const { org } = args.params
  const form = posted.text('form')
  const does = posted.text('does')
  const member = { org, userId: posted.text('userId') }
  if (form === 'member' && does === 'role') {
    // A role that is none is refused by the command, in words.
    await setMemberRole(commands, viewer, { ...member, role: posted.text('role') as Role })
    return 'member-role'
  }
  if (form === 'member' && does === 'remove') {
    await removeMember(commands, viewer, { ...member, keepTokens: posted.has('keepTokens') })
    return 'member-removed'
  }
  if (form === 'token') {
    await deleteToken(commands, viewer, { org, tokenId: posted.number('tokenId') })
    return 'token-deleted'
  }
  if (form === 'endless') {
    const isAllowed = posted.text('allow') === 'yes'
    await allowEndlessTokens(commands, viewer, { org, isAllowed })
    return isAllowed ? 'endless-on' : 'endless-off'
  }
  return httpError(400)
}

async function makeToken(args: ActionArgs<AppContext, 'org'>, posted: PostedFields): Promise<OrgAnswer> {
  const { name, token } = await createToken(args.context.commands, requireViewer(args), {
    org: args.params.org,
    name: posted.text('name'),
    scopes: posted.all('scopes'),
    expiresInDays: postedLife(posted),
    currentPassword: posted.secret('currentPassword'),
  })
  return { form: 'token-made', fields: {}, madeToken: { name, token } }
}

/** The last owner is told so beside the form, like a field that is wrong. */
function refusal(error: unknown): FieldErrors | undefined {
  if (error instanceof InvalidInput) return error.fields
  const isConflict = error instanceof SondeError && error.kind === 'conflict'
  return isConflict ? { role: [error.message] } : undefined
}
