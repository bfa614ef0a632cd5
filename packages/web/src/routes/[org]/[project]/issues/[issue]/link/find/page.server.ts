/** JSON for the form that links an issue of a tracker: what the words that are typed find there. */
import { errorKind } from '@sonde/base'
import { searchTracker } from '@sonde/commands'
import { findIssue } from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../../../../server/app-context.server.ts'
import type { FoundExternal } from '../find-field.tsx'
import { whereOf } from '../where.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project' | 'issue'>): Promise<Response> {
  const { context, params, url } = args
  const grant = await projectGrant(args, 'event:write')
  if (!(await findIssue(context.queries, grant, params.issue))) return notFound()
  const [tracker = '', place = ''] = ['tracker', 'place'].map((name) => url.searchParams.get(name) ?? '')
  const where = whereOf(`${tracker}/${place}`)
  const text = (url.searchParams.get('q') ?? '').slice(0, 500)
  const headers = { 'cache-control': 'private, no-store' }
  try {
    const found = await orEndPage(searchTracker(context.commands, grant, { ...where, text }))
    const answer: FoundExternal = {
      found: found.map(({ key, title, isOpen }) => ({ key, title, isOpen })),
      refused: '',
    }
    return Response.json(answer, { headers })
  } catch (error) {
    if (errorKind(error) !== 'invalid' || !(error instanceof Error)) throw error
    const answer: FoundExternal = { found: [], refused: error.message }
    return Response.json(answer, { headers })
  }
}
