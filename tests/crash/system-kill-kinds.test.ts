/** Guarantees G1 and G2 for what is no event: runs of monitors, log lines and sessions are there once after each `kill -9`. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEnvelope, serializeEnvelope } from '@sonde/protocol'
import { type ApiClient, apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { startSonde, temporaryDataDir, WITHOUT_SPIKE_LIMITS } from '../harness/start-sonde.ts'
import { everyPage } from '../harness/stored-events.ts'
import { killVictim, type Victim } from './kill-victim.ts'
import { drained } from './nothing-lost.ts'

const VICTIMS: readonly Victim[] = ['back', 'both', 'back', 'front', 'back']
const LIFE_MS = [300, 1_200, 700, 1_500, 500]
const SENDERS = 4
const PAUSE_MS = 60
const LINES = 5
/** So many that no batch has more check-ins of one than the 50 that are noted (note-check-ins.ts), however long a back was away. */
const MONITORS = 100
const TAKEN_TRIES = 80
const RELEASE = 'shop@9.1.0'

/** One job that ran: it began, wrote lines, ended, and was a session. */
type Job = {
  readonly id: string
  readonly monitor: string
  hasEnded: boolean
  isLogged: boolean
  isSession: boolean
}

void test(`${VICTIMS.length} kills lose no run, no log line and no session, and double none`, async (context) => {
  const data = temporaryDataDir()
  let running = await startSonde({ dataDir: data.dir, env: WITHOUT_SPIKE_LIMITS })
  const project = createProject(running, 'acme/shop')
  const api = apiClient(running)
  const jobs: Job[] = []
  let begun = 0
  const sending = new AbortController()
  const senders = Array.from({ length: SENDERS }, async () => {
    while (!sending.signal.aborted) {
      jobs.push(await runJob(running.url, project, begun++))
      await sleep(PAUSE_MS)
    }
  })
  try {
    for (const [at, victim] of VICTIMS.entries()) {
      await sleep(LIFE_MS[at])
      running = await killVictim(victim, running)
    }
    await sleep(500)
    sending.abort()
    await Promise.all(senders)
    // Its back process is there again.
    await api.until('/api/0/organizations/acme/monitors/', () => true, 60_000)
    await drained(running)
    const acknowledged = (key: 'hasEnded' | 'isLogged' | 'isSession') => jobs.filter((job) => job[key])
    assert.ok(
      acknowledged('hasEnded').length > 50,
      `only ${acknowledged('hasEnded').length} were acknowledged`,
    )
    await assertRuns(api, jobs)
    await assertLines(api, project, jobs)
    await assertSessions(api, jobs)
    context.diagnostic(`${jobs.length} jobs, ${acknowledged('hasEnded').length} acknowledged to their end`)
    assert.equal(await running.stop(), 0)
  } finally {
    sending.abort()
    running.child.kill('SIGKILL')
    data.remove()
  }
})

async function runJob(url: string, { id, publicKey }: CreatedProject, at: number): Promise<Job> {
  const job = { id: randomUUID().replaceAll('-', ''), monitor: `job-${at % MONITORS}` }
  const startedMs = Date.now()
  const send = async (type: string, payload: object, header: object = {}): Promise<boolean> => {
    const item = { header: { type, ...header }, payload: Buffer.from(JSON.stringify(payload)) }
    const answer = await fetch(`${url}/api/${id}/envelope/?sentry_key=${publicKey}`, {
      method: 'POST',
      body: new Uint8Array(serializeEnvelope(createEnvelope({ sent_at: new Date().toISOString() }, [item]))),
    }).catch(() => undefined)
    await answer?.arrayBuffer().catch(() => undefined)
    return answer?.status === 200
  }
  const run = {
    check_in_id: job.id,
    monitor_slug: job.monitor,
    environment: 'production',
    monitor_config: { schedule: { type: 'interval', value: 1, unit: 'day' } },
  }
  await send('check_in', { ...run, status: 'in_progress' })
  const lines = Array.from({ length: LINES }, (_, at) => ({
    timestamp: startedMs / 1000,
    trace_id: job.id,
    level: 'info',
    body: `job ${job.id} step ${at}`,
  }))
  const container = { item_count: LINES, content_type: 'application/vnd.sentry.items.log+json' }
  const isLogged = await send('log', { items: lines }, container)
  const session = {
    sid: job.id,
    did: job.id,
    init: true,
    started: new Date(startedMs).toISOString(),
    timestamp: new Date().toISOString(),
    status: 'exited',
    errors: 0,
    attrs: { release: RELEASE, environment: 'production' },
  }
  const isSession = await send('session', session)
  const hasEnded = await send('check_in', { ...run, status: 'ok', duration: 0.5 })
  return { ...job, isLogged, isSession, hasEnded }
}

type Run = { readonly id: string; readonly status: string }

async function assertRuns(api: ApiClient, jobs: readonly Job[]): Promise<void> {
  for (let at = 0; at < MONITORS; at++) {
    const own = jobs.filter((job) => job.monitor === `job-${at}`)
    const ended = own.filter((job) => job.hasEnded)
    if (ended.length === 0) continue
    let runs = await runsOf(api, `job-${at}`)
    const unended = (): readonly Job[] =>
      ended.filter((job) => !runs.some(({ id, status }) => id === job.id && status === 'ok'))
    // Monitors take what arrived in a job of their own, which begins again after a kill.
    for (let tries = 0; unended().length > 0 && tries < TAKEN_TRIES; tries++) {
      await sleep(250)
      runs = await runsOf(api, `job-${at}`)
    }
    assert.deepEqual(unended(), [], 'an acknowledged run is missing or has not ended')
    assert.equal(runs.length, new Set(runs.map(({ id }) => id)).size, 'a run is stored twice')
    const sent = new Set(own.map((job) => job.id))
    assert.ok(
      runs.every(({ id }) => sent.has(id)),
      'a run is stored that nobody sent',
    )
  }
}

async function runsOf(api: ApiClient, monitor: string): Promise<readonly Run[]> {
  const first = `/api/0/organizations/acme/monitors/${monitor}/checkins/`
  const pages = await everyPage<readonly Run[]>(api, first)
  return pages.flat().map(({ id, status }) => ({ id: id.replaceAll('-', ''), status }))
}

async function assertLines(api: ApiClient, { id }: CreatedProject, jobs: readonly Job[]): Promise<void> {
  const query = new URLSearchParams({
    dataset: 'ourlogs',
    field: 'message',
    project: id,
    per_page: '100',
    statsPeriod: '1d',
  })
  type Page = { readonly data: readonly { readonly message: string }[] }
  const pages = await everyPage<Page>(api, `/api/0/organizations/acme/events/?${query}`)
  const stored = pages.flatMap(({ data }) => data.map(({ message }) => message))
  const found = new Set(stored)
  assert.equal(stored.length, found.size, 'a line is stored twice')
  const linesOf = (job: Job): readonly string[] =>
    Array.from({ length: LINES }, (_, at) => `job ${job.id} step ${at}`)
  const missing = jobs
    .filter((job) => job.isLogged)
    .flatMap(linesOf)
    .filter((line) => !found.has(line))
  assert.deepEqual(missing, [], 'acknowledged lines are missing')
  const sent = new Set(jobs.flatMap(linesOf))
  assert.ok(
    stored.every((line) => sent.has(line)),
    'a line is stored that nobody sent',
  )
}

async function assertSessions(api: ApiClient, jobs: readonly Job[]): Promise<void> {
  const query = new URLSearchParams({ statsPeriod: '1d', interval: '1d', query: `release:${RELEASE}` })
  for (const field of ['sum(session)', 'count_unique(user)']) query.append('field', field)
  type Totals = { readonly groups: readonly { readonly totals: Readonly<Record<string, number>> }[] }
  const { body } = await api.get<Totals>(`/api/0/organizations/acme/sessions/?${query}`)
  const totals = body.groups[0]?.totals ?? {}
  const [sessions, users] = [totals['sum(session)'] ?? 0, totals['count_unique(user)'] ?? 0]
  // Each has a user of its own: a session that counted twice would not make a second one.
  assert.equal(sessions, users, 'a session counts twice')
  assert.ok(sessions >= jobs.filter((job) => job.isSession).length, 'an acknowledged session is missing')
  assert.ok(sessions <= jobs.length, 'a session counts that nobody sent')
}
