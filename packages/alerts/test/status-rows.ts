/** Rows of a status page with a monitor behind it, as tests need them. */
import type { Records } from '@sonde/stores'
import { noteStatusUpdate } from '../src/status/note-update.ts'

export async function insertStatusPage(records: Records, orgId: number, slug: string): Promise<number> {
  const { id } = await records
    .insertInto('status_page')
    .values({
      org_id: orgId,
      slug,
      title: `Status of ${slug}`,
      description: '',
      is_published: 1,
      created_by: '',
      created_ms: 1,
      updated_ms: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Confirmed since ever. */
export async function insertSubscribers(
  records: Records,
  pageId: number,
  addresses: readonly string[],
): Promise<void> {
  for (let at = 0; at < addresses.length; at += 500)
    await records
      .insertInto('status_subscriber')
      .values(
        addresses.slice(at, at + 500).map((address) => ({
          page_id: pageId,
          address,
          confirm_hash: null,
          asked_ms: 1,
          expires_ms: null,
          confirmed_ms: 1,
        })),
      )
      .execute()
}

/** An incident that a person posted, with one update that is to be told. */
export async function insertStatusIncident(
  records: Records,
  pageId: number,
  title: string,
  atMs: number,
): Promise<number> {
  const { id } = await records
    .insertInto('status_incident')
    .values({
      page_id: pageId,
      kind: 'incident',
      title,
      impact: 'minor',
      state: 'investigating',
      started_ms: atMs,
      planned_end_ms: null,
      ended_ms: null,
      source_incident_id: null,
      is_hidden: 0,
      created_ms: atMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const update = {
    incidentId: id,
    state: 'investigating',
    body: 'We look at it.',
    createdBy: 'user:7',
  } as const
  await noteStatusUpdate(records, update, { isPublished: true, atMs })
  return id
}

/** That is up. Its name and address are for nobody outside. */
export async function insertUptimeMonitor(records: Records, projectId: number): Promise<number> {
  const { id } = await records
    .insertInto('uptime_monitor')
    .values({
      project_id: projectId,
      name: 'internal-payments-7',
      environment: 'production',
      interval_sec: 60,
      value: JSON.stringify({ url: 'http://10.1.2.3/health' }),
      secret: '',
      created_by: '',
      created_ms: 1,
      updated_ms: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await records
    .insertInto('uptime_state')
    .values({
      monitor_id: id,
      due_ms: 1,
      state: 'up',
      since_ms: 1,
      recent: '1',
      checked_ms: 1,
      outcome: 'up',
      reason: '',
      status: 200,
      total_ms: 1,
      certificate_ms: null,
      incident_id: null,
    })
    .execute()
  return id
}

export async function insertStatusComponent(
  records: Records,
  pageId: number,
  monitor: { readonly uptime?: number; readonly cron?: number; readonly environment?: string },
  name: string,
): Promise<number> {
  const { id } = await records
    .insertInto('status_component')
    .values({
      page_id: pageId,
      uptime_monitor_id: monitor.uptime ?? null,
      cron_monitor_id: monitor.cron ?? null,
      environment: monitor.environment ?? '',
      name,
      group_name: '',
      position: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
