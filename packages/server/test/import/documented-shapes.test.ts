/**
 * Answers in the shapes that docs.sentry.io shows: what the import makes of them. They are written after the documentation, not
 * recorded from Sentry's service.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiClient, Json } from '../../src/import/api-client.ts'
import { payloadOfEvent, payloadOfStored } from '../../src/import/event-payload.ts'
import { sentrySource } from '../../src/import/sentry-source.ts'

async function allOf<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = []
  for await (const row of rows) all.push(row)
  return all
}

const answers: Readonly<Record<string, unknown>> = {
  'api/0/organizations/acme/teams/': [{ id: '2', slug: 'ancient-gabelers', name: 'Ancient Gabelers' }],
  'api/0/teams/acme/ancient-gabelers/members/': [
    { id: '1', email: 'Jane@Acme.test', orgRole: 'owner', user: { email: 'jane@acme.test' } },
    { id: '2', email: null },
  ],
  'api/0/organizations/acme/projects/': [
    {
      id: '4505321021243392',
      slug: 'the-spoiled-yoghurt',
      name: 'The Spoiled Yoghurt',
      platform: 'javascript-react',
      teams: [{ slug: 'ancient-gabelers' }],
    },
    { slug: 'no-id' },
  ],
  'api/0/projects/acme/the-spoiled-yoghurt/keys/': [
    {
      id: '60120449b6b1d5e45f75561e6dabd80b',
      name: 'Liked Pegasus',
      label: 'Liked Pegasus',
      public: '60120449b6b1d5e45f75561e6dabd80b',
      isActive: true,
    },
    {
      name: 'Old',
      dsn: { public: 'https://a785682ddda719b7a8a4011110d75598@o1.ingest.sentry.io/4505321021243392' },
      isActive: false,
    },
  ],
  'api/0/organizations/acme/issues/': [
    {
      id: '1',
      shortId: 'PUMP-1',
      title: 'ApiException',
      status: 'ignored',
      substatus: 'archived_until_escalating',
      statusDetails: {},
      count: '150',
      firstSeen: '2021-10-19T13:14:15Z',
      assignedTo: null,
      priority: 'high',
    },
    {
      id: '2',
      shortId: 'PUMP-2',
      title: 'x',
      status: 'resolved',
      statusDetails: { inNextRelease: true },
      assignedTo: { type: 'team', name: 'ancient-gabelers' },
    },
    {
      id: '3',
      shortId: 'PUMP-3',
      title: 'y',
      status: 'resolved',
      statusDetails: { inRelease: 'shop@1' },
      assignedTo: { type: 'user', email: 'Jane@acme.test' },
    },
    { id: '../../evil', title: 'hostile' },
    { title: 'no id' },
  ],
}

const api: ApiClient = {
  get: async (path) => answers[path],
  async *list(path) {
    yield* (answers[path] ?? []) as Json[]
  },
  async *rows(path, _, none) {
    if (answers[path] === undefined) none('its API has no such list')
    else yield* answers[path] as Json[]
  },
}

test('teams, projects, keys and issues of the documentation are read', async () => {
  const missing: string[] = []
  const miss = (kind: string): void => void missing.push(kind)
  const source = sentrySource(api, 'acme', 'Sentry')
  assert.deepEqual(await allOf(source.teams(miss)), [
    { slug: 'ancient-gabelers', name: 'Ancient Gabelers', emails: ['jane@acme.test'] },
  ])
  const projects = await allOf(source.projects())
  assert.deepEqual(
    projects.map(({ id, slug, teams }) => [id, slug, teams]),
    [['4505321021243392', 'the-spoiled-yoghurt', ['ancient-gabelers']]],
  )
  const [project] = projects
  assert.ok(project)
  assert.deepEqual(await allOf(source.keys(project, miss)), [
    { publicKey: '60120449b6b1d5e45f75561e6dabd80b', label: 'Liked Pegasus', isActive: true },
    { publicKey: 'a785682ddda719b7a8a4011110d75598', label: 'Old', isActive: false },
  ])
  const issues = await allOf(source.issues(project))
  assert.deepEqual(
    issues.map(({ id, status, resolvedIn, isUntilEscalating, assignee }) => ({
      id,
      status,
      resolvedIn,
      isUntilEscalating,
      assignee,
    })),
    [
      { id: '1', status: 'ignored', resolvedIn: undefined, isUntilEscalating: true, assignee: undefined },
      {
        id: '2',
        status: 'resolved',
        resolvedIn: 'next',
        isUntilEscalating: false,
        assignee: { team: 'ancient-gabelers' },
      },
      {
        id: '3',
        status: 'resolved',
        resolvedIn: 'shop@1',
        isUntilEscalating: false,
        assignee: { email: 'jane@acme.test' },
      },
    ],
  )
  assert.deepEqual(await allOf(source.metricRules(miss)), [])
  assert.deepEqual(missing, ['metric alerts'])
})

test('an event in the documented form becomes a payload again', () => {
  const frame = {
    filename: 'app.js',
    absPath: 'https://x.test/app.js',
    function: 'buy',
    lineNo: 3,
    colNo: 7,
    inApp: true,
    context: [[2, 'two'], [3, 'three'], [4, 'four'], 'bad'],
    vars: { a: '1' },
  }
  const payload = payloadOfEvent({
    eventID: '9fac2ceed9344f2bbfdd1fdacb0ed9b1',
    dateCreated: '2020-06-17T22:26:56.428Z',
    platform: 'javascript',
    release: { version: 'shop@1' },
    tags: [
      { key: 'level', value: 'error' },
      { key: 'environment', value: 'prod' },
      { key: 'plan', value: 'pro' },
    ],
    user: { id: '1', email: null, ip_address: '1.2.3.4' },
    entries: [
      {
        type: 'exception',
        data: {
          values: [
            { type: 'Error', value: 'no', mechanism: { handled: false }, stacktrace: { frames: [frame] } },
          ],
        },
      },
      {
        type: 'breadcrumbs',
        data: {
          values: [{ type: 'http', level: 'info', message: 'GET', timestamp: '2020-06-17T22:26:50.000Z' }],
        },
      },
      {
        type: 'request',
        data: { url: 'https://x.test/', method: 'GET', headers: [['Host', 'x.test']], query: [] },
      },
      'bad',
    ],
  })
  assert.deepEqual(payload, {
    event_id: '9fac2ceed9344f2bbfdd1fdacb0ed9b1',
    timestamp: Date.parse('2020-06-17T22:26:56.428Z') / 1_000,
    platform: 'javascript',
    level: 'error',
    environment: 'prod',
    release: 'shop@1',
    exception: {
      values: [
        {
          type: 'Error',
          value: 'no',
          mechanism: { handled: false },
          stacktrace: {
            frames: [
              {
                filename: 'app.js',
                abs_path: 'https://x.test/app.js',
                function: 'buy',
                lineno: 3,
                colno: 7,
                in_app: true,
                vars: { a: '1' },
                context_line: 'three',
                pre_context: ['two'],
                post_context: ['four'],
              },
            ],
          },
        },
      ],
    },
    breadcrumbs: {
      values: [
        {
          type: 'http',
          level: 'info',
          message: 'GET',
          timestamp: Date.parse('2020-06-17T22:26:50Z') / 1_000,
        },
      ],
    },
    request: { url: 'https://x.test/', method: 'GET', query_string: [], headers: [['Host', 'x.test']] },
    user: { id: '1', ip_address: '1.2.3.4' },
    tags: { plan: 'pro' },
  })
})

test('an event as it is stored keeps its fingerprint, and loses what a server added', () => {
  const payload = payloadOfStored({
    event_id: 'a'.repeat(32),
    fingerprint: ['mine'],
    title: 'T',
    culprit: 'c',
    hashes: ['h'],
    project: 5,
    message: '',
    logentry: { formatted: 'hello' },
    tags: [['level', 'info'], ['plan', 'pro'], ['bad'], 7],
    _meta: {},
  })
  assert.deepEqual(payload, {
    event_id: 'a'.repeat(32),
    fingerprint: ['mine'],
    logentry: { formatted: 'hello' },
    tags: { plan: 'pro' },
  })
})
