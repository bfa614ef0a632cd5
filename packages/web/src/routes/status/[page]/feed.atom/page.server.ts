/** The last incidents of a status page for feed readers. */
import { publicStatusHistory } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { cachedAnswer } from '../../../../parts/status/status-answer.server.ts'
import { statusFeed } from '../../../../parts/status/status-feed.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'page'>) {
  const { queries, publicUrl } = args.context
  const history = (await publicStatusHistory(queries, args.params.page)) ?? notFound()
  return cachedAnswer(args, statusFeed(history, publicUrl), 'application/atom+xml; charset=utf-8', {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
}
