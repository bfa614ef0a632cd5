/** Takes an address that wants mail about a status page. The answer is the same whether it is known, new or full. */
import { errorKind } from '@sonde/base'
import { InvalidInput, subscribeToStatus } from '@sonde/commands'
import { publicStatusPage } from '@sonde/queries'
import { type ActionArgs, type LoadArgs, notFound, redirect } from '@sonde/router/server'
import { fieldsOf } from '../../../../parts/forms/posted-fields.ts'
import { markup } from '../../../../parts/status/markup.server.ts'
import { freshAnswer } from '../../../../parts/status/status-answer.server.ts'
import { statusBody, statusFooter, statusNote } from '../../../../parts/status/status-page.server.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

/** The form is on the page itself. */
export async function load(args: LoadArgs<AppContext, 'page'>) {
  const page = (await publicStatusPage(args.context.queries, args.params.page)) ?? notFound()
  return redirect(`${paths.publicStatus(page.slug)}#subscribe`, 307)
}

export async function action(args: ActionArgs<AppContext, 'page'>) {
  const { commands, queries, clientAddress, hasMail } = args.context
  const slug = args.params.page
  const email = fieldsOf(await args.formData()).text('email')
  try {
    await subscribeToStatus(commands, slug, { email }, clientAddress)
  } catch (error) {
    if (error instanceof InvalidInput) {
      const page = (await publicStatusPage(queries, slug)) ?? notFound()
      const refused = `The address ${error.fields['email']?.join('; ') ?? 'is not valid'}.`
      const body = statusBody(page, { hasMail, refused, typed: email.slice(0, 255) })
      return freshAnswer(args, { title: page.title, body }, 422)
    }
    if (errorKind(error) === 'unavailable') {
      const body = statusNote('Too many requests', markup`<p>Try again in a minute.</p>`)
      return freshAnswer(args, { title: 'Too many requests', body }, 429)
    }
    if (errorKind(error) === 'not-found') return notFound()
    throw error
  }
  const body = markup`${statusNote(
    'Check your mail',
    markup`<p>If this address can be subscribed, a mail with a link to confirm is on its way. The link works for a day.</p>`,
  )}${statusFooter(slug, 'other')}`
  return freshAnswer(args, { title: 'Check your mail', body })
}
