import { deletedOrganizations, listOrganizations } from '@sonde/queries'
import { type LoadArgs, redirect } from '@sonde/router/server'
import { grantsOf, requireViewer } from '../parts/access/page-grant.server.ts'
import { paths } from '../paths.ts'
import type { AppContext } from '../server/app-context.server.ts'

/** Whoever belongs to one organization has nothing to choose. */
export async function load(args: LoadArgs<AppContext>) {
  const { context } = args
  const viewer = requireViewer(args)
  const grants = await grantsOf(args).openOrgs('org:read')
  const closed = viewer.closedMemberships ?? []
  const [only] = grants
  if (only && grants.length === 1 && closed.length === 0) redirect(paths.org(only.orgSlug), 303)
  const [first] = closed
  if (first?.closedBy === 'second-factor' && grants.length === 0)
    redirect(paths.secondFactorFor(first.orgSlug), 303)
  const closedOrgs = closed.map(({ orgSlug, orgName, closedBy }) => ({
    slug: orgSlug,
    name: orgName,
    closedBy,
  }))
  const [organizations, deleted] = await Promise.all([
    listOrganizations(context.queries, grants),
    deletedOrganizations(context.queries, viewer),
  ])
  return { closedOrgs, organizations, deletedCount: deleted.length, email: viewer.email }
}
