import { MIN_PASSWORD_CHARS } from '@sonde/access'
import { errorKind } from '@sonde/base'
import { InvalidInput, lookAtReset, resetOwnPassword } from '@sonde/commands'
import { type ActionArgs, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { fieldsOf } from '../../../parts/forms/posted-fields.ts'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

const tokenOf = ({ url }: { readonly url: URL }): string => url.searchParams.get('token') ?? ''

/** Uses nothing up: programs that look at the links of a mail open this too. */
export async function load(args: LoadArgs<AppContext>) {
  args.setHeader('cache-control', 'no-store')
  args.setHeader('referrer-policy', 'no-referrer')
  const isDone = args.url.searchParams.get('done') === 'yes'
  const found = isDone ? undefined : await lookAtReset(args.context.commands, tokenOf(args))
  return { isDone, email: found?.email, minPasswordChars: MIN_PASSWORD_CHARS }
}

export async function action(args: ActionArgs<AppContext>) {
  const { context, request } = args
  const { commands, access, clientAddress: address } = context
  const token = tokenOf(args)
  const wait = await access.takeTry('password-reset', `link ${token.slice(0, 64)}`, address)
  if (wait !== undefined) return invalid({ message: wait })
  const posted = fieldsOf(await args.formData())
  const userAgent = request.headers.get('user-agent')?.slice(0, 500)
  try {
    const input = { password: posted.secret('password'), endTokens: posted.has('endTokens') }
    await resetOwnPassword(commands, token, input, { address, userAgent })
    return redirect('/sign-in/new-password?done=yes', 303)
  } catch (error) {
    if (error instanceof InvalidInput) return invalid({ message: error.fields['password']?.join('; ') ?? '' })
    const kind = errorKind(error)
    if (kind === 'unavailable') return invalid({ message: (error as Error).message })
    // Used or over meanwhile: the page says so.
    if (kind === 'not-found') return redirect(paths.newPassword(token), 303)
    throw error
  }
}
