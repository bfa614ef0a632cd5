/**
 * A whole import between two Sondes, whose API has Sentry's shape: projects, keys that go on working, people, issues with their
 * state and comments, releases, searches and alerts; cut in the middle, and run again.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createNodeTunnel } from '@sonde/tunnel/node'
import { type ApiClient, apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import {
  OWNER,
  type RunningSonde,
  sonde,
  SONDE,
  sondeEnv,
  sondeJson,
  startSonde,
} from '../harness/start-sonde.ts'
import { checkoutError, hostileEvent, messageEvent, sendEvent } from './screens-events.ts'

const HOUR_MS = 3_600_000
const ISSUES = 9

type Issue = {
  id: string
  title: string
  status: string
  count: string
  firstSeen: string
  assignedTo: { email?: string } | null
  culprit: string
}
type Report = {
  counts: Record<string, { done: number; partly: number; left: number }>
  left: { kind: string; name: string; why: string[] }[]
  path: string
}

void describe('an import from another Sonde', () => {
  let from: RunningSonde
  let into: RunningSonde
  let there: ApiClient
  let here: ApiClient
  let shop: CreatedProject
  let token: string
  let checkout: string
  const nowMs = Date.now()
  const write = async (
    path: string,
    body: unknown,
    method: 'POST' | 'PUT' = 'POST',
  ): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${from.url}/api/0/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    assert.ok(answer.ok, `${path}: ${answer.status} ${text}`)
    return JSON.parse(text) as Record<string, unknown>
  }
  const importArgs = (...more: string[]): string[] => [
    'import',
    'sentry',
    '--url',
    from.url,
    '--org',
    'acme',
    '--token-file',
    join(from.dataDir, 'token'),
    '--into',
    'moved',
    '--sonde',
    into.url,
    ...more,
  ]

  before(async () => {
    ;[from, into] = await Promise.all([startSonde(), startSonde()])
    shop = createProject(from, 'acme/shop')
    // Another id than it will have there.
    createProject(into, 'other/first')
    createProject(into, 'other/second')
    const scopes =
      'org:read,member:read,project:read,project:write,project:releases,event:read,event:write,alerts:read,alerts:write,team:write'
    token = sondeJson<{ token: string }>(from.dataDir, [
      'token',
      'create',
      '--name',
      'all',
      '--scopes',
      scopes,
    ]).token
    writeFileSync(join(from.dataDir, 'token'), `${token}\n`)
    there = apiClient(from)
    here = apiClient(into)
    await sendEvent(shop.dsn, checkoutError(nowMs - 30 * HOUR_MS))
    await sendEvent(shop.dsn, checkoutError(nowMs - 2 * HOUR_MS))
    await sendEvent(shop.dsn, hostileEvent(nowMs - HOUR_MS))
    for (let at = 2; at < ISSUES; at++)
      await sendEvent(shop.dsn, {
        ...messageEvent(nowMs - at * HOUR_MS, `message ${at}`),
        fingerprint: [`f${at}`],
      })
    const issues = await there.until<Issue[]>(
      '/api/0/projects/acme/shop/issues/?query=',
      (rows) => rows.length === ISSUES,
    )
    const idOf = (title: RegExp): string => issues.find((issue) => title.test(issue.title))?.id ?? ''
    checkout = issues.find((issue) => issue.count === '2')?.id ?? ''
    await write(`organizations/acme/issues/${checkout}/`, { assignedTo: OWNER.email, priority: 'low' }, 'PUT')
    await write(`organizations/acme/issues/${checkout}/comments/`, { text: 'I look **into** it' })
    await write(`organizations/acme/issues/${idOf(/message 2/)}/`, { status: 'resolved' }, 'PUT')
    await write(`organizations/acme/issues/${idOf(/message 3/)}/`, { status: 'ignored' }, 'PUT')
    await write('organizations/acme/teams/', { name: 'Checkout', slug: 'checkout' })
    await write('organizations/acme/releases/', {
      version: 'shop@1.0.0',
      projects: ['shop'],
      commits: [{ id: 'a'.repeat(40), message: 'a fix', author_email: 'dev@acme.test', author_name: 'Dev' }],
    })
    await write('organizations/acme/releases/shop@1.0.0/deploys/', { environment: 'production' })
    await write('organizations/acme/searches/', {
      name: 'Mine',
      query: 'is:unresolved level:error',
      visibility: 'organization',
    })
    sonde(from.dataDir, ['user', 'create', '--email', 'ada@acme.test', '--org', 'acme', '--role', 'admin'])
  })
  after(async () => {
    assert.equal(await from?.stop(), 0)
    assert.equal(await into?.stop(), 0)
  })

  void test('a dry run counts and writes nothing', () => {
    const { code, stdout, stderr } = sonde(into.dataDir, importArgs('--dry-run', '--json'))
    assert.equal(code, 0, stderr)
    const report = JSON.parse(stdout) as Report
    assert.equal(report.counts['issue']?.done, ISSUES)
    const database = new DatabaseSync(join(into.dataDir, 'records.sqlite'), { readOnly: true })
    assert.equal(database.prepare(`SELECT count(*) AS n FROM project WHERE slug = 'shop'`).get()?.['n'], 0)
    database.close()
  })

  void test('killed in the middle, it goes on, and everything is there once', async () => {
    const child = spawn(process.execPath, [SONDE, ...importArgs()], {
      env: sondeEnv(into.dataDir),
      stdio: 'ignore',
    })
    const folder = join(into.dataDir, 'imports')
    const journal = (): string => {
      try {
        const [one = ''] = readdirSync(folder)
        return readFileSync(join(folder, one, 'journal.ndjson'), 'utf8')
      } catch {
        return ''
      }
    }
    for (const endMs = Date.now() + 60_000; journal().split('"kind":"issue"').length < 3;) {
      assert.ok(child.exitCode === null && Date.now() < endMs, journal())
      await sleep(20)
    }
    child.kill('SIGKILL')
    const again = sonde(into.dataDir, importArgs('--json'))
    assert.equal(again.code, 0, again.stderr)
    const report = JSON.parse(again.stdout) as Report
    assert.deepEqual(report.left, [])
    assert.deepEqual(report.counts['issue'], { done: ISSUES, partly: 0, left: 0 })
    const issues = await here.until<Issue[]>(
      '/api/0/projects/moved/shop/issues/?query=',
      (rows) => rows.length === ISSUES,
    )
    assert.equal(
      issues.reduce((sum, { count }) => sum + Number(count), 0),
      ISSUES + 1,
    )
  })

  void test('issues have title, times, state, assignee and comments as there', async () => {
    const own = await there.get<Issue[]>('/api/0/projects/acme/shop/issues/?query=&limit=100')
    const moved = await here.get<Issue[]>('/api/0/projects/moved/shop/issues/?query=&limit=100')
    const shown = (rows: Issue[]) =>
      rows
        .map(({ title, culprit, status, count, firstSeen, assignedTo }) => ({
          title,
          culprit,
          status,
          count,
          firstSeen,
          assignee: assignedTo?.email,
        }))
        .toSorted((a, b) => (a.title + a.firstSeen < b.title + b.firstSeen ? -1 : 1))
    assert.deepEqual(shown(moved.body), shown(own.body))
    const issue = moved.body.find(({ count }) => count === '2')
    const comments = await here.get<
      { data: { text: string }; dateCreated: string; user: { name: string } | null }[]
    >(`/api/0/organizations/moved/issues/${issue?.id}/comments/`)
    const before = await there.get<{ dateCreated: string }[]>(
      `/api/0/organizations/acme/issues/${checkout}/comments/`,
    )
    assert.equal(comments.body.length, 1)
    assert.match(comments.body[0]?.data.text ?? '', /I look \*\*into\*\* it$/)
    assert.equal(comments.body[0]?.dateCreated, before.body[0]?.dateCreated)
  })

  void test('people, teams, releases, searches and alerts came along, and nobody was told of anything', async () => {
    const database = new DatabaseSync(join(into.dataDir, 'records.sqlite'), { readOnly: true })
    const rows = (sql: string) =>
      database
        .prepare(sql)
        .all()
        .map((row) => ({ ...row }))
    try {
      assert.deepEqual(rows('SELECT email, role, is_mailed FROM invitation'), [
        { email: 'ada@acme.test', role: 'admin', is_mailed: 0 },
      ])
      assert.deepEqual(rows(`SELECT slug FROM team`), [{ slug: 'checkout' }])
      assert.deepEqual(rows(`SELECT version FROM release WHERE version = 'shop@1.0.0'`), [
        { version: 'shop@1.0.0' },
      ])
      assert.deepEqual(rows('SELECT environment FROM deploy'), [{ environment: 'production' }])
      assert.deepEqual(rows('SELECT author_email FROM source_commit'), [{ author_email: 'dev@acme.test' }])
      assert.deepEqual(rows('SELECT name, query FROM saved_search'), [
        { name: 'Mine', query: 'is:unresolved level:error' },
      ])
      assert.deepEqual(rows('SELECT count(*) AS n FROM notification'), [{ n: 0 }])
      assert.deepEqual(rows('SELECT count(*) AS n FROM alert_rule WHERE is_enabled = 0'), [{ n: 0 }])
      assert.deepEqual(rows(`SELECT count(*) AS n FROM api_token WHERE name = 'import'`).length, 1)
    } finally {
      database.close()
    }
  })

  void test('an old DSN goes on working, with its project id of before', async () => {
    const moved = `${into.url.replace('://', `://${shop.publicKey}@`)}/${shop.id}`
    const project = await here.get<{ id: string }>('/api/0/projects/moved/shop/')
    assert.notEqual(project.body.id, shop.id)
    await sendEvent(moved, messageEvent(Date.now(), 'from an old page'))
    await here.until<Issue[]>('/api/0/projects/moved/shop/issues/?query=', (rows) =>
      rows.some(({ title }) => /old page/.test(title)),
    )
    const wrong = await fetch(`${into.url}/api/999/envelope/?sentry_key=${shop.publicKey}`, {
      method: 'POST',
      body: '{}\n',
    })
    assert.equal(wrong.status, 403)
  })

  void test('a page that sends through a tunnel reaches both', async () => {
    const server = createServer(createNodeTunnel({ to: [from.url], also: into.url, path: '/monitoring' }))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const tunnel = `http://127.0.0.1:${(server.address() as AddressInfo).port}/monitoring`
    const script = `const Sentry = require('@sentry/node')
      Sentry.init({ dsn: process.argv[1], tunnel: process.argv[2] })
      Sentry.captureException(new Error('through the tunnel'))
      Sentry.flush(5000).then((isDone) => process.exit(isDone ? 0 : 1))`
    const sdk = spawn(process.execPath, ['-e', script, shop.dsn, tunnel], { stdio: 'inherit' })
    assert.equal(await new Promise((resolve) => sdk.once('exit', resolve)), 0)
    const isThere = (rows: Issue[]): boolean => rows.some(({ title }) => /through the tunnel/.test(title))
    await there.until<Issue[]>('/api/0/projects/acme/shop/issues/?query=', isThere)
    await here.until<Issue[]>('/api/0/projects/moved/shop/issues/?query=', isThere)
    server.closeAllConnections()
    server.close()
  })

  void test('a token that is none, an organization that is none and a file that is none are said', () => {
    const bad = join(from.dataDir, 'bad-token')
    writeFileSync(bad, 'nonsense')
    const swap = (args: string[], name: string, value: string): string[] =>
      args.map((arg, at) => (args[at - 1] === name ? value : arg))
    const refused = sonde(into.dataDir, swap(importArgs(), '--token-file', bad))
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /token is not accepted/)
    assert.match(sonde(into.dataDir, swap(importArgs(), '--org', 'nobody')).stderr, /no organization nobody/)
    assert.match(
      sonde(into.dataDir, swap(importArgs(), '--token-file', '/nowhere')).stderr,
      /--token-file \/nowhere/,
    )
    assert.doesNotMatch(refused.stderr + into.log(), /nonsense/)
  })
})
