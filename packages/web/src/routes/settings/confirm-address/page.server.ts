import { errorKind } from '@sonde/base'
import { confirmEmailChange, lookAtEmailChange } from '@sonde/commands'
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

const tokenOf = ({ url }: { readonly url: URL }): string => url.searchParams.get('token') ?? ''

/** Changes nothing: programs that look at the links of a mail open this too. */
export async function load(args: LoadArgs<AppContext>) {
  args.setHeader('cache-control', 'no-store')
  args.setHeader('referrer-policy', 'no-referrer')
  const isDone = args.url.searchParams.get('done') === 'yes'
  const found = isDone ? undefined : await lookAtEmailChange(args.context.commands, tokenOf(args))
  return { isDone, change: found && { before: found.before, email: found.email } }
}

export async function action(args: ActionArgs<AppContext>) {
  const { commands, clientAddress } = args.context
  try {
    await confirmEmailChange(commands, tokenOf(args), clientAddress)
  } catch (error) {
    if (errorKind(error) === 'not-found') return redirect(paths.confirmAddress(tokenOf(args)), 303)
    throw error
  }
  return redirect('/settings/confirm-address?done=yes', 303)
}
