/** Projects and their client keys: https://docs.sentry.io/api/projects/ */
import type { ProjectKeyRow, ProjectRow, ProjectSettingsView } from '@sonde/queries'
import { DEFAULT_GROUPING } from '@sonde/stores'
import { z } from 'zod'
import { isoDate, isoDateOrNull, Time } from './date.ts'
import { TeamName, teamNameJson } from './team.ts'

export const OrganizationName = z
  .object({ id: z.string(), slug: z.string(), name: z.string() })
  .meta({ id: 'OrganizationName' })

export const ProjectName = z
  .object({ id: z.string(), slug: z.string(), name: z.string() })
  .meta({ id: 'ProjectName' })

export const Project = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    platform: z.string().nullable(),
    dateCreated: Time,
    firstEvent: Time.nullable(),
    status: z.literal('active'),
    isMember: z.boolean(),
    hasAccess: z.boolean(),
    isBookmarked: z.boolean(),
    isPublic: z.boolean(),
    team: TeamName.nullable(),
    teams: z.array(TeamName),
    features: z.array(z.string()),
    environments: z.array(z.string()),
    latestRelease: z.null(),
  })
  .meta({ id: 'Project' })

export const projectJson = (row: ProjectRow): z.infer<typeof Project> => ({
  id: String(row.id),
  slug: row.slug,
  name: row.name,
  // Nobody named one: Sentry has none then, and clients that read another than they sent stop.
  platform: row.platform === 'other' ? null : row.platform,
  dateCreated: isoDate(row.createdMs),
  firstEvent: isoDateOrNull(row.firstEventMs),
  status: 'active',
  isMember: true,
  hasAccess: true,
  isBookmarked: false,
  isPublic: false,
  team: row.teams[0] ? teamNameJson(row.teams[0]) : null,
  teams: row.teams.map(teamNameJson),
  features: [],
  environments: [],
  latestRelease: null,
})

/** As Sentry names them: https://docs.sentry.io/api/projects/update-a-project/ */
export const ProjectDetail = Project.extend({
  groupingConfig: z.string(),
  fingerprintingRules: z.string(),
  groupingEnhancements: z.string(),
  secondaryGroupingConfig: z.string().nullable(),
  secondaryGroupingExpiry: z.int().meta({ description: 'Unix seconds; 0: there is none.' }),
}).meta({ id: 'ProjectDetail' })

export const groupingJson = (settings: ProjectSettingsView | undefined) => {
  const { fingerprintRules, stackRules, version, previous } = settings?.grouping ?? DEFAULT_GROUPING
  return {
    groupingConfig: version,
    fingerprintingRules: fingerprintRules,
    groupingEnhancements: stackRules,
    secondaryGroupingConfig: previous?.version ?? null,
    secondaryGroupingExpiry: previous ? Math.floor(previous.untilMs / 1000) : 0,
  }
}

export const ProjectKey = z
  .object({
    id: z.string(),
    name: z.string(),
    label: z.string(),
    public: z.string(),
    secret: z.literal(''),
    projectId: z.int(),
    isActive: z.boolean(),
    rateLimit: z.object({ window: z.int(), count: z.int() }).nullable(),
    dsn: z
      .object({ public: z.string(), secret: z.string() })
      .catchall(z.string())
      .meta({ description: 'Where else one sends with the key, by kind: `csp`, `minidump`, `crons`, …' }),
    browserSdkVersion: z.string(),
    dynamicSdkLoaderOptions: z.object({}),
    dateCreated: Time,
  })
  .meta({ id: 'ProjectKey' })

/** SDKs no longer use a secret; clients still read the field, so it repeats the public key's place with nothing in it. */
export const projectKeyJson = (row: ProjectKeyRow, projectId: number): z.infer<typeof ProjectKey> => ({
  id: row.publicKey,
  name: row.label,
  label: row.label,
  public: row.publicKey,
  secret: '',
  projectId,
  isActive: row.isActive,
  rateLimit: row.rateLimit ? { window: row.rateLimit.windowSec, count: row.rateLimit.count } : null,
  dsn: { public: row.dsn, secret: row.dsn, ...endpointsOf(row, projectId) },
  browserSdkVersion: '',
  dynamicSdkLoaderOptions: {},
  dateCreated: isoDate(row.createdMs),
})

/** The addresses that Sentry names beside the DSN, of what Sonde takes. */
function endpointsOf({ dsn, publicKey }: ProjectKeyRow, projectId: number): Record<string, string> {
  const { protocol, host, pathname } = new URL(dsn)
  const base = `${protocol}//${host}${pathname.replace(/\/[^/]*$/, '')}/api/${projectId}`
  const withKey = (path: string): string => `${base}/${path}/?sentry_key=${publicKey}`
  return {
    csp: withKey('csp-report'),
    security: withKey('security'),
    nel: withKey('nel'),
    minidump: withKey('minidump'),
    unreal: `${base}/unreal/${publicKey}/`,
    crons: `${base}/cron/___MONITOR_SLUG___/${publicKey}/`,
    otlp_traces: `${base}/integration/otlp/v1/traces`,
    otlp_logs: `${base}/integration/otlp/v1/logs`,
  }
}
