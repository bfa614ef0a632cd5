/**
 * Monitors of scheduled jobs (https://docs.sentry.io/api/crons/). A slug is one of a project, not of the organization: where two
 * projects have it, `?project=` or the path of the project says which.
 */
import { type CronConfig, type CronConfigInput, readCronConfig } from '@sonde/alerts'
import { createCron, type CronInput, cronSlug, deleteCron, InvalidInput, updateCron } from '@sonde/commands'
import { type CronEnvironment, type CronMonitor, cronMonitors, type CronRun, cronRuns } from '@sonde/queries'
import {
  type Api,
  type ApiContext,
  type ApiOptions,
  grantOfPath,
  orgGrant,
  pathParam,
} from '../api-context.ts'
import { jsonBody, type JsonBody } from '../json-body.ts'
import { projectIdsParam, setPage } from '../request-params.ts'
import { isoDate } from '../serializers/date.ts'

const LIST = '/organizations/:org/monitors'
const ONES = [`${LIST}/:monitor`, '/projects/:org/:project/monitors/:monitor'] as const
const MOST_CHECK_INS = 1_000

export function monitorRoutes(api: Api, { queries, commands, publicUrl }: ApiOptions): void {
  const find = async (c: ApiContext): Promise<CronMonitor | undefined> => {
    const named = pathParam(c, 'monitor')
    const rows = await cronMonitors(queries, await grantOfPath(c, 'alert:read'), { slug: named })
    const projects = projectIdsParam(c)
    return rows.find(({ project }) => projects.length === 0 || projects.includes(project.id))
  }
  const writeGrant = (c: ApiContext, project: string) =>
    c.get('grants').openProject(pathParam(c, 'org'), project, 'alert:write')

  api.get(LIST, async (c) => {
    const rows = await cronMonitors(queries, await orgGrant(c, 'alert:read'))
    const projects = projectIdsParam(c)
    const shown = rows.filter(({ project }) => projects.length === 0 || projects.includes(project.id))
    return c.json(setPage(c, publicUrl, shown).map((row) => monitorJson(row)))
  })

  api.post(LIST, async (c) => {
    await orgGrant(c, 'alert:read')
    const body = await jsonBody(c)
    const project = body.text('project')
    if (project === undefined) throw new InvalidInput('create a monitor', { project: ['is needed'] })
    const grant = await writeGrant(c, project)
    const name = body.text('name') ?? ''
    const { slug } = await createCron(commands, grant, {
      ...inputOf(body, undefined),
      name,
      slug: body.text('slug') ?? cronSlug(name),
    })
    const rows = await cronMonitors(queries, await orgGrant(c, 'alert:read'), { slug })
    const made = rows.find((row) => row.project.id === grant.projectId)
    return made ? c.json(monitorJson(made), 201) : c.notFound()
  })

  for (const one of ONES) {
    api.get(one, async (c) => {
      const row = await find(c)
      return row ? c.json(monitorJson(row)) : c.notFound()
    })

    api.put(one, async (c) => {
      const row = await find(c)
      if (!row) return c.notFound()
      const body = await jsonBody(c)
      const grant = await writeGrant(c, row.project.slug)
      const { slug } = await updateCron(commands, grant, row.id, inputOf(body, row))
      const rows = await cronMonitors(queries, await grantOfPath(c, 'alert:read'), { slug })
      const now = rows.find(({ id }) => id === row.id)
      return now ? c.json(monitorJson(now)) : c.notFound()
    })

    api.delete(one, async (c) => {
      const row = await find(c)
      if (!row) return c.notFound()
      await deleteCron(commands, await writeGrant(c, row.project.slug), row.id)
      return c.body(null, 202)
    })

    api.get(`${one}/checkins`, async (c) => {
      const row = await find(c)
      if (!row) return c.notFound()
      const grant = await grantOfPath(c, 'alert:read')
      const runs = await cronRuns(queries, grant, { monitorId: row.id, limit: MOST_CHECK_INS })
      const environments = c.req.queries('environment') ?? []
      const shown = runs.filter(
        ({ environment }) => environments.length === 0 || environments.includes(environment),
      )
      return c.json(setPage(c, publicUrl, shown).map((run) => checkInJson(run, row)))
    })
  }
}

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

const monitorJson = (row: CronMonitor) => {
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

const environmentJson = (environment: CronEnvironment, { isEnabled, isMuted, createdMs }: CronMonitor) => ({
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
