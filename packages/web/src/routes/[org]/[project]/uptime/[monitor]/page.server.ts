/** One uptime monitor: its times, incidents and last checks. */
import { mayAlso } from '@sonde/access'
import type { UptimeCheck } from '@sonde/alerts'
import { checkNow, deleteMonitor, InvalidInput, pauseMonitor } from '@sonde/commands'
import { uptimeChecks, uptimeIncidents, uptimeSeries } from '@sonde/queries'
import { type ActionArgs, httpError, invalid, type LoadArgs, redirect } from '@sonde/router/server'
import { orEndPage, projectGrant } from '../../../../../parts/access/page-grant.server.ts'
import { fieldsOf } from '../../../../../parts/forms/posted-fields.ts'
import { paths } from '../../../../../paths.ts'
import type { AppContext } from '../../../../../server/app-context.server.ts'
import { monitorOf } from './monitor-of.server.ts'

type Args = LoadArgs<AppContext, 'org' | 'project' | 'monitor'>

const HOUR_MS = 3_600_000
const PERIODS: Readonly<Record<string, number>> = { '24h': 24, '7d': 7 * 24, '30d': 30 * 24, '90d': 90 * 24 }
const LAST_CHECKS = 50

export async function load(args: Args) {
  const { context, params, url } = args
  const { queries, clock } = context
  const grant = await projectGrant(args, 'alert:read')
  const { row, monitor } = await monitorOf(context, grant, Number(params.monitor))
  const asked = url.searchParams.get('statsPeriod') ?? ''
  const period = Object.hasOwn(PERIODS, asked) ? asked : '24h'
  const nowMs = clock.nowMs()
  const monitorId = row.id
  const fromMs = nowMs - (PERIODS[period] ?? 24) * HOUR_MS
  const [series, checks, incidents] = await Promise.all([
    uptimeSeries(queries, grant, { monitorId, fromMs, toMs: nowMs }),
    uptimeChecks(queries, grant, { monitorId, limit: LAST_CHECKS }),
    uptimeIncidents(queries, grant, monitorId),
  ])
  const { url: address, method, statuses, failures, failuresOf, recoveries } = monitor
  return {
    row,
    period,
    series,
    checks,
    incidents,
    monitor: { url: address, method, statuses, failures, failuresOf, recoveries },
    mayWrite: mayAlso(grant, 'alert:write'),
  }
}

export type AnsweredCheck = {
  readonly form: 'check'
  readonly check?: UptimeCheck
  readonly problem?: string
}

export async function action(args: ActionArgs<AppContext, 'org' | 'project' | 'monitor'>) {
  const { commands } = args.context
  const grant = await projectGrant(args, 'alert:write')
  const id = Number(args.params.monitor)
  if (!Number.isSafeInteger(id) || id < 1) return httpError(400)
  const { orgSlug, projectSlug } = grant
  const does = fieldsOf(await args.formData()).text('does')
  if (does === 'check') {
    try {
      const check = await orEndPage(checkNow(commands, grant, id))
      return { form: 'check', check } satisfies AnsweredCheck
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error
      const problem = Object.values(error.fields).flat().join('; ')
      return invalid({ form: 'check', problem } satisfies AnsweredCheck)
    }
  }
  if (does === 'pause' || does === 'resume') {
    await orEndPage(pauseMonitor(commands, grant, id, does === 'pause'))
    return redirect(`${paths.uptimeMonitor(orgSlug, projectSlug, id)}?saved=uptime-${does}d`, 303)
  }
  if (does === 'delete') {
    await orEndPage(deleteMonitor(commands, grant, id))
    return redirect(`${paths.uptime(orgSlug, projectSlug)}?saved=uptime-deleted`, 303)
  }
  return httpError(400)
}
