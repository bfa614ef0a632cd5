/** JSON for the environment picker: `?org=acme&project=shop`, most frequent first; then those that only monitors have. */
import { requireAlso } from '@sonde/access'
import { cronEnvironmentNames, suggestValues } from '@sonde/queries'
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
  const [values, ofMonitors] = await Promise.all([
    suggestValues(context.queries, grant, 'environment', '', WITHIN),
    cronEnvironmentNames(context.queries, requireAlso(grant, 'alert:read')),
  ])
  const environments = [...new Set([...values.map(({ value }) => value), ...ofMonitors])]
  return Response.json({ environments }, { headers: { 'cache-control': 'no-store' } })
}
