/** Makes, changes, pauses and deletes uptime monitors of a project. */
import { actorOf, type Grant } from '@sonde/access'
import {
  openSecretHeaders,
  UPTIME_LIMITS,
  UPTIME_MONITOR,
  type UptimeMonitor,
  type UptimeMonitorInput,
  unknownPlaces,
} from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import { type AuditAction, type Records, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import { nameOf, writeAudit } from '../audit.ts'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, nameField, readInput } from '../fields.ts'

type WriteGrant = Grant<'alert:write', 'project'>
type SecretHeaders = Readonly<Record<string, string>>

export type UptimeInput = { readonly name: string; readonly monitor: UptimeMonitorInput }

const NAME = z.object({ name: nameField })

/** Its first check is due at once. Throws `InvalidInput`. */
export async function createMonitor(
  deps: CommandDeps,
  grant: WriteGrant,
  input: UptimeInput,
): Promise<{ readonly id: number }> {
  const operation = 'create an uptime monitor'
  const { name } = readInput(operation, NAME, input)
  const { monitor, secrets } = readMonitor(operation, input.monitor)
  const secret = await sealed(deps, secrets)
  const atMs = deps.clock.nowMs()
  const { id } = await writeTransaction(deps.records, async (tx) => {
    await checkPlaces(tx, grant, operation, monitor)
    const { count } = await tx
      .selectFrom('uptime_monitor')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('project_id', '=', grant.projectId)
      .executeTakeFirstOrThrow()
    if (count >= UPTIME_LIMITS.monitors)
      throw new InvalidInput(operation, {
        name: [`a project has at most ${UPTIME_LIMITS.monitors} monitors: delete one`],
      })
    const made = await tx
      .insertInto('uptime_monitor')
      .values({
        project_id: grant.projectId,
        ...columnsOf(name, monitor),
        secret,
        created_by: actorOf(grant.viewer),
        created_ms: atMs,
        updated_ms: atMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('uptime_state')
      .values({ monitor_id: made.id, due_ms: atMs, ...FRESH, since_ms: atMs })
      .execute()
    await audit(tx, grant, 'uptime.create', { monitorId: made.id, name }, atMs)
    return made
  })
  return { id }
}

const FRESH = {
  state: 'new',
  recent: '',
  checked_ms: null,
  outcome: '',
  reason: '',
  status: 0,
  total_ms: 0,
  certificate_ms: null,
  incident_id: null,
} as const

const columnsOf = (name: string, monitor: UptimeMonitor) => ({
  name,
  environment: monitor.environment,
  interval_sec: monitor.intervalSec,
  value: JSON.stringify(monitor),
})

/**
 * What counts begins anew; a monitor that is down stays down until it was up. Throws `InvalidInput`, `SondeError`
 * (`not-found`).
 */
export async function updateMonitor(
  deps: CommandDeps,
  grant: WriteGrant,
  monitorId: number,
  input: UptimeInput,
): Promise<void> {
  const operation = 'change an uptime monitor'
  const { name } = readInput(operation, NAME, input)
  const read = await readChanged(deps, grant, operation, monitorId, input.monitor)
  const secret = await sealed(deps, read.secrets)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    await monitorOf(tx, grant, operation, monitorId)
    await checkPlaces(tx, grant, operation, read.monitor)
    await tx
      .updateTable('uptime_monitor')
      .set({ ...columnsOf(name, read.monitor), secret, updated_ms: atMs })
      .where('id', '=', monitorId)
      .execute()
    await tx.updateTable('uptime_state').set({ recent: '' }).where('monitor_id', '=', monitorId).execute()
    // A check that runs just now is of the monitor as it was: another time makes it one that is not noted.
    await tx
      .updateTable('uptime_state')
      .set({ due_ms: atMs })
      .where('monitor_id', '=', monitorId)
      .where('due_ms', 'is not', null)
      .execute()
    await audit(tx, grant, 'uptime.update', { monitorId, name }, atMs)
  })
}

/** Paused: nothing is checked, and an open incident ends without a word. Idempotent. Throws `SondeError` (`not-found`). */
export async function pauseMonitor(
  deps: CommandDeps,
  grant: WriteGrant,
  monitorId: number,
  isPaused: boolean,
): Promise<void> {
  const operation = isPaused ? 'pause an uptime monitor' : 'resume an uptime monitor'
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const { name } = await monitorOf(tx, grant, operation, monitorId)
    const { numUpdatedRows } = await tx
      .updateTable('uptime_state')
      .set({ due_ms: isPaused ? null : atMs, state: 'new', since_ms: atMs, recent: '' })
      .where('monitor_id', '=', monitorId)
      .where('due_ms', isPaused ? 'is not' : 'is', null)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 0) return
    if (isPaused) await endIncidents(tx, grant, monitorId, atMs)
    await audit(tx, grant, isPaused ? 'uptime.pause' : 'uptime.resume', { monitorId, name }, atMs)
  })
}

/** Its incidents stay. Throws `SondeError` (`not-found`). */
export async function deleteMonitor(
  deps: CommandDeps,
  grant: WriteGrant,
  monitorId: number,
): Promise<{ readonly name: string }> {
  const operation = 'delete an uptime monitor'
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const { name } = await monitorOf(tx, grant, operation, monitorId)
    await endIncidents(tx, grant, monitorId, atMs)
    await tx.deleteFrom('uptime_monitor').where('id', '=', monitorId).execute()
    await audit(tx, grant, 'uptime.delete', { monitorId, name }, atMs)
    return { name }
  })
}

async function endIncidents(tx: Records, grant: WriteGrant, monitorId: number, atMs: number): Promise<void> {
  const state = await tx
    .selectFrom('uptime_state')
    .select('incident_id')
    .where('monitor_id', '=', monitorId)
    .executeTakeFirst()
  if (!state || state.incident_id === null) return
  await tx
    .updateTable('incident')
    .set({ resolved_ms: atMs, resolved_by: actorOf(grant.viewer) })
    .where('id', '=', state.incident_id)
    .where('resolved_ms', 'is', null)
    .execute()
}

export async function monitorOf(tx: Records, grant: WriteGrant, operation: string, monitorId: number) {
  const row = await tx
    .selectFrom('uptime_monitor')
    .select(['id', 'name', 'value', 'secret'])
    .where('id', '=', monitorId)
    .where('project_id', '=', grant.projectId)
    .executeTakeFirst()
  if (row) return row
  throw new SondeError('not-found', `this project has no uptime monitor ${monitorId}`, {
    operation,
    subject: String(monitorId),
  })
}

export type ReadMonitor = { readonly monitor: UptimeMonitor; readonly secrets: SecretHeaders }

/** A secret header without a value keeps the one that is stored, as long as it goes to where it went before. */
export async function readChanged(
  deps: CommandDeps,
  grant: WriteGrant,
  operation: string,
  monitorId: number,
  input: UptimeMonitorInput,
): Promise<ReadMonitor> {
  const row = await monitorOf(deps.records, grant, operation, monitorId)
  const stored = await openSecretHeaders(deps.access.seal, row.secret)
  const before = UPTIME_MONITOR.safeParse(JSON.parse(row.value))
  const read = readMonitor(operation, input, stored)
  const isElsewhere = !before.success || new URL(before.data.url).origin !== new URL(read.monitor.url).origin
  if (isElsewhere && read.kept.length > 0)
    throw new InvalidInput(operation, {
      headers: [`the address is another one: enter ${read.kept.join(', ')} again`],
    })
  return read
}

/** `stored`: values that a header without one keeps. */
export function readMonitor(
  operation: string,
  given: UptimeMonitorInput,
  stored: SecretHeaders = {},
): ReadMonitor & { readonly kept: readonly string[] } {
  const read = readInput(operation, UPTIME_MONITOR, given)
  const secrets: Record<string, string> = {}
  const kept: string[] = []
  for (const { name, value, isSecret } of read.headers) {
    if (!isSecret) continue
    const key = name.toLowerCase()
    const known = stored[key]
    if (value === '' && known === undefined)
      throw new InvalidInput(operation, { headers: [`${name} needs a value`] })
    if (value === '') kept.push(name)
    secrets[key] = value === '' ? (known ?? '') : value
  }
  const headers = read.headers.map((header) => (header.isSecret ? { ...header, value: '' } : header))
  return { monitor: { ...read, headers }, secrets, kept }
}

const sealed = async ({ access }: CommandDeps, secrets: SecretHeaders): Promise<string> =>
  Object.keys(secrets).length === 0 ? '' : access.seal.seal(JSON.stringify(secrets))

async function checkPlaces(
  tx: Records,
  { orgId }: WriteGrant,
  operation: string,
  { actions }: UptimeMonitor,
): Promise<void> {
  const unknown = await unknownPlaces(tx, orgId, actions)
  if (unknown.length > 0) throw new InvalidInput(operation, { actions: unknown })
}

const audit = (
  tx: Records,
  grant: WriteGrant,
  action: AuditAction,
  detail: Readonly<Record<string, unknown>>,
  atMs: number,
): Promise<void> =>
  writeAudit(tx, { orgId: grant.orgId, viewer: grant.viewer, action, subject: nameOf(grant), detail, atMs })
