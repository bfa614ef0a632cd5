import { MIN_PASSWORD_CHARS, shownTarget } from '@sonde/access'
import { errorKind } from '@sonde/base'
import {
  addPasskey,
  changePassword,
  confirmTwoFactor,
  createPersonalToken,
  deletePersonalToken,
  disconnectApp,
  disableTwoFactor,
  enableTwoFactor,
  type FieldErrors,
  InvalidInput,
  newBackupCodes,
  removePasskey,
  requestEmailChange,
  revokeOtherSessions,
  revokeSession,
  scopesOfRole,
  updateProfile,
} from '@sonde/commands'
import { accountSessions, allowsEndlessTokens, connectedApps, personalTokens } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { grantsOf, orEndPage, requireViewer } from '../../../parts/access/page-grant.server.ts'
import { fieldsOf, type PostedFields, postedLife } from '../../../parts/forms/posted-fields.ts'
import type { SavedForm } from '../../../parts/forms/saved-notice.tsx'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { qrCodeOf } from './qr-code.ts'

/** The forms of two-factor sign-in on the account page. */
const isTwoFactorForm = (form: string): boolean => form.startsWith('two-factor-')

/** Throws `InvalidInput`, except for a wrong first code: that answer shows the setup again. */
async function changeTwoFactor(args: ActionArgs<AppContext>, posted: PostedFields) {
  const viewer = requireViewer(args)
  const { commands } = args.context
  const { headers } = args.request
  const form = posted.text('form')
  const password = { currentPassword: posted.secret('currentPassword') }
  const answered = (answer: Omit<AccountAnswer, 'form' | 'fields'>): AccountAnswer => ({
    form: `${form}-done`,
    fields: {},
    ...answer,
  })
  try {
    if (form === 'two-factor-start') {
      const { otpauthUri } = await enableTwoFactor(commands, viewer, password, headers)
      return answered({ setup: setupOf(otpauthUri) ?? httpError(500) })
    }
    if (form === 'two-factor-confirm') return await confirm(args, posted)
    if (form === 'two-factor-codes') {
      return answered({ backupCodes: await newBackupCodes(commands, viewer, password, headers) })
    }
    if (form === 'two-factor-off') {
      const { setCookies } = await disableTwoFactor(commands, viewer, password, headers)
      for (const cookie of setCookies) args.appendHeader('set-cookie', cookie)
      return redirect(`${paths.account()}?saved=two-factor-off`, 303)
    }
    return httpError(400)
  } catch (error) {
    // Switched on or off meanwhile, in another tab perhaps: the page shows how it is now.
    if (errorKind(error) === 'conflict') redirect(paths.account(), 303)
    throw error
  }
}

async function confirm(args: ActionArgs<AppContext>, posted: PostedFields) {
  const viewer = requireViewer(args)
  const form = posted.text('form')
  const setup = setupOf(posted.text('otpauthUri'))
  if (!setup) return httpError(400)
  try {
    const code = posted.secret('code')
    const confirmed = await confirmTwoFactor(args.context.commands, viewer, { code }, args.request.headers)
    for (const cookie of confirmed.setCookies) args.appendHeader('set-cookie', cookie)
    const answer: AccountAnswer = { form: `${form}-done`, fields: {}, backupCodes: confirmed.backupCodes }
    return answer
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    const answer: AccountAnswer = { form, fields: error.fields, setup }
    return invalid(answer)
  }
}

const MAX_URI_CHARS = 1_000

/** From the address alone, so that a refused first code can show it again: the secret is stored encrypted only. */
function setupOf(otpauthUri: string): ShownSetup | undefined {
  if (otpauthUri.length > MAX_URI_CHARS || !otpauthUri.startsWith('otpauth://totp/')) return undefined
  const secret = URL.canParse(otpauthUri) ? new URL(otpauthUri).searchParams.get('secret') : undefined
  if (!secret || !/^[A-Z2-7]+$/.test(secret)) return undefined
  return {
    otpauthUri,
    secretGroups: secret.match(/.{1,4}/g) ?? [],
    qr: qrCodeOf(otpauthUri),
  }
}

/** So long a new token is pointed out. */
const RECENT_MS = 7 * 86_400_000

export async function load(args: LoadArgs<AppContext>) {
  const viewer = requireViewer(args)
  const { queries, access, clock } = args.context
  const orgIds = viewer.memberships.map(({ orgId }) => orgId)
  const [sessions, tokens, apps, twoFactor, mayBeEndless, passkeys, passkeyOptions] = await Promise.all([
    accountSessions(queries, viewer),
    personalTokens(queries, viewer),
    connectedApps(queries, viewer),
    access.twoFactorState(viewer),
    allowsEndlessTokens(queries, orgIds),
    access.passkeys.list(viewer),
    // A challenge for nobody would make each answer another one.
    access.passkeys.whyNot === undefined ? access.passkeys.creationOptions(viewer) : undefined,
  ])
  const { name, email, memberships } = viewer
  const askedFor = args.url.searchParams.get('for')
  const asking = viewer.closedMemberships?.find(
    ({ orgSlug, closedBy }) => orgSlug === askedFor && closedBy === 'second-factor',
  )
  const recentMs = clock.nowMs() - RECENT_MS
  return {
    name,
    email,
    timeZone: viewer.timeZone ?? '',
    hasMail: args.context.hasMail,
    /** The organization that asks for a second factor. */
    asking: asking?.orgName,
    sessions,
    tokens: tokens.map((token) => ({ ...token, isRecent: token.createdMs > recentMs })),
    apps: apps.map(({ redirectUri, ...app }) => ({
      ...app,
      target: shownTarget(redirectUri),
      isRecent: app.createdMs > recentMs,
    })),
    twoFactor,
    passkeys,
    passkeyOptions,
    whyNoPasskeys: access.passkeys.whyNot,
    mayBeEndless,
    minPasswordChars: MIN_PASSWORD_CHARS,
    orgs: memberships.map(({ orgSlug, orgName }) => ({ slug: orgSlug, name: orgName })),
    // Of any of the organizations; what is beyond the role in the chosen one is refused beside the field.
    scopes: [...new Set(memberships.flatMap(({ role }) => scopesOfRole(role)))],
  }
}

export const action = (args: ActionArgs<AppContext>) => changeAccount(args)

// What the forms of the account page post: the field `form` says which one it is.

/** 303 with `?saved=…`, 422 with the errors of each field, or 200 with a new secret: it is shown this once. */
async function changeAccount(args: ActionArgs<AppContext>) {
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
      await updateProfile(commands, viewer, {
        name: posted.text('name'),
        ...(posted.has('timeZone') && { timeZone: posted.text('timeZone') }),
      })
      return saved('name')
    }
    if (form === 'email') {
      await requestEmailChange(commands, viewer, {
        email: posted.text('email'),
        currentPassword: posted.secret('currentPassword'),
      })
      return saved('email-requested')
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
    if (form === 'passkey') {
      const response = posted.text('response')
      const currentPassword = posted.secret('currentPassword')
      await addPasskey(commands, viewer, { name: posted.text('name'), currentPassword, response })
      return saved('passkey-added')
    }
    if (form === 'passkey-remove') {
      const currentPassword = posted.secret('currentPassword')
      await removePasskey(commands, viewer, { currentPassword, passkeyId: posted.number('passkeyId') })
      return saved('passkey-removed')
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
    if (form === 'app') {
      await disconnectApp(commands, viewer, { tokenId: posted.number('tokenId') })
      return saved('app-disconnected')
    }
    return httpError(400)
  } catch (error) {
    if (error instanceof InvalidInput) {
      // Several passkeys have a form each.
      const which = form === 'passkey-remove' ? `${form}-${posted.text('passkeyId')}` : form
      const answer: AccountAnswer = { form: which, fields: error.fields }
      return invalid(answer)
    }
    // Ended or deleted meanwhile, in another tab perhaps: that is what was asked for.
    const isGone = errorKind(error) === 'not-found'
    if (isGone && form === 'session') return saved('session-ended')
    if (isGone && form === 'passkey-remove') return saved('passkey-removed')
    if (isGone && form === 'token') return saved('token-deleted')
    if (isGone && form === 'app') return saved('app-disconnected')
    throw error
  }
}

/** What a form of the account page is answered with, unless it leads elsewhere. Secrets are in it this once. */
type AccountAnswer = {
  /** The form that was posted: when it was refused, its own fields only are marked. */
  readonly form: string
  readonly fields: FieldErrors
  readonly madeToken?: { readonly name: string; readonly token: string }
  readonly setup?: ShownSetup
  readonly backupCodes?: readonly string[]
}

/** Setting two-factor sign-in up, as it travels to the page: nothing of it is in force yet. */
export type ShownSetup = {
  /** `otpauth://totp/…`: opened by an authenticator app on the same device, and posted with the first code. */
  readonly otpauthUri: string
  /** The key in groups of four, for typing. */
  readonly secretGroups: readonly string[]
  /** Undefined when the address is too long for a code that a camera reads with ease. */
  readonly qr: { readonly size: number; readonly path: string } | undefined
}
