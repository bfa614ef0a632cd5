/** What people do about an incident: acknowledge it, resolve it, write a note, have a notification sent again. */
import { actorOf, type Grant } from '@sonde/access'
import { endIncident, noteAcknowledged } from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import { type AuditAction, type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { neededTextField, readInput } from '../fields.ts'

type AlertGrant = Grant<'alert:write', 'project'>

const MAX_NOTE_CHARS = 4_000
const ID = { incidentId: z.int().positive() }
const NAMED = z.object(ID)
type Named = z.output<typeof NAMED>

/** Somebody looks after it, and pagers that were told of it are told so. Of one that was acknowledged or resolved: nothing. Throws `SondeError` (`not-found`). */
export async function acknowledgeIncident(deps: CommandDeps, grant: AlertGrant, input: Named): Promise<void> {
  const operation = 'acknowledge an incident'
  const { incidentId } = readInput(operation, NAMED, input)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    await requireIncident(tx, grant, operation, incidentId)
    if (await noteAcknowledged(tx, incidentId, atMs, { by: actorOf(grant.viewer) }))
      await audit(tx, grant, 'incident.acknowledge', { incidentId }, atMs)
  })
}

/**
 * It is over, and the channels that were told of it are told so. What it is about may go on: then the rule opens another one at
 * its next window or change. Of one that is resolved: nothing. Throws `SondeError` (`not-found`).
 */
export async function resolveIncident(deps: CommandDeps, grant: AlertGrant, input: Named): Promise<void> {
  const operation = 'resolve an incident'
  const { incidentId } = readInput(operation, NAMED, input)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { resolved_ms: resolvedMs } = await requireIncident(tx, grant, operation, incidentId)
    if (resolvedMs !== null) return
    const told = { publicUrl: deps.access.publicUrl, mailer: undefined }
    await endIncident(tx, told, incidentId, atMs, { by: actorOf(grant.viewer) })
    await audit(tx, grant, 'incident.resolve', { incidentId }, atMs)
  })
}

const NOTE = z.object({
  ...ID,
  text: neededTextField(MAX_NOTE_CHARS),
})

/** Throws `InvalidInput`, `SondeError` (`not-found`). */
export async function noteIncident(
  deps: CommandDeps,
  grant: AlertGrant,
  input: z.input<typeof NOTE>,
): Promise<{ readonly id: number }> {
  const operation = 'write a note'
  const { incidentId, text } = readInput(operation, NOTE, input)
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    await requireIncident(tx, grant, operation, incidentId)
    const { id } = await tx
      .insertInto('incident_note')
      .values({ incident_id: incidentId, actor: actorOf(grant.viewer), body: text, at_ms: atMs })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(tx, grant, 'incident.note', { incidentId, noteId: id }, atMs)
    return { id }
  })
}

const RETRY = z.object({ ...ID, notificationId: z.int().positive() })

/**
 * A notification that failed is due again, with all its attempts; one in another state stays as it is. Throws `SondeError`
 * (`not-found`).
 */
export async function retryIncidentNotification(
  deps: CommandDeps,
  grant: AlertGrant,
  input: z.input<typeof RETRY>,
): Promise<void> {
  const operation = 'send a notification again'
  const { incidentId, notificationId } = readInput(operation, RETRY, input)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    await requireIncident(tx, grant, operation, incidentId)
    const row = await tx
      .selectFrom('notification')
      .select('state')
      .where('id', '=', notificationId)
      .where('incident_id', '=', incidentId)
      .executeTakeFirst()
    if (!row) throw notFound(operation, `this incident has no notification ${notificationId}`, notificationId)
    if (row.state !== 'failed') return
    await tx
      .updateTable('notification')
      .set({ state: 'waiting', attempts: 0, next_attempt_ms: atMs, done_ms: null })
      .where('id', '=', notificationId)
      .execute()
    await audit(tx, grant, 'notification.retry', { incidentId, notificationId }, atMs)
  })
}

async function requireIncident(
  tx: Records,
  grant: AlertGrant,
  operation: string,
  incidentId: number,
): Promise<{ readonly resolved_ms: number | null }> {
  const row = await tx
    .selectFrom('incident')
    .select('resolved_ms')
    .where('id', '=', incidentId)
    .where('project_id', '=', grant.projectId)
    .executeTakeFirst()
  if (row) return row
  throw notFound(operation, `this project has no incident ${incidentId}`, incidentId)
}

const notFound = (operation: string, message: string, id: number): SondeError =>
  new SondeError('not-found', message, { operation, subject: String(id) })

const audit = (
  tx: Records,
  grant: AlertGrant,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> =>
  writeAudit(tx, { orgId: grant.orgId, viewer: grant.viewer, action, subject: nameOf(grant), detail, atMs })
