/** One monitor: its environments, runs, durations and incidents. */
import { type Grant, mayAlso, requireAlso } from '@sonde/access'
import { scheduleWords } from '@sonde/alerts'
import { CRON_SWITCHES, deleteCron, switchCron } from '@sonde/commands'
import { cronIncidents, type CronRun, cronRuns, issuesOfTraces } from '@sonde/queries'
import { type ActionArgs, httpError, type LoadArgs, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { environmentsOf } from '../../../../../shell/time-range.ts'
import { checkInDoor } from '../check-in-door.server.ts'
import { shownEnvironment, worseFirst } from '../cron-words.ts'
import { upcoming } from '../upcoming.server.ts'
import { cronOf } from './cron-of.server.ts'

type Args = LoadArgs<AppContext, 'org' | 'project' | 'monitor'>

const PAGE_RUNS = 50
const CHART_RUNS = 100

export async function load(args: Args) {
  const { context, params, url } = args
  const { queries, clock } = context
  const grant = await projectGrant(args, 'alert:read')
  const { monitor, config } = await cronOf(context, grant, Number(params.monitor))
  const { id: monitorId, name, slug, isEnabled, isMuted, createdMs } = monitor
  const environments = environmentsOf(url.searchParams)
  const before = placeOf(url.searchParams.get('before'))
  const [newest, page, incidents, door] = await Promise.all([
    cronRuns(queries, grant, { monitorId, environments, limit: CHART_RUNS }),
    cronRuns(queries, grant, { monitorId, environments, before, limit: PAGE_RUNS + 1 }),
    cronIncidents(queries, grant, { monitorId, environments }),
    checkInDoor(args, grant),
  ])
  const runs = page.slice(0, PAGE_RUNS)
  const last = page.length > PAGE_RUNS ? runs.at(-1) : undefined
  const shown = monitor.environments.filter(
    (each) => environments.length === 0 || environments.includes(each.name),
  )
  // An interval is counted from the last check-in.
  const checkedMs = shown.flatMap((each) => (each.checkedMs === null ? [] : [each.checkedMs]))
  const nowMs = clock.nowMs()
  const afterMs = config.schedule.type === 'interval' ? Math.max(...checkedMs, 0) || nowMs : nowMs
  return {
    monitor: { id: monitorId, name, slug, isEnabled, isMuted, createdMs },
    environments: shown.map(shownEnvironment).toSorted(worseFirst),
    schedule: {
      words: scheduleWords(config),
      crontab: config.schedule.type === 'crontab' ? config.schedule.value : '',
      zone: config.timezone,
      ...expectationOf(config),
    },
    upcoming: isEnabled ? upcoming(config, afterMs) : [],
    durations: newest
      .toReversed()
      .map(({ id, status, startedMs, durationMs }) => ({ id, status, startedMs, durationMs })),
    runs,
    issues: await issuesOf(queries, grant, runs),
    isFirstPage: before === undefined,
    next: last && `${last.startedMs}-${last.id}`,
    incidents,
    door,
    mayWrite: mayAlso(grant, 'alert:write'),
  }
}

const expectationOf = ({
  checkinMargin,
  maxRuntime,
  failureIssueThreshold,
  recoveryThreshold,
}: Awaited<ReturnType<typeof cronOf>>['config']) => ({
  checkinMargin,
  maxRuntime,
  failureIssueThreshold,
  recoveryThreshold,
})

/** What cannot be read is the first page. */
function placeOf(text: string | null): { readonly startedMs: number; readonly id: number } | undefined {
  const [, startedMs, id] = /^(\d{1,15})-(\d{1,15})$/.exec(text ?? '') ?? []
  return startedMs === undefined ? undefined : { startedMs: Number(startedMs), id: Number(id) }
}

/** By trace, of runs that failed. */
async function issuesOf(
  queries: AppContext['queries'],
  grant: Grant<'alert:read', 'project'>,
  runs: readonly CronRun[],
): Promise<Readonly<Record<string, { readonly id: number; readonly title: string }>>> {
  const samples = runs
    .filter(({ status, traceId }) => status === 'error' && traceId !== '')
    .map(({ traceId, endedMs, startedMs }) => ({ traceId, atMs: endedMs ?? startedMs }))
  if (samples.length === 0) return {}
  const found = await issuesOfTraces(queries, requireAlso(grant, 'event:read'), samples)
  return Object.fromEntries([...found].map(([trace, { id, title }]) => [trace, { id, title }]))
}

export async function action(args: ActionArgs<AppContext, 'org' | 'project' | 'monitor'>) {
  const { commands } = args.context
  const grant = await projectGrant(args, 'alert:write')
  const id = Number(args.params.monitor)
  if (!Number.isSafeInteger(id) || id < 1) return httpError(400)
  const { orgSlug, projectSlug } = grant
  const does = fieldsOf(await args.formData()).text('does')
  const to = CRON_SWITCHES.find((each) => each === does)
  if (to !== undefined) {
    await orEndPage(switchCron(commands, grant, id, to))
    return redirect(`${paths.cron(orgSlug, projectSlug, id)}?saved=cron-${to}d`, 303)
  }
  if (does === 'delete') {
    await orEndPage(deleteCron(commands, grant, id))
    return redirect(`${paths.crons(orgSlug, projectSlug)}?saved=cron-deleted`, 303)
  }
  return httpError(400)
}
