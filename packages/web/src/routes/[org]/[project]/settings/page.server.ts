import { mayAlso, requireAlso } from '@sonde/access'
import {
  listProjects,
  listTeams,
  projectKeys,
  projectKeyUsage,
  projectNewcomers,
  projectRefusals,
  projectSettings,
  projectSpikes,
  projectSpanUsage,
  receivedData,
  recentReprocessing,
  sampledByRule,
  teamNames,
} from '@sonde/queries'
import { type ActionArgs, type LoadArgs, notFound } from '@sonde/router/server'
import { samplingRuleName } from '@sonde/stores'
import { projectGrant } from '../../../../parts/access/page-grant.server.ts'
import type { AppContext } from '../../../../server/app-context.server.ts'
import { changeProject } from './change-project.server.ts'
import { draftOf } from './sampling-text.ts'

const RECEIVED_DAYS = 7

export async function load(args: LoadArgs<AppContext, 'org' | 'project'>) {
  const { queries, retentionDays, spikes } = args.context
  const grant = await projectGrant(args, 'project:read')
  const members = requireAlso(grant, 'member:read')
  const [
    [project],
    settings,
    keys,
    usage,
    refusals,
    newcomers,
    spans,
    leftOut,
    spikeState,
    teams,
    having,
    received,
    [scrubRun],
  ] = await Promise.all([
    listProjects(queries, grant),
    projectSettings(queries, grant),
    projectKeys(queries, grant),
    projectKeyUsage(queries, grant),
    projectRefusals(queries, grant),
    projectNewcomers(queries, grant),
    projectSpanUsage(queries, grant),
    sampledByRule(queries, grant),
    projectSpikes(queries, grant),
    teamNames(queries, members),
    listTeams(queries, grant),
    receivedData(queries, grant, { days: RECEIVED_DAYS }),
    recentReprocessing(queries, grant, 1, true),
  ])
  if (!project || !settings) return notFound()
  return {
    project,
    filters: settings.filters,
    scrub: settings.scrub,
    scrubRun,
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
    received,
    retentionDays,
    spikes,
    spikeState,
    teams: {
      having: having.map(({ id, slug, name, projects: [own] }) => ({
        id,
        slug,
        name,
        role: own?.role ?? 'viewer',
      })),
      others: teams.filter(({ id }) => !having.some((team) => team.id === id)),
    },
    mayWrite: mayAlso(grant, 'project:write'),
    mayDelete: mayAlso(grant, 'project:delete'),
    mayTest: mayAlso(grant, 'event:write'),
  }
}

export const action = (args: ActionArgs<AppContext, 'org' | 'project'>) => changeProject(args)
