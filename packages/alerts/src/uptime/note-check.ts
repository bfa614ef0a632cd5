/**
 * What a check changes, in one transaction: the state, the hour's count, the incident with what it tells, and the row on its way
 * to telemetry. A check that somebody else noted for the same time changes nothing.
 */
import { type Records, type UptimeCheckFields, writeTransaction } from '@sonde/stores'
import { headlineOf, type Message } from '../messages/message.ts'
import { placesOf } from '../outbox/places.ts'
import { channelsTold, queueNotifications } from '../outbox/queue.ts'
import type { UptimeCheck } from './check-monitor.ts'
import type { UptimeMonitor } from './monitor.ts'
import { nextDueAt, standingAfter } from './uptime-state.ts'

export type NoteDeps = {
  readonly records: Records
  readonly publicUrl: string
  /** Undefined: mail is not set up, so none is queued. */
  readonly mailer: unknown
}

export type NotedCheck = {
  readonly monitorId: number
  /** For which time it was. */
  readonly dueMs: number
  readonly startedMs: number
  readonly monitor: UptimeMonitor
  readonly check: UptimeCheck
}

const HOUR_MS = 3_600_000
/** The public page shows 90 days. */
const KEPT_HOURS_MS = 100 * 24 * HOUR_MS

const selectMonitor = (tx: Records, id: number) =>
  tx
    .selectFrom('uptime_monitor')
    .innerJoin('uptime_state', 'uptime_state.monitor_id', 'uptime_monitor.id')
    .innerJoin('project', 'project.id', 'uptime_monitor.project_id')
    .innerJoin('organization', 'organization.id', 'project.org_id')
    .selectAll('uptime_state')
    .select(['uptime_monitor.id', 'uptime_monitor.name', 'uptime_monitor.interval_sec'])
    .select(['project.id as project_id', 'project.slug as project_slug', 'project.org_id'])
    .select('organization.slug as org_slug')
    .where('uptime_monitor.id', '=', id)
    .executeTakeFirst()
type Row = NonNullable<Awaited<ReturnType<typeof selectMonitor>>>

/** False: it was noted already, or the monitor was paused, changed or deleted meanwhile. */
export async function noteCheck(deps: NoteDeps, noted: NotedCheck, nowMs: number): Promise<boolean> {
  const { monitorId, dueMs, startedMs, monitor, check } = noted
  const isUp = check.outcome === 'up'
  return writeTransaction(deps.records, async (tx) => {
    // First of all: whoever notes the same check waits here, and then finds another time.
    const { numUpdatedRows } = await tx
      .updateTable('uptime_state')
      .set({ checked_ms: startedMs })
      .where('monitor_id', '=', monitorId)
      .where('due_ms', '=', dueMs)
      .executeTakeFirstOrThrow()
    const row = Number(numUpdatedRows) === 0 ? undefined : await selectMonitor(tx, monitorId)
    if (!row) return false
    const standing = standingAfter(
      { state: row.state, sinceMs: row.since_ms, recent: row.recent },
      isUp,
      monitor,
      startedMs,
    )
    const incidentId =
      standing.changed === 'down' ? await openIncident(tx, deps, row, noted, nowMs) : row.incident_id
    if (standing.changed === 'up' && row.incident_id !== null)
      await endIncident(tx, deps, row, noted, row.incident_id, nowMs)
    await tx
      .updateTable('uptime_state')
      .set({
        due_ms: nextDueAt(dueMs, row.interval_sec * 1_000, nowMs),
        state: standing.state,
        since_ms: standing.sinceMs,
        recent: standing.recent,
        outcome: check.outcome,
        reason: check.reason,
        status: check.status,
        total_ms: Math.round(check.timings.totalMs),
        certificate_ms: check.certificateUntilMs ?? null,
        incident_id: incidentId,
      })
      .where('monitor_id', '=', monitorId)
      .execute()
    await countHour(tx, monitorId, startedMs, isUp, Math.round(check.timings.totalMs))
    await tx
      .insertInto('uptime_result')
      .values({ monitor_id: monitorId, row: JSON.stringify(rowOf(row, noted)), batch_id: null })
      .execute()
    return true
  })
}

async function countHour(
  tx: Records,
  monitorId: number,
  atMs: number,
  isUp: boolean,
  totalMs: number,
): Promise<void> {
  const hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS
  const failed = isUp ? 0 : 1
  const upMs = isUp ? totalMs : 0
  const { numUpdatedRows } = await tx
    .updateTable('uptime_hour')
    .set((eb) => ({
      checks: eb('checks', '+', 1),
      failed: eb('failed', '+', failed),
      up_ms: eb('up_ms', '+', upMs),
    }))
    .where('monitor_id', '=', monitorId)
    .where('hour_ms', '=', hourMs)
    .executeTakeFirstOrThrow()
  if (Number(numUpdatedRows) > 0) return
  await tx
    .insertInto('uptime_hour')
    .values({ monitor_id: monitorId, hour_ms: hourMs, checks: 1, failed, up_ms: upMs })
    .execute()
  await tx
    .deleteFrom('uptime_hour')
    .where('monitor_id', '=', monitorId)
    .where('hour_ms', '<', hourMs - KEPT_HOURS_MS)
    .execute()
}

async function openIncident(
  tx: Records,
  deps: NoteDeps,
  row: Row,
  noted: NotedCheck,
  nowMs: number,
): Promise<number> {
  const { startedMs, dueMs, monitor, check } = noted
  const { id } = await tx
    .insertInto('incident')
    .values({
      project_id: row.project_id,
      rule_id: null as unknown as number,
      rule_name: row.name,
      issue_id: null,
      dedup_key: `uptime:${row.id}:${dueMs}`,
      cause: JSON.stringify({
        kind: 'uptime',
        monitorId: row.id,
        outcome: check.outcome,
        reason: check.reason,
        status: check.status,
      }),
      started_ms: startedMs,
      fired_ms: nowMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const owner = { orgId: row.org_id, projectId: row.project_id }
  const told = await placesOf(tx, {
    ...owner,
    kind: 'uptime',
    actions: monitor.actions,
    ownerId: undefined,
    hasMail: deps.mailer !== undefined,
    nowMs,
  })
  const message = messageOf(deps, row, noted, 'uptime', id)
  await queueNotifications(tx, told, { key: `incident:${id}`, message, incidentId: id, ...owner }, nowMs)
  return id
}

/** Who was told that it is down is told that it is up; nothing when a person ended it before. */
async function endIncident(
  tx: Records,
  deps: NoteDeps,
  row: Row,
  noted: NotedCheck,
  incidentId: number,
  nowMs: number,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('incident')
    .set({ resolved_ms: noted.startedMs, resolved_by: 'rule' })
    .where('id', '=', incidentId)
    .where('resolved_ms', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(numUpdatedRows) === 0) return
  const owner = { orgId: row.org_id, projectId: row.project_id }
  const message = messageOf(deps, row, noted, 'resolved', incidentId)
  const key = `incident:${incidentId}:resolved`
  const told = await channelsTold(tx, incidentId)
  await queueNotifications(tx, told, { key, message, incidentId, ...owner }, nowMs)
}

function messageOf(
  { publicUrl }: NoteDeps,
  { id, name, since_ms: sinceMs, org_slug: org, project_slug: project }: Row,
  { startedMs, monitor, check }: NotedCheck,
  kind: 'uptime' | 'resolved',
  incidentId: number,
): Message {
  const facts: (readonly [string, string])[] = [
    ['Address', monitor.url],
    ['Outcome', check.outcome.replaceAll('_', ' ')],
    ['Status', check.status === 0 ? '' : String(check.status)],
    ['Took', `${Math.round(check.timings.totalMs)} ms`],
    ['Environment', monitor.environment],
    ['Down for', kind === 'resolved' ? spanText(startedMs - sinceMs) : ''],
  ]
  return {
    kind,
    headline: kind === 'uptime' ? headlineOf(kind, `${org}/${project}`) : `Up again in ${org}/${project}`,
    title: kind === 'uptime' ? `${name} is down: ${check.reason}` : `${name} is up again`,
    place: '',
    level: kind === 'resolved' ? 'info' : 'error',
    facts: facts.filter(([, value]) => value !== ''),
    url: `${publicUrl}/${org}/${project}/uptime/${id}`,
    org,
    project,
    incidentId,
    atMs: startedMs,
  }
}

function spanText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 6) / 10} h`
}

const rowOf = (
  { project_id: projectId }: Row,
  { monitorId, startedMs, monitor, check }: NotedCheck,
): Omit<UptimeCheckFields, 'checkId'> => ({
  projectId,
  receivedMs: startedMs,
  monitorId,
  timestampMs: startedMs,
  environment: monitor.environment,
  outcome: check.outcome,
  isUp: check.outcome === 'up',
  status: check.status,
  reason: check.reason,
  address: check.address,
  ...check.timings,
  bytes: check.bytes,
  redirects: check.redirects,
  certificateUntilMs: check.certificateUntilMs ?? 0,
})
