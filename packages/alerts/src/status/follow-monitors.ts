/**
 * Incidents of monitors that a published page shows open and end on it by themselves, and maintenance begins and ends by its plan.
 * What stands there says nothing but the public name of the component. One node at a time: the caller has the lease.
 */
import type { Clock } from '@sonde/base'
import { type Records, writeTransaction } from '@sonde/stores'
import { sql } from 'kysely'
import { noteStatusUpdate } from './note-update.ts'
import { STATUS_LIMITS } from './status-words.ts'

type Deps = { readonly records: Records; readonly clock: Clock }

const AT_ONCE = 100

/** Returns how many pages' incidents changed. */
export async function followMonitors({ records, clock }: Deps): Promise<number> {
  const nowMs = clock.nowMs()
  return writeTransaction(records, async (tx) => {
    const opened = await newFailures(tx, nowMs)
    for (const failure of opened) await open(tx, failure, nowMs)
    const ended = await endedFailures(tx)
    for (const { id, name } of ended)
      await noteStatusUpdate(
        tx,
        { incidentId: id, state: 'resolved', body: `${name ?? 'It'} works again.`, createdBy: '' },
        { isPublished: true, atMs: nowMs },
      )
    return opened.length + ended.length + (await followPlans(tx, nowMs))
  })
}

/** As `Job.dueMs`: when there is anything for `followMonitors`. */
export async function nextStatusWorkMs({ records, clock }: Deps): Promise<number | undefined> {
  const nowMs = clock.nowMs()
  if ((await newFailures(records, nowMs, 1)).length > 0) return 0
  if ((await endedFailures(records, 1)).length > 0) return 0
  return nextPlanMs(records)
}

/** Of a component and an incident that its page does not tell yet. Under maintenance nothing is told: that was announced. */
async function newFailures(records: Records, nowMs: number, limit = AT_ONCE) {
  const { rows } = await sql<{
    readonly componentId: number
    readonly pageId: number
    readonly name: string
    readonly isCron: number
    readonly incidentId: number
    readonly startedMs: number
  }>`
    SELECT component.id AS "componentId", page.id AS "pageId", component.name,
      CASE WHEN component.cron_monitor_id IS NULL THEN 0 ELSE 1 END AS "isCron",
      incident.id AS "incidentId", incident.started_ms AS "startedMs"
    FROM status_page AS page
    JOIN status_component AS component ON component.page_id = page.id
    JOIN incident ON incident.resolved_ms IS NULL AND incident.id IN (
      SELECT uptime_state.incident_id FROM uptime_state
        WHERE uptime_state.monitor_id = component.uptime_monitor_id AND uptime_state.state = 'down'
          AND uptime_state.due_ms IS NOT NULL
      UNION ALL
      SELECT cron_environment.incident_id FROM cron_environment
        JOIN cron_monitor ON cron_monitor.id = cron_environment.monitor_id
        WHERE cron_environment.monitor_id = component.cron_monitor_id AND cron_environment.failing_ms IS NOT NULL
          AND cron_monitor.is_muted = 0 AND cron_monitor.is_enabled = 1
          AND (component.environment = '' OR component.environment = cron_environment.environment))
    WHERE page.is_published = 1
      AND page.org_id NOT IN (SELECT org_id FROM hidden_organization)
      AND incident.project_id NOT IN (SELECT project_id FROM hidden_project)
      AND NOT EXISTS (SELECT 1 FROM status_incident AS told
        WHERE told.page_id = page.id AND told.source_incident_id = incident.id)
      AND NOT EXISTS (SELECT 1 FROM status_incident AS plan
        JOIN status_affected ON status_affected.incident_id = plan.id
        WHERE plan.page_id = page.id AND plan.kind = 'maintenance' AND plan.state = 'in_progress'
          AND status_affected.component_id = component.id)
      AND (SELECT count(*) FROM status_incident AS open_one
        WHERE open_one.page_id = page.id AND open_one.ended_ms IS NULL) < ${sql.lit(STATUS_LIMITS.openIncidents)}
      AND incident.started_ms <= ${nowMs}
    ORDER BY incident.id, component.id
    LIMIT ${sql.lit(limit)}`.execute(records)
  // A monitor is one component of a page, but one that was chosen in two environments may have one incident.
  return [...new Map(rows.map((row) => [`${row.pageId} ${row.incidentId}`, row])).values()]
}

type Failure = Awaited<ReturnType<typeof newFailures>>[number]

async function open(tx: Records, failure: Failure, nowMs: number): Promise<void> {
  const { name, pageId, componentId } = failure
  const { id } = await tx
    .insertInto('status_incident')
    .values({
      page_id: pageId,
      kind: 'incident',
      title: failure.isCron === 1 ? `${name} did not run as expected` : `${name} is down`,
      impact: failure.isCron === 1 ? 'major' : 'critical',
      state: 'investigating',
      started_ms: failure.startedMs,
      planned_end_ms: null,
      ended_ms: null,
      source_incident_id: failure.incidentId,
      is_hidden: 0,
      created_ms: nowMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx.insertInto('status_affected').values({ incident_id: id, component_id: componentId }).execute()
  const body =
    failure.isCron === 1
      ? `Our monitoring noticed that ${name} did not run as expected.`
      : `Our monitoring cannot reach ${name}.`
  await noteStatusUpdate(
    tx,
    { incidentId: id, state: 'investigating', body, createdBy: '' },
    { isPublished: true, atMs: nowMs },
  )
}

/** Whose monitor's incident is over, or gone with its monitor. One that a person ended while it still fails goes on. */
async function endedFailures(records: Records, limit = AT_ONCE) {
  const { rows } = await sql<{ readonly id: number; readonly name: string | null }>`
    SELECT told.id, min(component.name) AS name
    FROM status_incident AS told
    JOIN status_page AS page ON page.id = told.page_id AND page.is_published = 1
    LEFT JOIN status_affected ON status_affected.incident_id = told.id
    LEFT JOIN status_component AS component ON component.id = status_affected.component_id
    WHERE told.ended_ms IS NULL AND told.source_incident_id IS NOT NULL
      AND page.org_id NOT IN (SELECT org_id FROM hidden_organization)
      AND NOT EXISTS (SELECT 1 FROM incident
        WHERE incident.id = told.source_incident_id AND incident.resolved_ms IS NULL)
      AND NOT EXISTS (SELECT 1 FROM uptime_state
        WHERE uptime_state.incident_id = told.source_incident_id AND uptime_state.state = 'down'
          AND uptime_state.due_ms IS NOT NULL)
      AND NOT EXISTS (SELECT 1 FROM cron_environment
        WHERE cron_environment.incident_id = told.source_incident_id AND cron_environment.failing_ms IS NOT NULL)
    GROUP BY told.id ORDER BY told.id LIMIT ${sql.lit(limit)}`.execute(records)
  return rows
}

const duePlans = (records: Records, nowMs: number, limit = AT_ONCE) =>
  records
    .selectFrom('status_incident')
    .innerJoin('status_page', 'status_page.id', 'status_incident.page_id')
    .select(['status_incident.id', 'status_incident.state', 'status_page.is_published'])
    .where('status_incident.kind', '=', 'maintenance')
    .where('status_incident.ended_ms', 'is', null)
    .where((eb) =>
      eb.or([
        eb.and([
          eb('status_incident.state', '=', 'scheduled'),
          eb('status_incident.started_ms', '<=', nowMs),
        ]),
        eb.and([
          eb('status_incident.state', '=', 'in_progress'),
          eb('status_incident.planned_end_ms', '<=', nowMs),
        ]),
      ]),
    )
    .orderBy('status_incident.id')
    .limit(limit)
    .execute()

/** When one begins or ends. */
async function nextPlanMs(records: Records): Promise<number | undefined> {
  const row = await records
    .selectFrom('status_incident')
    .innerJoin('status_page', 'status_page.id', 'status_incident.page_id')
    .select((eb) =>
      eb.fn
        .min(
          eb
            .case()
            .when('status_incident.state', '=', 'scheduled')
            .then(eb.ref('status_incident.started_ms'))
            .else(eb.ref('status_incident.planned_end_ms'))
            .end(),
        )
        .as('at'),
    )
    .where('status_incident.kind', '=', 'maintenance')
    .where('status_incident.ended_ms', 'is', null)
    .where('status_incident.state', 'in', ['scheduled', 'in_progress'])
    .executeTakeFirst()
  return row?.at ?? undefined
}

async function followPlans(tx: Records, nowMs: number): Promise<number> {
  const due = await duePlans(tx, nowMs)
  for (const { id, state, is_published } of due) {
    const begins = state === 'scheduled'
    await noteStatusUpdate(
      tx,
      {
        incidentId: id,
        state: begins ? 'in_progress' : 'done',
        body: begins ? 'The maintenance has begun.' : 'The maintenance is completed.',
        createdBy: '',
      },
      { isPublished: is_published === 1, atMs: nowMs },
    )
  }
  return due.length
}
