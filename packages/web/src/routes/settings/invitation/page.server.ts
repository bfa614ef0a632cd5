import { MIN_PASSWORD_CHARS } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  acceptInvitation,
  createInvitedAccount,
  type FieldErrors,
  InvalidInput,
  lookAtInvitation,
} from '@sonde/commands'
import { type ActionArgs, invalid, type LoadArgs, redirect, redirectWhole } from '@sonde/router/server'
import { fieldsOf } from '../../../parts/forms/posted-fields.ts'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

const tokenOf = ({ url }: { readonly url: URL }): string => url.searchParams.get('token') ?? ''

/** Uses nothing up: programs that look at the links of a mail open this too. */
export async function load(args: LoadArgs<AppContext>) {
  const { commands, viewer } = args.context
  args.setHeader('cache-control', 'no-store')
  args.setHeader('referrer-policy', 'no-referrer')
  const looked = await lookAtInvitation(commands, tokenOf(args))
  const { invitation } = looked.state === 'open' ? looked : {}
  return {
    state: looked.state,
    invitation: invitation && {
      orgName: invitation.orgName,
      role: invitation.role,
      email: invitation.email,
      expiresMs: invitation.expiresMs,
    },
    viewer: viewer && { name: viewer.name, email: viewer.email },
    isMember: viewer?.memberships.some(({ orgId }) => orgId === invitation?.orgId) === true,
    isForOther: viewer !== undefined && (invitation?.email ?? viewer.email) !== viewer.email,
    signInPath: paths.signIn(paths.invitation(tokenOf(args))),
    minPasswordChars: MIN_PASSWORD_CHARS,
  }
}

type Refused = { readonly form: string; readonly fields: FieldErrors }

export async function action(args: ActionArgs<AppContext>) {
  const { context, request } = args
  const { access, commands, viewer, clientAddress } = context
  args.setHeader('cache-control', 'no-store')
  const posted = fieldsOf(await args.formData())
  const form = posted.text('form')
  const refused = (fields: FieldErrors) => {
    const answer: Refused = { form, fields }
    return invalid(answer)
  }
  const token = tokenOf(args)
  const wait = await access.takeTry('invitation', token.slice(0, 64), clientAddress)
  if (wait !== undefined) return refused({ form: [wait] })
  try {
    if (form === 'join' && viewer) {
      const { orgSlug } = await acceptInvitation(commands, viewer, token)
      return redirectWhole(paths.org(orgSlug))
    }
    if (form !== 'account') return redirect(paths.invitation(token), 303)
    const input = {
      email: posted.text('email'),
      name: posted.text('name'),
      password: posted.secret('password'),
    }
    const { userId, orgSlug } = await createInvitedAccount(commands, token, input, clientAddress)
    const { setCookies } = await access.startSession({
      userId,
      headers: request.headers,
      clientAddress,
      reason: 'invitation',
    })
    for (const cookie of setCookies) args.appendHeader('set-cookie', cookie)
    return redirectWhole(paths.org(orgSlug))
  } catch (error) {
    if (error instanceof InvalidInput) return refused(error.fields)
    const kind = errorKind(error)
    if (kind === 'conflict' || kind === 'unavailable') return refused({ form: [(error as Error).message] })
    // Used, revoked or expired meanwhile: the page says so.
    if (kind === 'not-found') return redirect(paths.invitation(token), 303)
    throw error
  }
}
