import { errorKind } from '@sonde/base'
import { requestPasswordReset } from '@sonde/commands'
import { type ActionArgs, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { fieldsOf } from '../../../parts/forms/posted-fields.ts'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export function load({ context, url }: LoadArgs<AppContext>) {
  return { hasMail: context.hasMail, isSent: url.searchParams.get('sent') === 'yes' }
}

/** The same answer whether or not somebody has the address. */
export async function action({ context, request, formData }: ActionArgs<AppContext>) {
  const { commands, clientAddress: address, hasMail } = context
  if (!hasMail) return redirect(paths.forgotPassword(), 303)
  const email = fieldsOf(await formData()).text('email')
  const userAgent = request.headers.get('user-agent')?.slice(0, 500)
  try {
    await requestPasswordReset(commands, { email }, { address, userAgent })
    return redirect(`${paths.forgotPassword()}?sent=yes`, 303)
  } catch (error) {
    const kind = errorKind(error)
    if (kind === 'invalid') return invalid({ message: 'Enter your e-mail address.' })
    if (kind === 'unavailable') return invalid({ message: (error as Error).message })
    throw error
  }
}
