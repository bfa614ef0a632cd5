/** The public status page: for everybody, without a sign-in and without a script. */
import { publicStatusPage } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { cachedAnswer, statusDocument } from '../../../parts/status/status-answer.server.ts'
import { statusBody, statusLinks } from '../../../parts/status/status-page.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

/** Not published, of no organization, or with a name that none can have: the same not-found page. */
export async function load(args: LoadArgs<AppContext, 'page'>) {
  const { queries, hasMail } = args.context
  const page = (await publicStatusPage(queries, args.params.page)) ?? notFound()
  const document = statusDocument({
    title: page.title,
    body: statusBody(page, { hasMail }),
    links: statusLinks(page.slug, page.title),
  })
  return cachedAnswer(args, document, 'text/html; charset=utf-8')
}
