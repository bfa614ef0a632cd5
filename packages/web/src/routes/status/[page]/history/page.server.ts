/** What was posted on a status page, the newest first, by pages. */
import { publicStatusHistory } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { markup } from '../../../../parts/status/markup.server.ts'
import { cachedAnswer, statusDocument } from '../../../../parts/status/status-answer.server.ts'
import { incidentBlock, statusFooter, statusLinks } from '../../../../parts/status/status-page.server.ts'
import { paths } from '../../../../paths.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'page'>) {
  const asked = Number(args.url.searchParams.get('before'))
  const input = Number.isSafeInteger(asked) && asked > 0 ? { before: asked } : {}
  const history = (await publicStatusHistory(args.context.queries, args.params.page, input)) ?? notFound()
  const { slug, title, incidents, before } = history
  const body = markup`<header><h1>${title}</h1><h2>Incident history</h2></header>
<main>${incidents.length === 0 ? markup`<p class="dim">Nothing was posted${input.before !== undefined && ' before this'}.</p>` : incidents.map(incidentBlock)}
${before !== undefined && markup`<p><a href="${paths.statusHistory(slug, before)}">Older</a></p>`}</main>
${statusFooter(slug, 'history')}`
  const links = statusLinks(slug, title)
  const document = statusDocument({ title: `Incident history · ${title}`, body, links })
  return cachedAnswer(args, document, 'text/html; charset=utf-8')
}
