/**
 * What alerts leave behind: a channel with its log, an incident of a metric with much data, what one person was told, an issue
 * tracker with linked issues.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sondeJson } from '../harness/start-sonde.ts'

/** Beyond those that rules make meanwhile. */
export const METRIC_INCIDENT = 1_000
export const TRACKER = 1_000
export const UPTIME_MONITOR = 1_000
const HOUR_MS = 3_600_000

/** Of `acme/shop`, of which events are there. `words`: what things are called. */
export function fillAlerts(dataDir: string, words: string): void {
  const create = ['alert', 'create', '--project', 'acme/shop', '--type', 'new_issue', '--name', words]
  // Nobody listens there, and the guard refuses it: that is in the log.
  const { channelId } = sondeJson<{ channelId: number }>(dataDir, [
    ...create,
    '--webhook',
    'http://127.0.0.1:9/hook',
  ])
  const records = new DatabaseSync(join(dataDir, 'records.sqlite'), { timeout: 10_000 })
  const nowMs = Date.now()
  const metric = { source: 'errors', measure: 'count()', search: '' }
  const rule = { metric, windowMinutes: 60, trigger: 3, actions: [{ type: 'members' }] }
  const insert = (table: string, row: Readonly<Record<string, string | number | null>>): void => {
    const names = Object.keys(row)
    const marks = names.map((name) => `:${name}`).join(', ')
    records.prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${marks})`).run(row)
  }
  const { id: projectId, org_id: orgId } = records
    .prepare(`SELECT id, org_id FROM project WHERE slug = 'shop'`)
    .get() as { id: number; org_id: number }
  const monitor = { url: 'http://127.0.0.1:9/health', actions: [{ type: 'members' }] }
  insert('uptime_monitor', {
    id: UPTIME_MONITOR,
    project_id: projectId,
    name: words,
    environment: 'production',
    interval_sec: 3600,
    value: JSON.stringify(monitor),
    secret: '',
    created_by: 'operator:cli',
    created_ms: nowMs,
    updated_ms: nowMs,
  })
  insert('uptime_state', {
    monitor_id: UPTIME_MONITOR,
    due_ms: nowMs,
    state: 'up',
    since_ms: nowMs - 40 * HOUR_MS,
    recent: '111',
    outcome: '',
    reason: '',
    status: 0,
    total_ms: 0,
  })
  for (let hour = 1; hour < 48; hour++)
    insert('uptime_hour', {
      monitor_id: UPTIME_MONITOR,
      hour_ms: Math.floor(nowMs / HOUR_MS - hour) * HOUR_MS,
      checks: 60,
      failed: hour === 40 ? 7 : 0,
      up_ms: 60 * (120 + (hour % 7) * 9),
    })
  insert('incident', {
    id: METRIC_INCIDENT,
    project_id: projectId,
    rule_name: words,
    dedup_key: 'metric',
    cause: JSON.stringify({ kind: 'metric', value: 41, threshold: 3, rule }),
    started_ms: nowMs - 2 * HOUR_MS,
    fired_ms: nowMs - HOUR_MS,
    acknowledged_ms: nowMs - HOUR_MS / 2,
    acknowledged_by: 'operator:cli',
  })
  insert('incident_note', {
    incident_id: METRIC_INCIDENT,
    actor: 'operator:cli',
    body: `${words}\n\nRolled back, and watched.`,
    at_ms: nowMs - HOUR_MS / 3,
  })
  const { id: userId } = records.prepare('SELECT id FROM user ORDER BY "createdAt" LIMIT 1').get() as {
    id: string
  }
  const message = {
    kind: 'metric',
    headline: `Metric above its threshold in acme/shop`,
    title: words,
    place: '41 errors in 1 h',
    level: 'error',
    facts: [],
    url: 'https://sonde.test',
    org: 'acme',
    project: 'shop',
    incidentId: METRIC_INCIDENT,
    rule: { id: 1, name: words },
  }
  const states = [
    ['sent', '200 ok'],
    ['failed', `500 ${words}`],
    ['digested', ''],
    ['waiting', `cannot be reached: ${words}`],
  ] as const
  for (const [at, [state, answer]] of states.entries())
    for (const medium of ['channel', 'inbox'] as const)
      insert('notification', {
        dedup_key: `${medium} ${at}`,
        org_id: orgId,
        project_id: projectId,
        incident_id: METRIC_INCIDENT,
        medium,
        channel_id: medium === 'channel' ? channelId : null,
        user_id: medium === 'inbox' ? userId : null,
        message: JSON.stringify(message),
        state: medium === 'inbox' ? 'sent' : state,
        attempts: at + 1,
        next_attempt_ms: state === 'waiting' ? nowMs + 24 * HOUR_MS : 0,
        created_ms: nowMs - at * HOUR_MS,
        done_ms: state === 'waiting' ? null : nowMs - at * HOUR_MS,
        answer,
      })
  insert('tracker_connection', {
    id: TRACKER,
    org_id: orgId,
    kind: 'github',
    name: words,
    settings: JSON.stringify({ apiUrl: 'https://api.github.com', places: ['acme/shop', `acme/${words}`] }),
    secret: '',
    sync_in: 1,
    sync_out: 0,
    created_by: 'operator:cli',
    created_ms: nowMs - 9 * HOUR_MS,
    updated_ms: nowMs - 9 * HOUR_MS,
    failing_since_ms: nowMs - HOUR_MS,
    webhook_ms: nowMs - 2 * HOUR_MS,
  })
  const links = [
    ['open', 'closed', `GitHub answered 404: Not Found. ${words}`],
    ['closed', '', ''],
    ['deleted', '', ''],
  ] as const
  for (const [at, [state, wanted, answer]] of links.entries())
    records
      .prepare(
        `INSERT INTO tracker_link (connection_id, issue_id, external_id, external_key, url, title, state, changed_ms,
           synced_ms, created_by, created_ms, wanted, attempts, next_attempt_ms, answer)
         SELECT ?, issue.id, ?, ?, ?, ?, ?, ?, ?, '', ?, ?, 1, ?, ? FROM issue WHERE project_id = ? AND short_number = 1`,
      )
      .run(
        TRACKER,
        String(at),
        `acme/${at === 0 ? words : 'shop'}#${at + 1}`,
        `https://github.com/acme/shop/issues/${at + 1}`,
        at === 0 ? words : 'Checkout fails for empty carts',
        state,
        nowMs,
        nowMs,
        nowMs,
        wanted,
        nowMs + 24 * HOUR_MS,
        answer,
        projectId,
      )
  records.close()
}
