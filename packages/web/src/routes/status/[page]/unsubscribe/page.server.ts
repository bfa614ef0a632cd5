/** From each mail of a status page: one press ends them. It works also while the page is not published, and says nothing of it. */
import { readStatusUnsubscribeToken } from '@sonde/alerts'
import { unsubscribeFromStatus } from '@sonde/commands'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { markup } from '../../../../parts/status/markup.server.ts'
import { freshAnswer } from '../../../../parts/status/status-answer.server.ts'
import { statusNote } from '../../../../parts/status/status-page.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

const tokenOf = ({ url }: { readonly url: URL }): string => url.searchParams.get('token') ?? ''

const notValid = (args: { readonly url: URL }) =>
  freshAnswer(
    args,
    {
      title: 'Link not valid',
      body: statusNote('This link is not valid', markup`<p>Use the link of a newer mail.</p>`),
    },
    404,
  )

/** Ends nothing: programs that look at the links of a mail open this too. */
export async function load(args: LoadArgs<AppContext, 'page'>) {
  const known = await readStatusUnsubscribeToken(args.context.access.seal, tokenOf(args))
  if (known === undefined) return notValid(args)
  const body = statusNote(
    'Unsubscribe',
    markup`<p>You get no more mail of this status page, and your address is deleted here.</p>
<form method="post"><button type="submit">Unsubscribe</button></form>`,
  )
  return freshAnswer(args, { title: 'Unsubscribe', body })
}

export async function action(args: ActionArgs<AppContext, 'page'>) {
  const { commands, access } = args.context
  if (!(await unsubscribeFromStatus(commands, access.seal, tokenOf(args)))) return notValid(args)
  const body = statusNote('You are unsubscribed', markup`<p>Your address is deleted here.</p>`)
  return freshAnswer(args, { title: 'Unsubscribed', body })
}
