/** The status page as it would be shown, before it is published: for who may change it. */
import { draftStatusPage } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { orgGrant } from '../../../../../parts/access/page-grant.server.ts'
import { freshAnswer } from '../../../../../parts/status/status-answer.server.ts'
import { statusBody } from '../../../../../parts/status/status-page.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org'>) {
  const grant = await orgGrant(args, 'org:write')
  const { queries, hasMail } = args.context
  const page = (await draftStatusPage(queries, grant)) ?? notFound()
  return freshAnswer(args, { title: `Preview · ${page.title}`, body: statusBody(page, { hasMail }) })
}
