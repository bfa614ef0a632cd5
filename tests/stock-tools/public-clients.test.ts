/**
 * Published clients of Sentry's public API, unmodified, against one Sonde: `github.com/jianyuan/go-sentry`, which the Terraform
 * provider is built on, and `sentry-api-python`; and the requests of Grafana's Sentry data source.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { ensureGo, ensurePython } from '../../scripts/test/compat-tools.mjs'
import { buildGo } from '../compat/support/build-go.ts'
import { findTool } from '../compat/support/find-tool.ts'
import { runProgram } from '../compat/support/run-program.ts'
import { sondeJson } from '../harness/start-sonde.ts'
import { grafanaRequests, misfit } from './support/grafana-requests.ts'
import { type Harness, openHarness } from './support/harness.ts'

const SCOPES = [
  'org:read',
  'member:admin',
  'team:admin',
  'project:admin',
  'project:releases',
  'event:admin',
  'alerts:write',
].join()
const HOUR_MS = 3_600_000

const go = findTool(ensureGo)
const python = findTool(ensurePython)

suite('clients of the public API', () => {
  let harness: Harness
  let token: string
  const tokenOf = (name: string, scopes: string): string => {
    const { dataDir, port } = harness.sonde
    const words = ['token', 'create', '--name', name, '--org', 'acme', '--scopes', scopes]
    return sondeJson<{ token: string }>(dataDir, words, { PORT: String(port) }).token
  }
  const call = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${harness.sonde.url}/api/0/${path}`, { ...init, headers })
    assert.ok(answer.ok, `${path} answered ${answer.status}: ${await answer.clone().text()}`)
    return (await answer.json()) as T
  }
  const post = (path: string, body: object) => call(path, { method: 'POST', body: JSON.stringify(body) })

  before(async () => {
    harness = await openHarness()
    token = tokenOf('clients', SCOPES)
    const person = ['--email', 'bob@example.com', '--name', 'Bob', '--role', 'member']
    const words = ['user', 'create', '--org', 'acme', ...person, '--password', 'a password of his']
    sondeJson(harness.sonde.dataDir, words)
    await post('organizations/acme/teams/', { slug: 'web' })
    await post('organizations/acme/releases/', { version: 'shop@1.0.0', projects: ['shop'] })
  })
  after(() => harness?.close())

  test('a Go and a Python for the clients can be had', { skip: go.skip || python.skip }, () => {
    assert.ok(go.path && python.path)
  })

  test(
    'go-sentry makes, reads, changes and destroys what the Terraform provider has',
    { skip: go.skip },
    async () => {
      const program = buildGo(go.path, join(import.meta.dirname, 'go-sentry'), 'go-sentry')
      const { sonde, project, env } = harness
      const run = await runProgram(program, [], project.dsn, { ...env, SENTRY_AUTH_TOKEN: token })
      assert.equal(run.code, 0, run.stderr)
      const seen = JSON.parse(run.stdout) as Record<string, Record<string, unknown>>
      const { rate, team, issueAlert, ...rest } = seen
      assert.deepEqual([rate?.['Limit'], rate?.['ConcurrentLimit']], [2000, 50])
      assert.deepEqual([team?.['slug'], team?.['name']], ['infra', 'Infrastructure'])
      assert.deepEqual([issueAlert?.['name'], issueAlert?.['actions']], ['renamed', 1])
      assert.match(
        String(rest['key']?.['dsn']),
        new RegExp(`^http://[0-9a-f]{32}@${new URL(sonde.url).host}/`),
      )
      delete rest['key']?.['dsn']
      assert.deepEqual(rest, {
        organization: 'acme',
        project: { slug: 'made', name: 'Renamed', platform: 'go', teams: 1 },
        twice: 409,
        keyAsMade: { name: 'first', limit: { window: 60, count: 100 } },
        key: { name: 'second', limit: { window: 60, count: 200 } },
        keyGone: 404,
        filters: { 'browser-extensions': false, localhost: true, 'web-crawlers': false },
        ownership: { raw: 'path:src/* #infra', assigns: 'Auto Assign to Issue Owner', through: false },
        metricAlert: { name: 'many errors', aggregate: 'count()', window: 60, triggers: 1 },
        spikes: 'spike-protection',
        deploy: 'production',
        bob: { role: 'member', teams: ['infra'] },
        members: ['owner@example.com', 'bob@example.com'],
        invited: { email: 'new@example.com', pending: true },
        projectGone: 404,
        teamGone: 404,
      })
    },
  )

  test(
    'sentry-api-python keeps a project and its alert rule as they should be',
    { skip: python.skip },
    async () => {
      const script = join(import.meta.dirname, 'python', 'keep_projects.py')
      const run = await runProgram(python.path, [script], harness.project.dsn, {
        ...harness.env,
        SENTRY_AUTH_TOKEN: token,
        WEAK_TOKEN: tokenOf('weak', 'project:read'),
      })
      assert.equal(run.code, 0, run.stderr)
      assert.deepEqual(JSON.parse(run.stdout), {
        team: 'web',
        made: 200,
        again: 'Kept well',
        conflict: 'SentryApiConflictException',
        rules: ['renamed'],
        refused: [
          'SentryApiResourceNotFoundException',
          'SentryApiBadInputException',
          'SentryApiForbiddenException',
        ],
      })
    },
  )

  test("what Grafana's data source asks is answered in the types that it decodes", async () => {
    await sendShop(harness)
    const nowMs = Date.now()
    const stats = `organizations/acme/stats_v2/?field=sum(quantity)&groupBy=category&statsPeriod=1h`
    await harness.api.until<{ groups: unknown[] }>(`/api/0/${stats}`, ({ groups }) => groups.length >= 2)
    for (const { what, path, query, shape } of grafanaRequests(
      harness.project.id,
      nowMs - HOUR_MS,
      nowMs + HOUR_MS / 60,
    )) {
      const search = new URLSearchParams(
        Object.entries(query ?? {}).flatMap(([name, value]) => [value].flat().map((each) => [name, each])),
      )
      const body = await call(`organizations/${path}?${search}`)
      assert.equal(misfit(body, shape), undefined, `${what}: ${JSON.stringify(body).slice(0, 500)}`)
      // Nothing at all would fit every type.
      assert.ok(rowsOf(body) > 0, `${what} is empty: ${JSON.stringify(body).slice(0, 500)}`)
    }
  })
})

/** Of a list, of `data`, of `groups`, or of the lines of a chart that have a number. */
function rowsOf(body: unknown): number {
  if (Array.isArray(body)) return body.length
  const { data, groups, ...lines } = body as Record<string, unknown>
  const list = data ?? groups
  if (Array.isArray(list)) return list.length
  return Object.values(lines).filter((line) => /"count":[1-9]/.test(JSON.stringify(line))).length
}

/** An error and a transaction with a span, a moment ago. */
async function sendShop({ sonde, project, api }: Harness): Promise<void> {
  const nowSec = Date.now() / 1000
  const common = { platform: 'node', environment: 'production', release: 'shop@1.0.0' }
  const trace = { trace_id: 'b'.repeat(32), span_id: 'c'.repeat(16), op: 'http.server' }
  const items = [
    {
      ...common,
      event_id: 'a'.repeat(32),
      type: 'transaction',
      transaction: '/pay',
      start_timestamp: nowSec - 2,
      timestamp: nowSec - 1,
      contexts: { trace },
      spans: [
        {
          trace_id: trace.trace_id,
          parent_span_id: trace.span_id,
          span_id: 'd'.repeat(16),
          op: 'db',
          description: 'SELECT 1',
          start_timestamp: nowSec - 1.9,
          timestamp: nowSec - 1.5,
        },
      ],
    },
    {
      ...common,
      event_id: 'e'.repeat(32),
      user: { id: '7' },
      exception: { values: [{ type: 'TypeError', value: 'x is refused' }] },
    },
  ]
  for (const item of items) {
    const envelope = [{ event_id: item.event_id }, { type: 'type' in item ? item.type : 'event' }, item]
    const answer = await fetch(`${sonde.url}/api/${project.id}/envelope/?sentry_key=${project.publicKey}`, {
      method: 'POST',
      body: envelope.map((line) => JSON.stringify(line)).join('\n'),
    })
    assert.equal(answer.status, 200)
  }
  await api.until<unknown[]>('/api/0/projects/acme/shop/issues/', (found) => found.length === 1)
  await api.until(
    '/api/0/organizations/acme/events/?dataset=spans',
    ({ data }: { data: unknown[] }) => data.length > 0,
  )
}
