/** Posts incidents and planned maintenance on the status page, and updates of them; each update is told to subscribers. */
import { actorOf } from '@sonde/access'
import { IMPACTS, INCIDENT_STATES, isOver, noteStatusUpdate, STATES_OF, STATUS_LIMITS } from '@sonde/alerts'
import { SondeError } from '@sonde/base'
import { type Records, type StatusIncidentState, writeTransaction } from '@sonde/stores'
import { z } from 'zod'
import type { CommandDeps } from '../command-deps.ts'
import { InvalidInput, neededTextField, readInput } from '../fields.ts'
import { auditStatus, pageOf, type StatusGrant } from './change-page.ts'

const title = neededTextField(STATUS_LIMITS.titleChars)
const body = neededTextField(STATUS_LIMITS.bodyChars)
const components = z.array(z.int().positive()).max(STATUS_LIMITS.components).default([])
const FAR_MS = 366 * 86_400_000

const INCIDENT = z.object({
  title,
  body,
  state: z.enum(INCIDENT_STATES).default('investigating'),
  impact: z.enum(IMPACTS).default('minor'),
  components,
})
export type StatusIncidentInput = z.input<typeof INCIDENT>

const MAINTENANCE = z.object({
  title,
  body,
  /** Unix milliseconds. */
  startMs: z.int('is needed'),
  endMs: z.int('is needed'),
  components,
})
export type StatusMaintenanceInput = z.input<typeof MAINTENANCE>

const UPDATE = z.object({ state: z.string(), body })

/** Throws `InvalidInput`, `SondeError` (`not-found`). */
export async function postStatusIncident(
  deps: CommandDeps,
  grant: StatusGrant,
  input: StatusIncidentInput,
): Promise<{ readonly id: number }> {
  const read = readInput('post an incident', INCIDENT, input)
  return post(deps, grant, {
    ...read,
    kind: 'incident',
    startedMs: deps.clock.nowMs(),
    plannedEndMs: null,
  })
}

/** It begins and ends by itself at its times. Throws `InvalidInput`, `SondeError` (`not-found`). */
export async function scheduleMaintenance(
  deps: CommandDeps,
  grant: StatusGrant,
  input: StatusMaintenanceInput,
): Promise<{ readonly id: number }> {
  const operation = 'schedule maintenance'
  const { startMs, endMs, ...read } = readInput(operation, MAINTENANCE, input)
  const nowMs = deps.clock.nowMs()
  if (endMs <= startMs || endMs <= nowMs)
    throw new InvalidInput(operation, { endMs: ['is after the start, and not over yet'] })
  if (startMs < nowMs - FAR_MS || endMs > nowMs + FAR_MS)
    throw new InvalidInput(operation, { startMs: ['is within a year'] })
  return post(deps, grant, {
    ...read,
    kind: 'maintenance',
    impact: 'minor',
    state: 'scheduled',
    startedMs: startMs,
    plannedEndMs: endMs,
  })
}

type Posted = {
  readonly kind: 'incident' | 'maintenance'
  readonly title: string
  readonly body: string
  readonly state: StatusIncidentState
  readonly impact: (typeof IMPACTS)[number]
  readonly components: readonly number[]
  readonly startedMs: number
  readonly plannedEndMs: number | null
}

function post(deps: CommandDeps, grant: StatusGrant, posted: Posted): Promise<{ readonly id: number }> {
  const operation = `post ${posted.kind}`
  const atMs = deps.clock.nowMs()
  return writeTransaction(deps.records, async (tx) => {
    const page = await pageOf(tx, grant, operation)
    const { open } = await tx
      .selectFrom('status_incident')
      .select((eb) => eb.fn.countAll<number>().as('open'))
      .where('page_id', '=', page.id)
      .where('ended_ms', 'is', null)
      .executeTakeFirstOrThrow()
    if (open >= STATUS_LIMITS.openIncidents)
      throw new InvalidInput(operation, {
        title: [`a page has at most ${STATUS_LIMITS.openIncidents} that are not over: resolve one`],
      })
    const affected = await affectedOf(tx, page.id, posted.components)
    if (affected.length !== new Set(posted.components).size)
      throw new InvalidInput(operation, { components: ['are not all on the page'] })
    const { id } = await tx
      .insertInto('status_incident')
      .values({
        page_id: page.id,
        kind: posted.kind,
        title: posted.title,
        impact: posted.impact,
        state: posted.state,
        started_ms: posted.startedMs,
        planned_end_ms: posted.plannedEndMs,
        ended_ms: null,
        source_incident_id: null,
        is_hidden: 0,
        created_ms: atMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (affected.length > 0)
      await tx
        .insertInto('status_affected')
        .values(affected.map((componentId) => ({ incident_id: id, component_id: componentId })))
        .execute()
    const { state, body: text } = posted
    const update = { incidentId: id, state, body: text, createdBy: actorOf(grant.viewer) }
    await noteStatusUpdate(tx, update, { isPublished: page.is_published === 1, atMs })
    const detail = { incidentId: id, kind: posted.kind, title: posted.title, state }
    await auditStatus(tx, grant, 'status.incident', detail, atMs)
    return { id }
  })
}

async function affectedOf(tx: Records, pageId: number, ids: readonly number[]): Promise<readonly number[]> {
  if (ids.length === 0) return []
  const rows = await tx
    .selectFrom('status_component')
    .select('id')
    .where('page_id', '=', pageId)
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id }) => id)
}

/** Of one that is not over, also of one that a monitor opened. Throws `InvalidInput`, `SondeError` (`not-found`, `conflict`). */
export async function updateStatusIncident(
  deps: CommandDeps,
  grant: StatusGrant,
  incidentId: number,
  input: z.input<typeof UPDATE>,
): Promise<void> {
  const operation = 'post an update'
  const read = readInput(operation, UPDATE, input)
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const page = await pageOf(tx, grant, operation)
    const incident = await incidentOf(tx, page.id, operation, incidentId)
    const state = STATES_OF[incident.kind].find((known) => known === read.state)
    if (state === undefined) throw new InvalidInput(operation, { state: ['is none of its states'] })
    if (isOver(incident.state))
      throw new SondeError('conflict', 'it is over', { operation, subject: String(incidentId) })
    await noteStatusUpdate(
      tx,
      { incidentId, state, body: read.body, createdBy: actorOf(grant.viewer) },
      { isPublished: page.is_published === 1, atMs },
    )
    const detail = { incidentId, title: incident.title, state }
    await auditStatus(tx, grant, 'status.incident-update', detail, atMs)
  })
}

/** With its updates; mail that waits is not sent. What a monitor opened does not come back. Throws `SondeError` (`not-found`). */
export async function deleteStatusIncident(
  deps: CommandDeps,
  grant: StatusGrant,
  incidentId: number,
): Promise<void> {
  const operation = 'remove an incident'
  const atMs = deps.clock.nowMs()
  await writeTransaction(deps.records, async (tx) => {
    const page = await pageOf(tx, grant, operation)
    const incident = await incidentOf(tx, page.id, operation, incidentId)
    if (incident.source_incident_id === null)
      await tx.deleteFrom('status_incident').where('id', '=', incidentId).execute()
    else {
      const ended = { is_hidden: 1, state: 'resolved', ended_ms: incident.ended_ms ?? atMs } as const
      await tx.updateTable('status_incident').set(ended).where('id', '=', incidentId).execute()
      await tx.deleteFrom('status_update').where('incident_id', '=', incidentId).execute()
    }
    const detail = { incidentId, title: incident.title }
    await auditStatus(tx, grant, 'status.incident-delete', detail, atMs)
  })
}

async function incidentOf(tx: Records, pageId: number, operation: string, incidentId: number) {
  const row = await tx
    .selectFrom('status_incident')
    .select(['id', 'kind', 'state', 'title', 'source_incident_id', 'ended_ms'])
    .where('id', '=', incidentId)
    .where('page_id', '=', pageId)
    .where('is_hidden', '=', 0)
    .executeTakeFirst()
  if (row) return row
  throw new SondeError('not-found', `the status page has no incident ${incidentId}`, {
    operation,
    subject: String(incidentId),
  })
}
