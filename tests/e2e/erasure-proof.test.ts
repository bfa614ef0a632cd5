/**
 * A person in everything that SDKs send, erased: no file of the data folder has a byte of them any more. That the search would find
 * them is shown first, in the log, the records, the blobs and the parts of every table.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { zstdDecompressSync } from 'node:zlib'
import { silentLogger } from '@sonde/base'
import { openLogWriter } from '@sonde/log'
import { newEventId } from '@sonde/protocol'
import { type ApiClient, apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { filesWith } from '../harness/raw-search.ts'
import { custom, element, pageOf, sendReplay } from '../harness/replay-events.ts'
import {
  type RunningSonde,
  sonde as runSonde,
  sondeJson,
  startSonde,
  temporaryDataDir,
} from '../harness/start-sonde.ts'
import { prefetchSpan, tabSpan } from './navigation-events.ts'
import { navigationSpan, pageLoad, sendItems, sendSpans } from './performance-events.ts'

const mark = randomBytes(6).toString('hex')
const ANNA = { id: `anna-${mark}`, email: `anna.${mark}@example.com`, ip: '203.0.113.77' } as const
const BEN = `ben-${randomBytes(6).toString('hex')}`
const data = temporaryDataDir()
let sonde: RunningSonde
let shop: CreatedProject
let api: ApiClient
let token: string

before(async () => {
  // What no door would let in becomes a dead letter.
  const log = await openLogWriter({ dir: join(data.dir, 'log'), logger: silentLogger })
  const meta = { v: 1, kind: 'envelope', receivedMs: Date.now(), projectId: 2, keyId: 2, clientIp: ANNA.ip }
  await log.append(Buffer.from(`${JSON.stringify(meta)}\nno envelope of ${ANNA.email}`))
  await log.close()
  sonde = await startSonde({ dataDir: data.dir })
  shop = createProject(sonde, 'acme/shop')
  api = apiClient(sonde)
  const scopes = 'event:read,event:write,event:admin,project:read,org:read'
  token = sondeJson<{ token: string }>(data.dir, [
    'token',
    'create',
    '--name',
    'erases',
    '--scopes',
    scopes,
  ]).token
})
after(async () => {
  assert.equal(await sonde?.stop(), 0)
  data.remove()
})

/** What each piece of an unencrypted repository unpacks to: those of small objects are whole. */
const piecesOf = (repository: string): readonly Buffer[] =>
  readdirSync(join(repository, 'objects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const bytes = readFileSync(join(entry.parentPath, entry.name))
      try {
        return zstdDecompressSync(bytes)
      } catch {
        return bytes
      }
    })

type Counted = { kinds: { kind: string; asUser: number; inTexts: number }[]; total: number }

async function ask<Answer>(path: string, body?: object): Promise<Answer> {
  const answer = await fetch(`${sonde.url}/api/0/projects/acme/shop/personal-data/${path}/`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  assert.ok(answer.ok, `${path} answered ${answer.status}: ${text}`)
  return (path === 'export' ? text : JSON.parse(text)) as Answer
}

async function until<Answer>(
  look: () => Promise<Answer>,
  done: (answer: Answer) => boolean,
): Promise<Answer> {
  const endMs = Date.now() + 120_000
  for (;;) {
    const answer = await look()
    if (done(answer)) return answer
    assert.ok(Date.now() < endMs, `${JSON.stringify(answer)}\n${sonde.log()}`)
    await sleep(200)
  }
}

const typed = (attributes: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, { type: 'string', value }]))

/** One of everything, of this user. */
async function sendEverything(user: Readonly<Record<string, string>>, says: string): Promise<void> {
  const nowMs = Date.now() - 2_000
  const { dsn } = shop
  const eventId = newEventId()
  const event = {
    event_id: eventId,
    platform: 'javascript',
    level: 'error',
    user,
    tags: { customer: says },
    exception: { values: [{ type: 'Error', value: `cart of ${says} is empty` }] },
  }
  const file = { type: 'attachment', filename: `${says}.txt`, attachment_type: 'event.attachment' }
  const { protocol, host, pathname, username } = new URL(dsn)
  const lines = [{ event_id: eventId }, { type: 'event' }, event, file, { of: says }]
  const sent = await fetch(`${protocol}//${host}/api${pathname}/envelope/?sentry_key=${username}`, {
    method: 'POST',
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  })
  assert.equal(sent.status, 200)
  await sendItems(dsn, [
    [{ type: 'transaction' }, { ...pageLoad({ route: '/cart', atMs: nowMs, lcp: 900, cls: 0 }), user }],
  ])
  const own = {
    attributes: typed({ 'user.id': user['id'] ?? '', 'client.address': user['ip_address'] ?? '' }),
  }
  const spans = [
    navigationSpan('/', '/cart', nowMs),
    tabSpan('b1', 7, nowMs - 1_000, nowMs),
    prefetchSpan('/cart', { issued: 2, used: 1 }, nowMs),
  ].map((span) => ({ ...span, attributes: { ...span.attributes, ...own.attributes } }))
  await sendSpans(dsn, spans)
  const logs = [
    { timestamp: nowMs / 1000, trace_id: newEventId(), level: 'info', body: `mail to ${says}`, ...own },
  ]
  await sendItems(dsn, [
    [{ type: 'log', item_count: 1, content_type: 'application/vnd.sentry.items.log+json' }, { items: logs }],
  ])
  const metric = {
    timestamp: nowMs / 1000,
    trace_id: newEventId(),
    name: 'orders',
    type: 'counter',
    value: 1,
    ...own,
  }
  await sendItems(dsn, [
    [
      { type: 'trace_metric', item_count: 1, content_type: 'application/vnd.sentry.items.trace-metric+json' },
      { items: [metric] },
    ],
  ])
  const session = {
    sid: newEventId(),
    did: user['id'],
    init: true,
    started: new Date(nowMs).toISOString(),
    status: 'ok',
  }
  await sendItems(dsn, [[{ type: 'session' }, { ...session, errors: 0, attrs: { release: 'shop@1' } }]])
  await sendReplay(dsn, { replayId: newEventId(), segment: 0, user }, [
    ...pageOf(nowMs, { body: [element('p', {}, 'The cart')] }),
    custom(nowMs + 5, 'breadcrumb', {
      category: 'ui.click',
      message: `greets ${says}`,
      timestamp: nowMs / 1000,
    }),
  ])
  const feedback = { message: `please call ${says}`, contact_email: user['email'], name: 'Somebody' }
  await sendItems(dsn, [
    [{ type: 'feedback' }, { event_id: newEventId(), platform: 'javascript', user, contexts: { feedback } }],
  ])
}

test('an erased person is in no file of the data folder', { timeout: 240_000 }, async (t) => {
  await sendEverything({ id: ANNA.id, email: ANNA.email, ip_address: ANNA.ip }, ANNA.email)
  await sendEverything({ id: BEN, email: `${BEN}@example.com` }, BEN)
  const ofAll = [
    'events',
    'spans',
    'logs',
    'metrics',
    'sessions',
    'replays',
    'navigations',
    'tabs',
    'prefetches',
    'vitals',
  ]
  const found = await until(
    () => ask<Counted>('find', ANNA),
    ({ kinds }) =>
      [...ofAll, 'attachments', 'issues'].every((kind) => kinds.some((one) => one.kind === kind)),
  )
  await until(
    () => Promise.resolve(sondeJson<unknown[]>(data.dir, ['dead', 'list'])),
    (letters) => letters.length === 1,
  )

  await t.test('the search finds the person in every store before', () => {
    const files = filesWith(data.dir, ANNA.email)
    for (const [what, pattern] of [
      ['the log', /^log\//],
      ['the records', /^records\.sqlite/],
      ['an attachment', /^blobs\/attachments\//],
      ['a dead letter', /^blobs\/dead\//],
      ['a recording', /^blobs\/replays\//],
      ['telemetry', /^telemetry\/.*\.bin$/],
    ] as const)
      assert.ok(
        files.some((file) => pattern.test(file)),
        `${what} does not have the person: ${files.join(', ')}`,
      )
    assert.ok(filesWith(data.dir, ANNA.id).some((file) => /^telemetry\/.*\.bin$/.test(file)))
    assert.ok(filesWith(data.dir, ANNA.ip).some((file) => /^telemetry\/.*\.bin$/.test(file)))
  })

  await t.test('the export has all kinds, and nothing of anybody else', async () => {
    const text = await ask<string>('export', ANNA)
    const kinds = new Set(
      text
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { kind: string }).kind),
    )
    for (const kind of ['index', ...ofAll, 'attachment', 'recording', 'file', 'record'])
      assert.ok(kinds.has(kind), `${kind} is not in ${[...kinds].join(', ')}`)
    assert.ok(!text.includes(BEN))
  })

  const backups = mkdtempSync(join(tmpdir(), 'sonde-erased-'))
  t.after(() => rmSync(backups, { recursive: true, force: true }))
  const repository = join(backups, 'repository')
  const backup = (...args: string[]): void => {
    const done = runSonde(data.dir, ['backup', ...args])
    assert.equal(done.code, 0, done.stderr)
  }
  const restored = (name: string): string => {
    const dir = join(backups, name)
    const done = runSonde(dir, ['restore', '--from', repository])
    assert.equal(done.code, 0, done.stderr)
    return dir
  }
  backup('create', '--to', repository)

  const { id } = await ask<{ id: string }>('erase', ANNA)
  const erasure = await until(
    () => ask<{ state: string; counts: Record<string, number>; trouble: string }>(`erasures/${id}`),
    ({ state }) => state === 'done',
  )

  await t.test('nothing is found, and the counts of what was are kept', async () => {
    assert.equal((await ask<Counted>('find', ANNA)).total, 0)
    for (const kind of [
      ...ofAll.filter((each) => each !== 'replays'),
      'session replays',
      'attachments',
      'dead letters',
      'issues',
    ])
      assert.ok(
        (erasure.counts[kind] ?? 0) > 0,
        `${kind}: ${JSON.stringify(erasure.counts)} of ${JSON.stringify(found.kinds)}`,
      )
  })

  await t.test('no file has a byte of the person', async () => {
    // The records are tidied right after the erasure says that it is done.
    await until(
      () => Promise.resolve(Object.values(ANNA).flatMap((value) => filesWith(data.dir, value))),
      (files) => files.length === 0,
    )
  })

  await t.test('a backup of before has the person until it is pruned, one of after has not', () => {
    assert.ok(filesWith(restored('before'), ANNA.email).length > 0)
    backup('create', '--to', repository)
    backup('prune', '--from', repository, '--keep-last', '1')
    const after = restored('after')
    for (const value of Object.values(ANNA)) assert.deepEqual(filesWith(after, value), [])
    // Nor has any piece that is left: what only the older one needed is gone.
    const left = piecesOf(repository)
    assert.ok(left.length > 0)
    for (const value of Object.values(ANNA)) assert.ok(!left.some((bytes) => bytes.includes(value)), value)
  })

  await t.test('what is stored of others is as it was', async () => {
    const ben = await ask<Counted>('find', { id: BEN })
    for (const kind of ['events', 'spans', 'logs', 'sessions', 'replays', 'attachments'])
      assert.ok(
        ben.kinds.some((one) => one.kind === kind),
        kind,
      )
    assert.ok(filesWith(data.dir, BEN).length > 0)
    await api.until<{ title: string }[]>('/api/0/projects/acme/shop/issues/', (issues) =>
      issues.some(({ title }) => title.includes('[Erased]')),
    )
  })
})
