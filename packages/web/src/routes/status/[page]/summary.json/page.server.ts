/** A status page for programs, from any origin. */
import { publicStatusPage } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { cachedAnswer } from '../../../../parts/status/status-answer.server.ts'
import { statusSummary } from '../../../../parts/status/status-summary.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'page'>) {
  const { queries, publicUrl } = args.context
  const page = (await publicStatusPage(queries, args.params.page)) ?? notFound()
  return cachedAnswer(args, JSON.stringify(statusSummary(page, publicUrl)), 'application/json', {
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
}
