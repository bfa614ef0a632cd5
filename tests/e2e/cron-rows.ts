/** Monitors of scheduled jobs with runs that ended in every way, as records: what would take days to happen. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Beyond those that check-ins make meanwhile. */
export const CRON_MONITOR = 1_000
const HOUR_MS = 3_600_000

const ENDS = { 7: 'missed', 13: 'error', 14: 'error', 19: 'timeout', 26: 'unknown' } as const

/** Of `acme/shop`. `words`: what things are called. */
export function fillCrons(dataDir: string, words: string): void {
  const records = new DatabaseSync(join(dataDir, 'records.sqlite'), { timeout: 10_000 })
  const nowMs = Date.now()
  const insert = (table: string, row: Readonly<Record<string, string | number | null>>): void => {
    const names = Object.keys(row)
    const marks = names.map((name) => `:${name}`).join(', ')
    records.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`).run(row)
  }
  const { id: projectId } = records.prepare(`SELECT id FROM project WHERE slug = 'shop'`).get() as {
    id: number
  }
  const monitor = (at: number, name: string, more: Readonly<Record<string, string | number>> = {}): void =>
    insert('cron_monitor', {
      id: CRON_MONITOR + at,
      project_id: projectId,
      slug: `job-${at}`,
      name,
      config: JSON.stringify({
        schedule: { type: 'crontab', value: '0 * * * *' },
        timezone: 'Europe/Berlin',
      }),
      actions: '[{"type":"members"}]',
      owner: '',
      is_enabled: 1,
      is_muted: 0,
      created_by: '',
      created_ms: nowMs,
      updated_ms: nowMs,
      ...more,
    })
  monitor(0, words)
  monitor(1, 'Invoices', { is_muted: 1 })
  monitor(2, 'Cleaning up', { is_enabled: 0 })
  const hourMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS
  const incident = (at: number, startedMs: number, resolvedMs: number | null): void =>
    insert('incident', {
      id: CRON_MONITOR + 1 + at,
      project_id: projectId,
      rule_name: words,
      dedup_key: `cron:${CRON_MONITOR}:${CRON_MONITOR}:${at}`,
      cause: JSON.stringify({
        kind: 'cron',
        monitor: 'job-0',
        environment: 'production',
        outcome: 'error',
        reason: 'production failed',
      }),
      started_ms: startedMs,
      fired_ms: startedMs,
      resolved_ms: resolvedMs,
    })
  incident(0, hourMs - 14 * HOUR_MS, hourMs - 12 * HOUR_MS)
  incident(1, hourMs, null)
  for (const [at, environment] of ['production', 'staging'].entries()) {
    const isFailing = at === 0
    insert('cron_environment', {
      id: CRON_MONITOR + at,
      monitor_id: CRON_MONITOR,
      environment,
      state: isFailing ? 'error' : 'ok',
      since_ms: hourMs,
      next_ms: hourMs + HOUR_MS,
      due_ms: hourMs + 2 * HOUR_MS,
      checked_ms: hourMs,
      failures: isFailing ? 1 : 0,
      successes: 0,
      failing_ms: isFailing ? hourMs : null,
      incident_id: isFailing ? CRON_MONITOR + 2 : null,
    })
    for (let hour = 60; hour >= 0; hour--) {
      const status = hour === 0 && isFailing ? 'error' : (ENDS[hour as keyof typeof ENDS] ?? 'ok')
      const came = status !== 'missed' && status !== 'unknown'
      const durationMs = came ? 90_000 + ((hour * 37_117) % 70_000) : null
      const startedMs = hourMs - hour * HOUR_MS
      insert('cron_run', {
        environment_id: CRON_MONITOR + at,
        check_in_id: came ? (hour * 2 + at + 1).toString(16).padStart(32, '0') : '',
        status,
        started_ms: startedMs,
        ended_ms: startedMs + (durationMs ?? 0),
        duration_ms: durationMs,
        timeout_ms: null,
        expected_ms: startedMs,
        release: hour % 2 === 0 ? '' : 'shop@4.12.0',
        trace_id: came ? (hour + 1).toString(16).padStart(32, 'a') : '',
      })
    }
  }
  records.close()
}
