/** What the forms of the account page post: the field `form` says which one it is. */
import { errorKind } from '@sonde/base'
import {
  changePassword,
  createPersonalToken,
  deletePersonalToken,
  InvalidInput,
  revokeOtherSessions,
  revokeSession,
  updateProfile,
} from '@sonde/commands'
import { type ActionArgs, httpError, invalid, redirect } from '@sonde/router/server'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { grantsOf, orEndPage, requireViewer } from '../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../parts/forms/saved-forms.ts'
import { postedLife } from '../../../parts/tokens/posted-life.ts'
import type { AccountAnswer } from './account-answer.ts'
import { changeTwoFactor, isTwoFactorForm } from './change-two-factor.server.ts'

/** 303 with `?saved=…`, 422 with the errors of each field, or 200 with a new secret: it is shown this once. */
export async function changeAccount(args: ActionArgs<AppContext>) {
  // A token, the secret of an app and backup codes are shown once: no cache and no going back shows them again.
  args.setHeader('cache-control', 'no-store')
  const viewer = requireViewer(args)
  const { commands } = args.context
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  const saved = (what: SavedForm): never => redirect(`${paths.account()}?saved=${what}`, 303)
  try {
    if (isTwoFactorForm(form)) return await changeTwoFactor(args, posted)
    if (form === 'name') {
      await updateProfile(commands, viewer, { name: posted.text('name') })
      return saved('name')
    }
    if (form === 'password') {
      const currentPassword = posted.secret('currentPassword')
      const newPassword = posted.secret('newPassword')
      const endTokens = posted.has('endTokens')
      const input = { currentPassword, newPassword, endTokens }
      const { setCookies } = await changePassword(commands, viewer, input, args.request.headers)
      for (const cookie of setCookies) args.appendHeader('set-cookie', cookie)
      return saved(endTokens ? 'password-and-tokens' : 'password')
    }
    if (form === 'session') {
      await revokeSession(commands, viewer, { sessionId: posted.text('sessionId') })
      return saved('session-ended')
    }
    if (form === 'other-sessions') {
      await revokeOtherSessions(commands, viewer)
      return saved('sessions-ended')
    }
    if (form === 'new-token' || form === 'build-token') {
      const input = {
        name: posted.text('name'),
        scopes: posted.all('scopes'),
        expiresInDays: postedLife(posted),
        currentPassword: posted.secret('currentPassword'),
      }
      const { name, token } = await orEndPage(
        grantsOf(args)
          .openOrg(posted.text('org'), 'org:read')
          .then((grant) => createPersonalToken(commands, grant, input)),
      )
      const answer: AccountAnswer = { form: 'token-made', fields: {}, madeToken: { name, token } }
      return answer
    }
    if (form === 'token') {
      await deletePersonalToken(commands, viewer, { tokenId: posted.number('tokenId') })
      return saved('token-deleted')
    }
    return httpError(400)
  } catch (error) {
    if (error instanceof InvalidInput) {
      const answer: AccountAnswer = { form, fields: error.fields }
      return invalid(answer)
    }
    // Ended or deleted meanwhile, in another tab perhaps: that is what was asked for.
    const isGone = errorKind(error) === 'not-found'
    if (isGone && form === 'session') return saved('session-ended')
    if (isGone && form === 'token') return saved('token-deleted')
    throw error
  }
}
