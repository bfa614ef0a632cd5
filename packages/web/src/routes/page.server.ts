import { listOrganizations } from '@sonde/queries'
import { type LoadArgs, redirect } from '@sonde/router/server'
import { grantsOf, requireViewer } from '../parts/access/page-grant.server.ts'
import { paths } from '../paths.ts'
import type { AppContext } from '../server/app-context.server.ts'

/** Whoever belongs to one organization has nothing to choose. */
export async function load(args: LoadArgs<AppContext>) {
  const { context } = args
  const viewer = requireViewer(args)
  const grants = await grantsOf(args).openOrgs('org:read')
  const [only] = grants
  if (only && grants.length === 1) redirect(paths.org(only.orgSlug), 303)
  return { organizations: await listOrganizations(context.queries, grants), email: viewer.email }
}
