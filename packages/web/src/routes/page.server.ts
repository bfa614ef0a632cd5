import { listOrganizations } from '@sonde/queries'
import { type LoadArgs, redirect } from '@sonde/router/server'
import { paths } from '../paths.ts'
import type { AppContext } from '../server/app-context.server.ts'
import { requireViewer } from '../parts/access/page-scope.server.ts'

/** Whoever belongs to one organisation has nothing to choose. */
export async function load(args: LoadArgs<AppContext>) {
  const { context } = args
  const viewer = requireViewer(args)
  const scopes = await context.access.openOrgs(viewer, 'org:read')
  const [only] = scopes
  if (only && scopes.length === 1) redirect(paths.org(only.orgSlug), 303)
  return { organizations: await listOrganizations(context.queries, scopes), email: viewer.email }
}
