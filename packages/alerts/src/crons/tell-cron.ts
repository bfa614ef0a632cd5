/** The incident of a monitor's environment: opened when its threshold is passed, ended when it recovered, and told both times. */
import type { CronStateWord, Records } from '@sonde/stores'
import { headlineOf, type Message } from '../messages/message.ts'
import { placesOf } from '../outbox/places.ts'
import { channelsTold, queueNotifications } from '../outbox/queue.ts'
import type { Action } from '../rules/rule.ts'
import type { EnvironmentRow, RunEnd } from './read-environment.ts'

export type TellCronDeps = {
  readonly publicUrl: string
  /** Undefined: mail is not set up, so none is queued. */
  readonly mailer: unknown
}

const WHAT: Readonly<Record<Exclude<CronStateWord, 'new'>, string>> = {
  ok: 'is as it should be',
  error: 'failed',
  missed: 'missed its check-in',
  timeout: 'timed out',
}

/** A muted monitor has its incident and tells nobody. */
export async function openCronIncident(
  tx: Records,
  deps: TellCronDeps,
  row: EnvironmentRow,
  { runId, status, atMs }: RunEnd,
  nowMs: number,
): Promise<number> {
  const { id } = await tx
    .insertInto('incident')
    .values({
      project_id: row.project_id,
      rule_id: null as unknown as number,
      rule_name: row.name,
      issue_id: null,
      dedup_key: `cron:${row.monitor_id}:${row.id}:${runId}`,
      cause: JSON.stringify({
        kind: 'cron',
        monitor: row.slug,
        environment: row.environment,
        outcome: status,
        reason: `${row.environment} ${WHAT[status]}`,
      }),
      started_ms: atMs,
      fired_ms: nowMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (row.is_muted === 1) return id
  const owner = { orgId: row.org_id, projectId: row.project_id }
  const told = await placesOf(tx, {
    ...owner,
    kind: 'cron',
    actions: JSON.parse(row.actions) as readonly Action[],
    ownerId: undefined,
    hasMail: deps.mailer !== undefined,
    nowMs,
  })
  const message = messageOf(deps, row, 'cron', id, `${row.name} ${WHAT[status]}`, atMs)
  await queueNotifications(tx, told, { key: `incident:${id}`, message, incidentId: id, ...owner }, nowMs)
  return id
}

/** Who was told that it fails is told that it recovered; nothing when a person ended it before. */
export async function endCronIncident(
  tx: Records,
  deps: TellCronDeps,
  row: EnvironmentRow,
  incidentId: number,
  atMs: number,
  nowMs: number,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('incident')
    .set({ resolved_ms: atMs, resolved_by: 'rule' })
    .where('id', '=', incidentId)
    .where('resolved_ms', 'is', null)
    .executeTakeFirstOrThrow()
  if (Number(numUpdatedRows) === 0 || row.is_muted === 1) return
  const owner = { orgId: row.org_id, projectId: row.project_id }
  const message = messageOf(deps, row, 'resolved', incidentId, `${row.name} recovered`, atMs)
  const key = `incident:${incidentId}:resolved`
  const told = await channelsTold(tx, incidentId)
  await queueNotifications(tx, told, { key, message, incidentId, ...owner }, nowMs)
}

function messageOf(
  { publicUrl }: TellCronDeps,
  { slug, environment, failing_ms: sinceMs, failures, org_slug: org, project_slug: project }: EnvironmentRow,
  kind: 'cron' | 'resolved',
  incidentId: number,
  title: string,
  atMs: number,
): Message {
  return {
    kind,
    headline: kind === 'cron' ? headlineOf(kind, `${org}/${project}`) : `Recovered in ${org}/${project}`,
    title,
    place: '',
    level: kind === 'resolved' ? 'info' : 'error',
    facts: [
      ['Monitor', slug],
      ['Environment', environment],
      ...(kind === 'cron' ? ([['Failed in a row', String(failures)]] as const) : []),
      ...(kind === 'resolved' && sinceMs !== null
        ? ([['Failing for', `${Math.max(1, Math.round((atMs - sinceMs) / 60_000))} min`]] as const)
        : []),
    ],
    url: `${publicUrl}/${org}/${project}/alerts/incidents/${incidentId}`,
    org,
    project,
    incidentId,
    atMs,
  }
}
