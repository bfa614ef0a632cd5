/** A status page with everything that it can show, as records: what would take months to happen. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

const HOUR_MS = 3_600_000
const DAYS = 70

/** Of `acme`, for its first uptime and its first cron monitor, published. `words`: what things are called. */
export function fillStatusPage(dataDir: string, words: string, slug = 'acme'): void {
  const records = new DatabaseSync(join(dataDir, 'records.sqlite'), { timeout: 10_000 })
  const nowMs = Date.now()
  const insert = (table: string, row: Readonly<Record<string, string | number | null>>): number => {
    const names = Object.keys(row)
    const marks = names.map((name) => `:${name}`).join(', ')
    const { lastInsertRowid } = records
      .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`)
      .run(row)
    return Number(lastInsertRowid)
  }
  const one = (query: string): number => Number(Object.values(records.prepare(query).get() ?? {})[0] ?? 0)
  const pageId = insert('status_page', {
    org_id: one("SELECT id FROM organization WHERE slug = 'acme'"),
    slug,
    title: words,
    description: `All about ${words}`,
    is_published: 1,
    created_by: '',
    created_ms: nowMs,
    updated_ms: nowMs,
  })
  const uptimeId = one('SELECT min(id) FROM uptime_monitor')
  const cronId = one('SELECT min(id) FROM cron_monitor')
  const component = (position: number, uptime: number | null, cron: number | null, group: string): number =>
    insert('status_component', {
      page_id: pageId,
      uptime_monitor_id: uptime,
      cron_monitor_id: cron,
      environment: '',
      name: `${words} ${position}`,
      group_name: group,
      position,
    })
  const shown = component(0, uptimeId, null, '')
  if (cronId > 0) component(1, null, cronId, words)
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  // The last two days are those of the monitor's own rows.
  for (let day = 3; day < DAYS; day++)
    insert('uptime_hour', {
      monitor_id: uptimeId,
      hour_ms: hourMs - day * 24 * HOUR_MS,
      checks: 288,
      failed: day % 23 === 0 ? 40 : day % 9 === 0 ? 2 : 0,
      up_ms: 1,
    })
  const incident = (
    more: Readonly<Record<string, string | number | null>>,
    states: readonly string[],
  ): void => {
    const id = insert('status_incident', {
      page_id: pageId,
      kind: 'incident',
      title: words,
      impact: 'major',
      state: states.at(-1) ?? '',
      started_ms: nowMs - HOUR_MS,
      planned_end_ms: null,
      ended_ms: null,
      source_incident_id: null,
      is_hidden: 0,
      created_ms: nowMs,
      ...more,
    })
    insert('status_affected', { incident_id: id, component_id: shown })
    for (const [index, state] of states.entries())
      insert('status_update', {
        incident_id: id,
        state,
        body: `${words}\nWe look at it.`,
        created_by: '',
        at_ms: nowMs - HOUR_MS + index * 60_000,
        queued_to: null,
      })
  }
  incident({ ended_ms: nowMs - HOUR_MS / 2 }, ['investigating', 'resolved'])
  incident({}, ['investigating', 'identified'])
  const planned = { started_ms: nowMs + 24 * HOUR_MS, planned_end_ms: nowMs + 25 * HOUR_MS }
  incident({ kind: 'maintenance', ...planned }, ['scheduled'])
  insert('status_subscriber', {
    page_id: pageId,
    address: 'ada@example.com',
    confirm_hash: null,
    asked_ms: nowMs,
    expires_ms: null,
    confirmed_ms: nowMs,
  })
  records.close()
}
