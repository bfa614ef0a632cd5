import { lookAtUnsubscribe, unsubscribe } from '@sonde/commands'
import { type ActionArgs, type LoadArgs, redirect } from '@sonde/router/server'
import { paths } from '../../../paths.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

const tokenOf = ({ url }: { readonly url: URL }): string => url.searchParams.get('token') ?? ''

/** Ends nothing: programs that look at the links of a mail open this too. */
export async function load(args: LoadArgs<AppContext>) {
  const { commands, access, viewer } = args.context
  const mail = await lookAtUnsubscribe(commands, access.seal, tokenOf(args))
  return { mail, isSignedIn: viewer !== undefined }
}

export async function action(args: ActionArgs<AppContext>) {
  const { commands, access } = args.context
  await unsubscribe(commands, access.seal, tokenOf(args))
  return redirect(paths.unsubscribe(tokenOf(args)), 303)
}
