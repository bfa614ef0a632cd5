import { mayAlso, mayOperate } from '@sonde/access'
import { openIncidentCount, openSpike, unreadCount } from '@sonde/queries'
import type { LoadArgs } from '@sonde/router/server'
import { grantsOf } from '../parts/access/page-grant.server.ts'
import type { AppContext } from '../server/app-context.server.ts'
import type { ShownSpike } from '../shell/spike-banner.tsx'
import { themeFromCookies } from '../shell/theme.ts'

/** Never redirects: the sign-in page is inside this layout too. */
export async function load(args: LoadArgs<AppContext, never>) {
  const { request, context } = args
  const { viewer, clock, queries } = context
  // The layout is shown also while the records are away, and for a project that is not there or not the viewer's.
  const [unread, openIncidents, spike] = await Promise.all([
    viewer ? unreadCount(queries, viewer).catch(() => 0) : 0,
    viewer ? incidentsOfProject(args).catch(() => 0) : 0,
    viewer ? spikeOfProject(args).catch(() => undefined) : undefined,
  ])
  return {
    nowMs: clock.nowMs(),
    unread,
    openIncidents,
    spike,
    theme: themeFromCookies(request.headers.get('cookie')),
    viewer: viewer && {
      name: viewer.name,
      email: viewer.email,
      timeZone: viewer.timeZone ?? '',
      isOperator: mayOperate(viewer),
      organizations: viewer.memberships.map(({ orgSlug, orgName }) => ({ slug: orgSlug, name: orgName })),
    },
  }
}

/** Of the project in the address. */
async function incidentsOfProject(args: LoadArgs<AppContext, never>): Promise<number> {
  const { org, project } = args.params as { readonly org?: string; readonly project?: string }
  if (org === undefined || project === undefined) return 0
  const grant = await grantsOf(args).openProject(org, project, 'alert:read')
  return openIncidentCount(args.context.queries, grant)
}

/** The one that lasts, of the project in the address. */
async function spikeOfProject(args: LoadArgs<AppContext, never>): Promise<ShownSpike | undefined> {
  const { org, project } = args.params as { readonly org?: string; readonly project?: string }
  if (org === undefined || project === undefined) return undefined
  const grant = await grantsOf(args).openProject(org, project, 'event:read')
  const spike = await openSpike(args.context.queries, grant)
  if (!spike) return undefined
  const { startedMs, timesUsual, storedOneIn } = spike
  const mayChange = mayAlso(grant, 'project:write')
  return { org: grant.orgSlug, project: grant.projectSlug, startedMs, timesUsual, storedOneIn, mayChange }
}
