/** The forms of two-factor sign-in on the account page. */
import { errorKind } from '@sonde/base'
import {
  confirmTwoFactor,
  disableTwoFactor,
  enableTwoFactor,
  InvalidInput,
  newBackupCodes,
} from '@sonde/commands'
import { type ActionArgs, httpError, invalid, redirect } from '@sonde/router/server'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'
import { requireViewer } from '../../../parts/access/page-grant.server.ts'
import type { PostedFields } from '../../../parts/forms/posted-fields.ts'
import { qrCodeOf } from './qr-code.ts'
import type { AccountAnswer } from './account-answer.ts'
import type { ShownSetup } from './shown-setup.ts'

export const isTwoFactorForm = (form: string): boolean => form.startsWith('two-factor-')

/** Throws `InvalidInput`, except for a wrong first code: that answer shows the setup again. */
export async function changeTwoFactor(args: ActionArgs<AppContext>, posted: PostedFields) {
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
