import {
  listProjects,
  projectKeys,
  projectKeyUsage,
  projectNewcomers,
  projectRefusals,
  projectSettings,
  projectSpanUsage,
  sampledByRule,
} from '@sonde/queries'
import { type ActionArgs, type LoadArgs, notFound } from '@sonde/router/server'
import { samplingRuleName } from '@sonde/stores'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { mayInOrg, projectScope } from '../../../../parts/access/page-scope.server.ts'
import { changeProject } from './change-project.server.ts'
import { draftOf } from './sampling-text.ts'

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, retentionDays, spikes } = args.context
  const scope = await projectScope(args, 'project:read')
  const [
    [project],
    settings,
    keys,
    usage,
    refusals,
    newcomers,
    spans,
    leftOut,
    mayWrite,
    mayDelete,
    mayTest,
  ] = await Promise.all([
    listProjects(queries, scope),
    projectSettings(queries, scope),
    projectKeys(queries, scope),
    projectKeyUsage(queries, scope),
    projectRefusals(queries, scope),
    projectNewcomers(queries, scope),
    projectSpanUsage(queries, scope),
    sampledByRule(queries, scope),
    mayInOrg(args, 'project:write'),
    mayInOrg(args, 'project:delete'),
    mayInOrg(args, 'event:write'),
  ])
  if (!project || !settings) return notFound()
  return {
    project,
    filters: settings.filters,
    scrub: settings.scrub,
    sampling: {
      rules: settings.sampling.rules.map((rule) => ({
        draft: draftOf(rule),
        leftOut: leftOut.get(samplingRuleName(rule)) ?? 0,
      })),
      sampleMeasured: settings.sampling.sampleMeasured,
    },
    spanUsage: spans,
    rateLimit: settings.rateLimit,
    allowedDomains: settings.allowedDomains,
    refusals,
    newcomers,
    keys: keys.map((key) => ({ ...key, usage: usage.get(key.id) })),
    retentionDays,
    spikes,
    mayWrite,
    mayDelete,
    mayTest,
  }
}

export const action = (args: ActionArgs<AppContext, 'org' | 'project'>) => changeProject(args)
