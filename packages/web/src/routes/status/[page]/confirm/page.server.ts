/** From the mail that asks: a button, because programs that look at links of mail open this too. */
import { confirmSubscription, lookAtConfirmation } from '@sonde/commands'
import type { ActionArgs, LoadArgs } from '@sonde/router/server'
import { markup } from '../../../../parts/status/markup.server.ts'
import { freshAnswer } from '../../../../parts/status/status-answer.server.ts'
import { statusFooter, statusNote } from '../../../../parts/status/status-page.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

const tokenOf = ({ url }: { readonly url: URL }): string => url.searchParams.get('token') ?? ''

const notValid = (args: { readonly url: URL }) =>
  freshAnswer(
    args,
    {
      title: 'Link not valid',
      body: statusNote(
        'This link is not valid',
        markup`<p>It works once, and for a day. Subscribe again on the status page.</p>`,
      ),
    },
    404,
  )

export async function load(args: LoadArgs<AppContext, 'page'>) {
  const found = await lookAtConfirmation(args.context.commands, tokenOf(args))
  if (!found) return notValid(args)
  const body = statusNote(
    'Confirm your subscription',
    markup`<p>You get mail about incidents and maintenance at ${found.title}.</p>
<form method="post"><button type="submit">Confirm</button></form>`,
  )
  return freshAnswer(args, { title: `Confirm · ${found.title}`, body })
}

export async function action(args: ActionArgs<AppContext, 'page'>) {
  const found = await confirmSubscription(args.context.commands, tokenOf(args))
  if (!found) return notValid(args)
  const body = markup`${statusNote(
    'You are subscribed',
    markup`<p>${found.title} tells you of incidents and maintenance from now on. Each mail has a link that ends it.</p>`,
  )}${statusFooter(found.slug, 'other')}`
  return freshAnswer(args, { title: `Subscribed · ${found.title}`, body })
}
