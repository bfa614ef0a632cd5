/**
 * JSON for the filter bar: `?org=acme&project=shop&source=vitals&choose=browser` and the narrowing of the screen. Most
 * frequent first. Without a project those of the whole organization.
 */
import { FILTER_SOURCES } from '@sonde/queries'
import { httpError, type LoadArgs } from '@sonde/router/server'
import { orgGrant, projectGrant } from '../../../parts/access/page-grant.server.ts'
import { filterChoices } from '../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

export async function load({ context, url }: LoadArgs<AppContext>): Promise<Response> {
  const { searchParams: params } = url
  const [org = '', project] = ['org', 'project'].map((name) => params.get(name) ?? undefined)
  const grant =
    project === undefined
      ? await orgGrant({ context, url, params: { org } }, 'event:read')
      : await projectGrant({ context, url, params: { org, project } }, 'event:read')
  const source = FILTER_SOURCES.find((each) => each === params.get('source')) ?? 'transactions'
  const requested = { params, nowMs: context.clock.nowMs(), source }
  const choices = await filterChoices(context.queries, grant, requested)
  return choices ? Response.json(choices, { headers: { 'cache-control': 'no-store' } }) : httpError(400)
}
