/** One of everything that has an address, in `acme/shop`. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { apiClient, type CreatedProject } from '../../harness/api-client.ts'
import { element, pageOf, sendReplay } from '../../harness/replay-events.ts'
import { sendReplayVideo } from '../../harness/replay-videos.ts'
import { type RunningSonde, sondeJson } from '../../harness/start-sonde.ts'
import { sendItems, sendTransaction } from '../performance-events.ts'
import { messageEvent, newEventId } from '../screens-events.ts'
import { fillStatusPage } from '../status-rows.ts'
import { newSpanId, serviceTransaction } from '../trace-events.ts'
import type { Asker, Names } from './addresses.ts'

/** Stands in everything of acme that has a text. */
export const SECRET = 'zq7-of-acme-alone'

/** With two files. */
export async function eventIn(
  { dsn, id }: CreatedProject,
  text: string,
  eventId: string,
  more: object = {},
): Promise<void> {
  const event = { ...messageEvent(Date.now(), text), tags: { customer: text }, ...more, event_id: eventId }
  const item = (header: object, content: string): string =>
    `${JSON.stringify({ length: Buffer.byteLength(content), ...header })}\n${content}\n`
  const { origin, username } = new URL(dsn)
  const answer = await fetch(`${origin}/api/${id}/envelope/?sentry_key=${username}&sentry_version=7`, {
    method: 'POST',
    body:
      `{"event_id":"${eventId}"}\n${item({ type: 'event' }, JSON.stringify(event))}` +
      ['first.txt', 'second.txt']
        .map((filename) =>
          item({ type: 'attachment', filename, content_type: 'text/plain' }, `${text} ${filename}`),
        )
        .join(''),
  })
  assert.equal(answer.status, 200)
}

/** A message that a channel did not take and one in Ann's inbox: neither changes by itself any more. */
function toldOf(dataDir: string): void {
  const records = new DatabaseSync(join(dataDir, 'records.sqlite'))
  records.exec('PRAGMA busy_timeout = 10000')
  const message = { kind: 'new', headline: SECRET, title: SECRET, place: SECRET, level: 'error', facts: [] }
  const text = JSON.stringify({ ...message, url: 'https://x', org: 'acme', project: 'shop' })
  const insert = (medium: string, more: string): void =>
    void records
      .prepare(
        `INSERT INTO notification (dedup_key, org_id, medium, channel_id, user_id, message, state, attempts,
           next_attempt_ms, created_ms, done_ms, answer)
         SELECT ? || '-' || ?, organization.id, ?, ${more}, ?, 'failed', 1, 0, ?, 0, ?
         FROM organization WHERE slug = 'acme'`,
      )
      .run(SECRET, medium, medium, text, Date.now(), SECRET)
  incidentOf(records)
  monitorOf(records)
  erasureOf(records)
  storedScrubOf(records)
  for (const slug of ['any-monitor', 'spare-monitor', 'form-monitor']) cronOf(records, slug)
  exportOf(records)
  // A browser of ann.
  records
    .prepare(
      `INSERT INTO push_subscription (user_id, session_id, endpoint, p256dh, auth, user_agent, created_ms)
       SELECT "userId", id, ?, ?, ?, ?, ? FROM session
       WHERE "userId" = (SELECT id FROM user WHERE email = 'ann@example.com') LIMIT 1`,
    )
    .run(`https://push.example/${SECRET}`, SECRET, SECRET, SECRET, Date.now())
  insert('channel', '(SELECT max(id) FROM notification_channel), NULL')
  insert('inbox', "NULL, (SELECT id FROM user WHERE email = 'ann@example.com')")
  records.close()
}

/** Of a metric, told by what failed. */
function incidentOf(records: DatabaseSync): void {
  const metric = { source: 'errors', measure: 'count()', search: SECRET }
  const rule = { metric, windowMinutes: 5, trigger: 1, actions: [{ type: 'members' }] }
  const cause = JSON.stringify({ kind: 'metric', value: 2, threshold: 1, rule })
  const { incidentId } = records
    .prepare(
      `INSERT INTO incident (project_id, rule_id, rule_name, dedup_key, cause, started_ms, fired_ms)
       SELECT project.id, (SELECT min(id) FROM alert_rule WHERE project_id = project.id), ?, ?, ?, ?, ?
       FROM project WHERE slug = 'shop' RETURNING id AS incidentId`,
    )
    .get(SECRET, SECRET, cause, Date.now(), Date.now()) as { incidentId: number }
  records
    .prepare(
      `INSERT INTO notification (dedup_key, org_id, project_id, incident_id, medium, user_id, message, state, attempts,
         next_attempt_ms, created_ms, done_ms, answer)
       SELECT ?, org_id, id, ?, 'inbox', NULL, ?, 'sent', 1, 0, ?, 0, ? FROM project WHERE slug = 'shop'`,
    )
    .run(`${SECRET} incident`, incidentId, JSON.stringify({ kind: 'metric' }), Date.now(), SECRET)
  records
    .prepare(`INSERT INTO incident_note (incident_id, actor, body, at_ms) VALUES (?, 'operator:cli', ?, 0)`)
    .run(incidentId, SECRET)
}

/** Paused, so that nobody is asked. */
/** A person that was erased in all projects. */
function erasureOf(records: DatabaseSync): void {
  records
    .prepare(
      `INSERT INTO erasure (org_id, projects, scope, person, person_hash, actor, state, requested_ms, finished_ms)
       SELECT organization.id, (SELECT json_group_array(project.id) FROM project WHERE org_id = organization.id),
         'acme', '', ?, 'operator:cli', 'done', 0, 0 FROM organization WHERE slug = 'acme'`,
    )
    .run(SECRET)
}

/** Rules that were applied to what is stored. */
function storedScrubOf(records: DatabaseSync): void {
  records
    .prepare(
      `INSERT INTO repair (id, org_id, cause, actor, target, requested_ms, started_ms, finished_ms, total_count, trouble)
       SELECT 1000, org_id, 'asked', 'operator:cli', json_object('debugIds', json_array(), 'projectIds', json_array(id),
         'scrub', json('true')), ?, ?, ?, 0, ? FROM project WHERE slug = 'shop'`,
    )
    // What ended long ago is swept.
    .run(Date.now(), Date.now(), Date.now(), SECRET)
}

function monitorOf(records: DatabaseSync): void {
  const value = JSON.stringify({ url: `http://127.0.0.1:1/${SECRET}`, actions: [{ type: 'members' }] })
  const { monitorId } = records
    .prepare(
      `INSERT INTO uptime_monitor (project_id, name, environment, interval_sec, value, secret, created_by, created_ms,
         updated_ms) SELECT id, ?, ?, 3600, ?, '', '', 0, 0 FROM project WHERE slug = 'shop' RETURNING id AS monitorId`,
    )
    .get(SECRET, SECRET, value) as { monitorId: number }
  records
    .prepare(
      `INSERT INTO uptime_state (monitor_id, state, since_ms, recent, outcome, reason, status, total_ms)
       VALUES (?, 'down', 0, '000', 'status', ?, 500, 7)`,
    )
    .run(monitorId, SECRET)
}

function exportOf(records: DatabaseSync): void {
  records
    .prepare(
      `INSERT INTO export_run (org_id, actor, place, folder, state, requested_ms, finished_ms, next_try_ms, trouble)
       SELECT id, 'operator', '', ?, 'done', 0, 1, 0, ? FROM organization WHERE slug = 'acme'`,
    )
    .run(SECRET, SECRET)
}

function cronOf(records: DatabaseSync, slug: string): void {
  const config = JSON.stringify({ schedule: { type: 'crontab', value: '0 3 * * *' } })
  const { monitorId } = records
    .prepare(
      `INSERT INTO cron_monitor (project_id, slug, name, config, actions, owner, is_enabled, is_muted, created_by, created_ms,
         updated_ms) SELECT id, ?, ?, ?, '[{"type":"members"}]', '', 1, 0, '', 0, 0 FROM project WHERE slug = 'shop'
       RETURNING id AS monitorId`,
    )
    .get(slug, SECRET, config) as { monitorId: number }
  const { environmentId } = records
    .prepare(
      `INSERT INTO cron_environment (monitor_id, environment, state, since_ms, failures, successes)
       VALUES (?, ?, 'ok', 0, 0, 1) RETURNING id AS environmentId`,
    )
    .get(monitorId, SECRET) as { environmentId: number }
  records
    .prepare(
      `INSERT INTO cron_run (environment_id, check_in_id, status, started_ms, release, trace_id)
       VALUES (?, '', 'ok', 0, ?, '')`,
    )
    .run(environmentId, SECRET)
}

/** What everything is called. */
export async function fillAcme(
  sonde: RunningSonde,
  shop: CreatedProject,
  spare: CreatedProject,
  asker: Asker,
): Promise<Names> {
  const [event, trace, span] = [newEventId(), newEventId(), newSpanId()]
  const version = 'shop@1.0.0'
  const call = async <T>(method: string, path: string, body?: object | FormData): Promise<T> => {
    const isForm = body instanceof FormData
    const answer = await fetch(`${sonde.url}/api/0${path}`, {
      method,
      headers: { ...asker.headers, ...(isForm ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`)
    return JSON.parse(text === '' ? 'null' : text) as T
  }
  const releases = '/organizations/acme/releases/'
  for (const each of [version, 'spare@1', 'empty@1', 'debug@1', 'uploaded@1'])
    await call('POST', releases, { version: each, projects: ['shop'] })
  await call('PUT', `${releases}${version}/`, {
    commits: [
      {
        id: 'c'.repeat(40),
        repository: SECRET,
        author_name: SECRET,
        author_email: 'a@example.com',
        message: SECRET,
      },
    ],
  })
  await call('POST', `${releases}${version}/deploys/`, { environment: SECRET })
  const uploaded = async (name: string, release = version): Promise<string> => {
    const form = new FormData()
    form.set('name', `~/${SECRET}-${name}.js`)
    form.set('file', new Blob([`// ${SECRET}`]), `${name}.js`)
    return (await call<{ id: string }>('POST', `${releases}${release}/files/`, form)).id
  }
  const [file = '', spareFile = ''] = await Promise.all(['one', 'two'].map((name) => uploaded(name)))
  // The API deletes this one as a debug file.
  await uploaded('four', 'debug@1')
  // The last upload, which the screen deletes; the API deletes the files before.
  await uploaded('three', 'uploaded@1')
  for (const use of ['api', 'form'])
    await call('POST', '/projects/acme/shop/keys/', { name: `${SECRET} ${use}` })
  await eventIn(shop, SECRET, event, {
    release: version,
    contexts: { trace: { trace_id: trace, span_id: span, op: 'http.server' } },
  })
  const transaction = `GET /${SECRET}`
  const service = {
    traceId: trace,
    id: span,
    op: 'http.server',
    name: transaction,
    platform: 'node',
    took: 500,
  }
  const children = [
    { parent: span, op: 'db', name: `SELECT ${SECRET}`, at: 10, took: 100 },
    {
      parent: span,
      op: 'gen_ai.execute_tool',
      name: SECRET,
      at: 120,
      took: 10,
      data: { 'gen_ai.tool.name': SECRET, 'gen_ai.tool.call.result': SECRET },
    },
  ]
  await sendTransaction(shop.dsn, serviceTransaction({ ...service, startMs: Date.now() - 5_000, children }))
  const profile = newEventId()
  const sample = { stack_id: 0, thread_id: '1', timestamp: Date.now() / 1000 - 5 }
  const sampled = { samples: [sample], stacks: [[0]], frames: [{ function: SECRET, in_app: true }] }
  const chunk = {
    version: '2',
    profiler_id: newEventId(),
    chunk_id: profile,
    platform: 'node',
    profile: sampled,
  }
  await sendItems(shop.dsn, [[{ type: 'profile_chunk' }, chunk]])
  const [replay, spareReplay, formReplay, filmed] = [newEventId(), newEventId(), newEventId(), newEventId()]
  const page = pageOf(Date.now() - 5_000, { body: [element('p', {}, SECRET)] })
  for (const replayId of [replay, spareReplay, formReplay])
    await sendReplay(shop.dsn, { replayId, segment: 0, user: { username: SECRET } }, page)
  // Its beginning is that of an MP4, which is all that is looked at here.
  const video = Buffer.from(`\0\0\0\x18ftypmp42 ${SECRET}`)
  const film = { replayId: filmed, segment: 0, atMs: Date.now() - 9_000, durationMs: 5_000, video }
  await sendReplayVideo(shop.dsn, film)
  const api = apiClient(sonde)
  await api.until<{ data: unknown[] }>('/api/0/organizations/acme/replays/', ({ data }) => data.length === 4)
  const attachments = await api.until<{ id: string }[]>(
    `/api/0/projects/acme/shop/events/${event}/attachments/`,
    (list) => list.length === 2,
  )
  const [issue] = await api.until<{ id: string; shortId: string }[]>(
    '/api/0/projects/acme/shop/issues/',
    (list) => list.length === 1,
  )
  await api.until(
    `/api/0/organizations/acme/trace/${trace}/`,
    ({ transactions }: { transactions: unknown[] }) => transactions.length > 0,
  )
  const alert = ['alert', 'create', '--project', 'acme/shop', '--type', 'new_issue']
  sondeJson(sonde.dataDir, [...alert, '--webhook', `https://${SECRET}.example/hook`])
  toldOf(sonde.dataDir)
  fillStatusPage(sonde.dataDir, SECRET)
  const metricRule = {
    name: SECRET,
    aggregate: 'count()',
    query: SECRET,
    timeWindow: 60,
    triggers: [
      { label: 'critical', alertThreshold: 1e9, actions: [{ type: 'email', targetType: 'all_members' }] },
    ],
  }
  const metricRules: { readonly id: string }[] = []
  for (let at = 0; at < 2; at++)
    metricRules.push(await call('POST', '/projects/acme/shop/alert-rules/', metricRule))
  const releaseRule = await call<{ id: string }>('POST', '/projects/acme/shop/release-rules/', {
    name: SECRET,
    environment: SECRET,
    verdicts: ['worse'],
    actions: [{ type: 'email', targetType: 'all_members' }],
  })
  const spikes = { triggerType: 'spike-protection', serviceType: 'email', targetDisplay: SECRET }
  const [search, spareSearch] = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const body = { name: `${SECRET} ${name}`, query: SECRET, visibility: 'organization' }
      return (await call<{ id: string }>('POST', '/organizations/acme/searches/', body)).id
    }),
  )
  const { id: action } = await call<{ id: string }>(
    'POST',
    '/organizations/acme/notifications/actions/',
    spikes,
  )
  await call('POST', '/organizations/acme/members/', { email: 'invited@example.com' })
  const ownership = '/projects/acme/shop'
  await call('PUT', `${ownership}/ownership/`, { raw: `path:${SECRET}/* ann@example.com` })
  const codeowners: { readonly id: string }[] = []
  for (const use of ['api', 'form'])
    codeowners.push(
      await call('POST', `${ownership}/codeowners/`, {
        raw: `* @${SECRET}`,
        codeMapping: { repoName: `${SECRET}/${use}` },
      }),
    )
  for (const slug of ['web-team', 'spare-team']) {
    await call('POST', '/organizations/acme/teams/', { name: `Team ${slug}`, slug })
    // Of a role that no viewer gives themselves.
    await call('POST', `/projects/acme/shop/teams/${slug}/`, { role: 'member' })
  }
  const others = await otherIssues(sonde, shop, api, call)
  const records = new DatabaseSync(join(sonde.dataDir, 'records.sqlite'), { readOnly: true })
  const one = (sql: string): string => String(Object.values(records.prepare(sql).get() ?? {})[0])
  const keys = records
    .prepare('SELECT id, public_key FROM project_key WHERE project_id = ? ORDER BY id')
    .all(shop.id) as unknown as { id: number; public_key: string }[]
  const names: Names = {
    org: 'acme',
    orgId: one("SELECT id FROM organization WHERE slug = 'acme'"),
    project: 'shop',
    projectId: shop.id,
    spareProject: spare.project,
    issue: issue?.shortId ?? '',
    issueId: issue?.id ?? '',
    ...others,
    event,
    attachment: attachments[0]?.id ?? '',
    spareAttachment: attachments[1]?.id ?? '',
    key: 'customer',
    tag: 'customer',
    publicKey: keys[0]?.public_key ?? '',
    spareKey: keys[1]?.public_key ?? '',
    keyId: String(keys[0]?.id),
    spareKeyId: String(keys[2]?.id),
    release: version,
    version,
    spareVersion: 'spare@1',
    emptyVersion: 'empty@1',
    file,
    spareFile,
    trace,
    span,
    profile,
    replay,
    spareReplay,
    formReplay,
    filmed,
    segment: '0',
    transaction,
    statement: `SELECT ${SECRET}`,
    upload: one('SELECT max(id) FROM artifact_bundle'),
    spareUpload: one('SELECT max(id) FROM artifact_bundle WHERE id < (SELECT max(id) FROM artifact_bundle)'),
    debugId: '11111111-2222-4333-8444-555555555555',
    letter: one('SELECT min(id) FROM dead_letter'),
    channel: one('SELECT max(id) FROM notification_channel'),
    notification: one("SELECT max(id) FROM notification WHERE medium = 'channel'"),
    browser: one('SELECT max(id) FROM push_subscription'),
    inboxItem: one("SELECT max(id) FROM notification WHERE medium = 'inbox'"),
    rule: one('SELECT rule_id FROM incident WHERE issue_id IS NULL'),
    spareRule: one("SELECT max(id) FROM alert_rule WHERE kind = 'issue'"),
    metricRule: metricRules[0]?.id ?? '',
    spareMetricRule: metricRules[1]?.id ?? '',
    releaseRule: releaseRule.id,
    action,
    search: search ?? '',
    spareSearch: spareSearch ?? '',
    incident: one('SELECT id FROM incident WHERE issue_id IS NULL'),
    told: one(
      'SELECT id FROM notification WHERE incident_id IN (SELECT id FROM incident WHERE issue_id IS NULL)',
    ),
    export: one('SELECT id FROM export_run'),
    codeowners: codeowners[0]?.id ?? '',
    spareCodeowners: codeowners[1]?.id ?? '',
    monitor: 'any-monitor',
    spareMonitor: 'spare-monitor',
    cron: one("SELECT id FROM cron_monitor WHERE slug = 'form-monitor'"),
    uptime: one('SELECT min(id) FROM uptime_monitor'),
    now: new Date().toISOString().slice(0, 16),
    tomorrow: new Date(Date.now() + 86_400_000).toISOString().slice(0, 16),
    anyCron: one("SELECT id FROM cron_monitor WHERE slug = 'any-monitor'"),
    statusComponent: one('SELECT max(id) FROM status_component'),
    statusIncident: one("SELECT max(id) FROM status_incident WHERE ended_ms IS NULL AND kind = 'incident'"),
    sessionId: one(
      `SELECT session.id FROM session JOIN user ON user.id = "userId" WHERE email = 'ann@example.com'`,
    ),
    team: 'web-team',
    spareTeam: 'spare-team',
    member: one("SELECT id FROM user WHERE email = 'mia@example.com'"),
    invitation: one('SELECT id FROM invitation'),
    spareMember: one("SELECT id FROM user WHERE email = 'sam@example.com'"),
    token: one("SELECT max(id) FROM api_token WHERE name = 'acme 2'"),
    spareToken: one("SELECT min(id) FROM api_token WHERE name = 'acme 2'"),
    tokenId: one(
      `SELECT api_token.id FROM api_token JOIN user ON user.id = user_id WHERE email = 'ann@example.com'`,
    ),
  }
  records.close()
  return names
}

/** As many as requests merge, take apart and delete. */
const OTHERS = 29
/** The last of them are deleted, each by itself, and named `deleted0`, … */
const DELETED = 5

/** Named `other0`, `other1`, … Of the first ten each second is merged into the one before, of the next three two into the first. */
async function otherIssues(
  sonde: RunningSonde,
  shop: CreatedProject,
  api: ReturnType<typeof apiClient>,
  call: <T>(method: string, path: string, body?: object) => Promise<T>,
): Promise<Names> {
  const texts = Array.from({ length: OTHERS }, (_, at) => `${SECRET} other ${at}`)
  const records = new DatabaseSync(join(sonde.dataDir, 'records.sqlite'))
  records.exec('PRAGMA busy_timeout = 10000')
  const isNone = async (sql: string): Promise<void> => {
    while (records.prepare(sql).get() !== undefined) await api.get('/api/0/projects/acme/shop/')
  }
  // Nobody is told of them: what waits to be told changes by itself.
  const rules = records.prepare('SELECT id FROM alert_rule WHERE is_enabled = 1').all()
  records.exec('UPDATE alert_rule SET is_enabled = 0')
  const events = texts.map(() => newEventId())
  for (const [at, text] of texts.entries())
    await eventIn(shop, text, events[at] ?? '', { fingerprint: [`other ${at}`] })
  const issues = await api.until<{ id: string; title: string }[]>(
    '/api/0/projects/acme/shop/issues/?query=&limit=100',
    (list) => list.length > OTHERS,
  )
  const ids = texts.map((text) => issues.find(({ title }) => title === text)?.id ?? '')
  for (const [into, ...gone] of [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [8, 9],
    [10, 11, 12],
  ])
    await call(
      'PUT',
      `/organizations/acme/issues/?${[into, ...gone].map((at) => `id=${ids[at ?? 0]}`).join('&')}`,
      {
        merge: 1,
      },
    )
  await isNone('SELECT 1 FROM issue_change WHERE is_pending = 1 OR is_untold = 1')
  await isNone('SELECT 1 FROM issue_move WHERE finished_ms IS NULL')
  const hidden: string[] = []
  for (const at of [20, 22])
    hidden.push((await call<{ id: string }>('DELETE', `/projects/acme/shop/events/?id=${events[at]}`)).id)
  await isNone("SELECT 1 FROM event_deletion WHERE state <> 'hidden'")
  for (const { id } of rules)
    records.prepare('UPDATE alert_rule SET is_enabled = 1 WHERE id = ?').run(id ?? 0)
  records.close()
  for (const id of ids.slice(-DELETED)) await call('DELETE', `/organizations/acme/issues/?id=${id}`)
  const deleted = await call<{ id: string }[]>('GET', '/organizations/acme/recently-deleted/')
  const hashes = await call<{ id: string; latestEvent: { title: string } | null }[]>(
    'GET',
    `/organizations/acme/issues/${ids[10]}/hashes/`,
  )
  return {
    ...Object.fromEntries(ids.map((id, at) => [`other${at}`, id])),
    ...Object.fromEntries(deleted.map(({ id }, at) => [`deleted${at}`, id])),
    ...Object.fromEntries(hidden.map((id, at) => [`deletedEvents${at}`, id])),
    // To be deleted by themselves.
    event20: events[20] ?? '',
    event23: events[23] ?? '',
    event21: events[21] ?? '',
    splitHash: hashes.find(({ latestEvent }) => latestEvent?.title === texts[12])?.id ?? '',
  }
}
