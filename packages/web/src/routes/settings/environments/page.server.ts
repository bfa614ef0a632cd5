/** JSON for the environment picker: `?org=acme&project=shop`, most frequent first. */
import { suggestValues } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import type { AppContext } from '../../../server/app-context.server.ts'
import { orgScope, projectScope } from '../../../parts/access/page-scope.server.ts'

const WITHIN = { statsPeriod: '90d', limit: 100 } as const

export async function load(args: LoadArgs<AppContext>): Promise<Response> {
  const { context, url } = args
  const [org = '', project] = ['org', 'project'].map((name) => url.searchParams.get(name) ?? undefined)
  const scope =
    project === undefined
      ? await orgScope({ context, url, params: { org } }, 'event:read')
      : await projectScope({ context, url, params: { org, project } }, 'event:read')
  const values = await suggestValues(context.queries, scope, 'environment', '', WITHIN)
  const environments = values.map(({ value }) => value)
  return Response.json({ environments }, { headers: { 'cache-control': 'no-store' } })
}
