/** What a project's measurements do not show, and what the measuring costs. docs/coverage.md */
import {
  ExploreError,
  listProjects,
  pageCoverage,
  SDK_WEIGHTS,
  sdkWeight,
  unusedIntegrations,
} from '@sonde/queries'
import { type LoadArgs, notFound } from '@sonde/router/server'
import { orgGrant, projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { performanceFilterOf } from '../../../../../parts/filter-bar/filter-of.server.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, clock } = args.context
  // A page's server is mostly another project: of those that the viewer may read.
  const [grant, projects] = await Promise.all([
    projectGrant(args, 'event:read'),
    orgGrant(args, 'event:read'),
  ])
  const { environment, fromMs, toMs } = performanceFilterOf(args.url.searchParams, clock.nowMs())
  const [[project], pages, sdk] = await Promise.all([
    listProjects(queries, grant),
    pageCoverage(queries, projects, {
      fromMs,
      toMs,
      ...(environment && { environment }),
      projectId: grant.projectId,
    }).catch(refused),
    sdkWeight(queries, grant).then(
      (weight) => ({
        kind: 'known' as const,
        weight,
        unused: unusedIntegrations(weight),
        measured: SDK_WEIGHTS.version,
      }),
      refused,
    ),
  ])
  if (!project) return notFound()
  return { project: { slug: project.slug, name: project.name }, pages, sdk }
}

export type Refused = { readonly kind: 'refused'; readonly message: string; readonly hint: string }

function refused(error: unknown): Refused {
  if (!(error instanceof ExploreError)) throw error
  return { kind: 'refused', message: error.message, hint: error.hint ?? '' }
}
