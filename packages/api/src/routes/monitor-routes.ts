/**
 * Monitors of scheduled jobs (https://docs.sentry.io/api/crons/). A slug is one of a project, not of the organization: where two
 * projects have it, `?project=` or the path of the project says which.
 */
import type { Grant } from '@sonde/access'
import { type CronConfig, type CronConfigInput, readCronConfig } from '@sonde/alerts'
import { CRON_UNITS } from '@sonde/alerts/contract'
import { createCron, type CronInput, cronSlug, deleteCron, InvalidInput, updateCron } from '@sonde/commands'
import { type CronEnvironment, type CronMonitor, cronMonitors, type CronRun, cronRuns } from '@sonde/queries'
import { z } from 'zod'
import { type ApiContext, type ApiOptions, notFound, pathParam } from '../api-context.ts'
import type { Api } from '../described-routes.ts'
import { fieldsOf, type JsonBody } from '../json-body.ts'
import { setPage } from '../pages.ts'
import { environments, projectIds } from '../query-schemas.ts'
import { isoDate, Time } from '../serializers/date.ts'
import { taken } from '../taken.ts'

const LIST = '/organizations/:org/monitors'
const ONES = [`${LIST}/:monitor`, '/projects/:org/:project/monitors/:monitor'] as const
const MOST_CHECK_INS = 1_000

const Environment = z.object({
  name: z.string(),
  status: z.enum(['error', 'active', 'ok', 'disabled']),
  isMuted: z.boolean(),
  dateCreated: Time,
  lastCheckIn: Time.nullable(),
  nextCheckIn: Time.nullable(),
  nextCheckInLatest: Time.nullable(),
  activeIncident: z.null(),
})

const Monitor = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    status: z.enum(['active', 'disabled']),
    isMuted: z.boolean(),
    isUpserting: z.boolean(),
    dateCreated: Time,
    project: z.object({ id: z.string(), slug: z.string(), name: z.string(), platform: z.null() }),
    owner: z.object({ type: z.string().optional(), id: z.string().optional() }).nullable(),
    alertRule: z.null(),
    config: z.object({
      schedule_type: z.string(),
      schedule: z.union([z.string(), z.array(z.union([z.string(), z.number()]))]),
      timezone: z.string(),
      checkin_margin: z.number().nullable(),
      max_runtime: z.number().nullable(),
      failure_issue_threshold: z.number().nullable(),
      recovery_threshold: z.number().nullable(),
      alert_rule_id: z.null(),
    }),
    environments: z.array(Environment),
  })
  .meta({ id: 'Monitor' })

const CheckIn = z
  .object({
    id: z.string(),
    environment: z.string(),
    status: z.string(),
    duration: z.number().nullable(),
    dateCreated: Time,
    dateAdded: Time,
    dateUpdated: Time,
    dateInProgress: Time.nullable(),
    expectedTime: Time.nullable(),
    monitorConfig: z.object({ schedule_type: z.string(), timezone: z.string() }),
    monitorId: z.string(),
    groups: z.array(z.never()).meta({ description: 'Always empty.' }),
  })
  .meta({ id: 'CheckIn' })

const count = (description: string) => z.number().nullish().meta({ description })
const SentConfig = z.object({
  schedule_type: z.enum(['crontab', 'interval']).optional(),
  schedule: z
    .union([z.string(), z.tuple([z.number(), z.enum(CRON_UNITS)])])
    .optional()
    .meta({ examples: ['0 * * * *', [10, 'minute']] }),
  timezone: z
    .string()
    .optional()
    .meta({ examples: ['Europe/Berlin'] }),
  checkin_margin: count('Minutes after the expected time until it is missed.'),
  max_runtime: count('Minutes until a run that goes on takes too long.'),
  failure_issue_threshold: count('So many failures in a row make an issue.'),
  recovery_threshold: count('So many runs in a row that were right end it.'),
})

const MonitorFields = z.object({
  name: z.string().optional(),
  slug: z.string().optional(),
  status: z.string().optional().meta({ description: '`active` or `disabled`.' }),
  config: taken(SentConfig, 'When it runs; what is left out of it stays, or is as usual.'),
  owner: taken('string', '`user:ID` or `team:ID`; null: nobody.'),
  is_muted: z.boolean().optional(),
  isMuted: z.boolean().optional(),
})

const reads = { tag: 'Monitors', permission: 'alert:read' } as const
const writes = { tag: 'Monitors', permission: 'alert:read', opens: 'alert:write' } as const
const OfProject = z.object({ project: projectIds })

export function monitorRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  const find = async (grant: ReadGrant, slug: string, projects: readonly number[]) =>
    (await cronMonitors(queries, grant, { slug })).find(
      ({ project }) => projects.length === 0 || projects.includes(project.id),
    )
  const need = async (...asked: Parameters<typeof find>) => {
    const row = await find(...asked)
    if (row) return row
    throw notFound('open a monitor')
  }
  const writeGrant = (c: ApiContext, project: string) =>
    c.get('grants').openProject(pathParam(c, 'org'), project, 'alert:write')

  api.get(
    LIST,
    {
      ...reads,
      id: 'listMonitors',
      summary: 'List monitors of scheduled jobs',
      query: OfProject,
      pages: true,
      answer: z.array(Monitor),
    },
    async ({ c, grant, query: { project: projects } }) => {
      const rows = await cronMonitors(queries, grant)
      const shown = rows.filter(({ project }) => projects.length === 0 || projects.includes(project.id))
      return setPage(c, publicUrl, shown).map(monitorJson)
    },
  )

  api.post(
    LIST,
    {
      ...writes,
      id: 'createMonitor',
      summary: 'Make a monitor',
      body: MonitorFields.extend({ project: z.string('is needed').meta({ description: 'Its slug.' }) }),
      answer: Monitor,
      status: 201,
    },
    async ({ c, grant: reader, body }) => {
      const grant = await writeGrant(c, body.project)
      const { name = '' } = body
      const { slug } = await createCron(commands, grant, {
        ...inputOf(fieldsOf(body), undefined),
        name,
        slug: body.slug ?? cronSlug(name),
      })
      const made = await find(reader, slug, [grant.projectId])
      return made && monitorJson(made)
    },
  )

  for (const one of ONES) {
    api.get(
      one,
      { ...reads, id: 'getMonitor', summary: 'Read a monitor', query: OfProject, answer: Monitor },
      async ({ grant, params, query }) => {
        const row = await find(grant, params.monitor, query.project)
        return row && monitorJson(row)
      },
    )

    api.put(
      one,
      {
        ...writes,
        id: 'updateMonitor',
        summary: 'Change a monitor',
        description: 'What is left out stays as it is.',
        query: OfProject,
        body: MonitorFields,
        answer: Monitor,
      },
      async ({ c, grant: reader, params, query, body }) => {
        const row = await need(reader, params.monitor, query.project)
        const grant = await writeGrant(c, row.project.slug)
        const { slug } = await updateCron(commands, grant, row.id, inputOf(fieldsOf(body), row))
        const rows = await cronMonitors(queries, reader, { slug })
        const now = rows.find(({ id }) => id === row.id)
        return now && monitorJson(now)
      },
    )

    api.delete(
      one,
      { ...writes, id: 'deleteMonitor', summary: 'Delete a monitor', query: OfProject, status: 202 },
      async ({ c, grant, params, query }) => {
        const row = await need(grant, params.monitor, query.project)
        await deleteCron(commands, await writeGrant(c, row.project.slug), row.id)
      },
    )

    api.get(
      `${one}/checkins`,
      {
        ...reads,
        id: 'listCheckIns',
        summary: 'List the check-ins of a monitor',
        query: OfProject.extend({ environment: environments }),
        pages: true,
        answer: z.array(CheckIn),
      },
      async ({ c, grant, params, query: { project, environment: wanted = [] } }) => {
        const row = await need(grant, params.monitor, project)
        const runs = await cronRuns(queries, grant, { monitorId: row.id, limit: MOST_CHECK_INS })
        const shown = runs.filter(({ environment }) => wanted.length === 0 || wanted.includes(environment))
        return setPage(c, publicUrl, shown).map((run) => checkInJson(run, row))
      },
    )
  }
}

type ReadGrant = Grant<'alert:read', 'org' | 'project'>

/** What is left out stays as it is. */
function inputOf(body: JsonBody, before: CronMonitor | undefined): CronInput {
  const status = body.text('status')
  if (status !== undefined && status !== 'active' && status !== 'disabled')
    throw new InvalidInput('read a monitor', { status: ['is active or disabled'] })
  const sent = body.value('config')
  const known = before && readCronConfig(before.config)
  const owner = body.value('owner')
  return {
    name: body.text('name') ?? before?.name ?? '',
    slug: body.text('slug') ?? before?.slug ?? '',
    config: sent === undefined && known ? known : configInput(sent, known),
    ...(before && { actions: JSON.parse(before.actions) as NonNullable<CronInput['actions']> }),
    owner: owner === null ? '' : typeof owner === 'string' ? owner : (before?.owner ?? ''),
    isEnabled: status === undefined ? (before?.isEnabled ?? true) : status === 'active',
    isMuted: body.flag('is_muted') ?? body.flag('isMuted') ?? before?.isMuted ?? false,
  }
}

function configInput(sent: unknown, known: CronConfig | undefined): CronConfigInput {
  const given = typeof sent === 'object' && sent !== null ? (sent as Readonly<Record<string, unknown>>) : {}
  const number = (name: string, before: number | undefined): number | undefined =>
    given[name] === undefined || given[name] === null ? before : (given[name] as number)
  const [value, unit] = Array.isArray(given.schedule) ? (given.schedule as unknown[]) : []
  const schedule =
    given.schedule === undefined && known
      ? known.schedule
      : Array.isArray(given.schedule)
        ? { type: 'interval', value, unit }
        : { type: 'crontab', value: given.schedule }
  return {
    schedule: schedule as CronConfigInput['schedule'],
    timezone: typeof given.timezone === 'string' ? given.timezone : known?.timezone,
    checkinMargin: number('checkin_margin', known?.checkinMargin),
    maxRuntime: number('max_runtime', known?.maxRuntime),
    failureIssueThreshold: number('failure_issue_threshold', known?.failureIssueThreshold),
    recoveryThreshold: number('recovery_threshold', known?.recoveryThreshold),
  }
}

const date = (atMs: number | null): string | null => (atMs === null ? null : isoDate(atMs))

const monitorJson = (row: CronMonitor): z.infer<typeof Monitor> => {
  const { schedule, ...config } = readCronConfig(row.config)
  return {
    id: String(row.id),
    slug: row.slug,
    name: row.name,
    status: row.isEnabled ? 'active' : 'disabled',
    isMuted: row.isMuted,
    isUpserting: false,
    dateCreated: isoDate(row.createdMs),
    project: { id: String(row.project.id), slug: row.project.slug, name: row.project.name, platform: null },
    owner: row.owner === '' ? null : { type: row.owner.split(':')[0], id: row.owner.split(':')[1] },
    alertRule: null,
    config: {
      schedule_type: schedule.type,
      schedule: schedule.type === 'crontab' ? schedule.value : [schedule.value, schedule.unit],
      timezone: config.timezone,
      checkin_margin: config.checkinMargin,
      max_runtime: config.maxRuntime,
      failure_issue_threshold: config.failureIssueThreshold,
      recovery_threshold: config.recoveryThreshold,
      alert_rule_id: null,
    },
    environments: row.environments.map((environment) => environmentJson(environment, row)),
  }
}

const environmentJson = (
  environment: CronEnvironment,
  { isEnabled, isMuted, createdMs }: CronMonitor,
): z.infer<typeof Environment> => ({
  name: environment.name,
  status: isEnabled
    ? environment.isFailing
      ? 'error'
      : environment.state === 'new'
        ? 'active'
        : 'ok'
    : 'disabled',
  isMuted,
  dateCreated: isoDate(createdMs),
  lastCheckIn: date(environment.checkedMs),
  nextCheckIn: date(environment.nextMs),
  nextCheckInLatest: date(environment.dueMs),
  activeIncident: null,
})

const checkInJson = (run: CronRun, { id, config }: CronMonitor) => {
  const { schedule, timezone } = readCronConfig(config)
  return {
    id: run.checkInId === '' ? String(run.id) : run.checkInId,
    environment: run.environment,
    status: run.status,
    duration: run.durationMs,
    dateCreated: isoDate(run.startedMs),
    dateAdded: isoDate(run.startedMs),
    dateUpdated: isoDate(run.endedMs ?? run.startedMs),
    dateInProgress: run.checkInId === '' ? null : isoDate(run.startedMs),
    expectedTime: date(run.expectedMs),
    monitorConfig: { schedule_type: schedule.type, timezone },
    monitorId: String(id),
    groups: [],
  }
}
