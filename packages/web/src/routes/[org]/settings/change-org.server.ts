/** What the forms of an organization's settings post: the field `form` says which one it is. */
import { type Grant, requireAlso } from '@sonde/access'
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
import { orEndPage, orgGrant } from '../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields } from '../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../parts/forms/saved-forms.ts'
import type { MadeToken } from '../../../parts/tokens/made-token.tsx'
import { postedLife } from '../../../parts/tokens/posted-life.ts'

type Args = ActionArgs<AppContext, 'org'>
type OrgGrant = Grant<'member:read', 'org'>

export type OrgAnswer = {
  /** The form that was posted: when it was refused, its own fields only are marked. */
  readonly form: string
  readonly fields: FieldErrors
  readonly madeToken?: MadeToken
}

/** 303 with `?saved=…`, 422 with the errors of each field, or 200 with a new token: it is shown this once. */
export async function changeOrg(args: Args) {
  args.setHeader('cache-control', 'no-store')
  const grant = await orgGrant(args, 'member:read')
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  try {
    if (form === 'new-token') return await orEndPage(makeToken(args, grant, posted))
    const saved = await orEndPage(change(args, grant, posted))
    return redirect(`${paths.orgSettings(grant.orgSlug)}?saved=${saved}`, 303)
  } catch (error) {
    const refused = refusal(error)
    if (!refused) throw error
    const answer: OrgAnswer = { form: form === 'member' ? memberForm(posted) : form, fields: refused }
    return invalid(answer)
  }
}

const memberForm = (posted: PostedFields): string => `member-${posted.text('userId')}`

async function change(args: Args, grant: OrgGrant, posted: PostedFields): Promise<SavedForm> {
  const { commands } = args.context
  const form = posted.text('form')
  const does = posted.text('does')
  const userId = posted.text('userId')
  if (form === 'member' && does === 'role') {
    // A role that is none is refused by the command, in words.
    await setMemberRole(commands, requireAlso(grant, 'member:write'), {
      userId,
      role: posted.text('role') as Role,
    })
    return 'member-role'
  }
  if (form === 'member' && does === 'remove') {
    await removeMember(commands, requireAlso(grant, 'member:write'), {
      userId,
      keepTokens: posted.has('keepTokens'),
    })
    return 'member-removed'
  }
  if (form === 'token') {
    await deleteToken(commands, requireAlso(grant, 'token:write'), { tokenId: posted.number('tokenId') })
    return 'token-deleted'
  }
  if (form === 'endless') {
    const isAllowed = posted.text('allow') === 'yes'
    await allowEndlessTokens(commands, requireAlso(grant, 'org:write'), isAllowed)
    return isAllowed ? 'endless-on' : 'endless-off'
  }
  return httpError(400)
}

async function makeToken(args: Args, grant: OrgGrant, posted: PostedFields): Promise<OrgAnswer> {
  const { name, token } = await createToken(args.context.commands, requireAlso(grant, 'token:write'), {
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
