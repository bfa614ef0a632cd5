/** JSON for the environment picker: `?org=acme&project=shop`, most frequent first. */
import { suggestValues } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { orgGrant, projectGrant } from '../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../server/app-context.server.ts'

const WITHIN = { statsPeriod: '90d', limit: 100 } as const

export async function load(args: LoadArgs<AppContext>): Promise<Response> {
  const { context, url } = args
  const [org = '', project] = ['org', 'project'].map((name) => url.searchParams.get(name) ?? undefined)
  const grant =
    project === undefined
      ? await orgGrant({ context, url, params: { org } }, 'event:read')
      : await projectGrant({ context, url, params: { org, project } }, 'event:read')
  const values = await suggestValues(context.queries, grant, 'environment', '', WITHIN)
  const environments = values.map(({ value }) => value)
  return Response.json({ environments }, { headers: { 'cache-control': 'no-store' } })
}
