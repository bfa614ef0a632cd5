import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { openLogWriter } from '@sonde/log'
import { apiClient, createProject } from '../harness/api-client.ts'
import {
  OWNER,
  type RunningSonde,
  sonde,
  sondeJson,
  startSonde,
  temporaryDataDir,
} from '../harness/start-sonde.ts'

type Doctor = {
  state: string
  parts: { name: string; state: string; detail: string }[]
  log: { depthBytes: number }
  deadLetters: number
  outcomes: { category: string; outcome: string; reason: string; quantity: number }[]
}
type Dead = { id: number; reason: string; replayedMs?: number }

test('the command line works before Sonde ran, while it runs and after it stopped', async (t) => {
  const data = temporaryDataDir()
  t.after(data.remove)
  const before = sondeJson<{ id: string; dsn: string; publicKey: string; org: string; project: string }>(
    data.dir,
    ['project', 'create', 'acme/shop', '--platform', 'javascript'],
    { PORT: '8600' },
  )
  assert.deepEqual([before.id, before.org, before.project], ['1', 'acme', 'shop'])
  assert.equal(before.dsn, `http://${before.publicKey}@127.0.0.1:8600/1`)
  const stopped = sondeJson<Doctor>(data.dir, ['doctor'])
  assert.equal(stopped.parts.find((part) => part.name === 'sonde')?.state, 'stopped')

  const running = await startSonde({ dataDir: data.dir })
  const again = createProject(running, 'acme/shop')
  assert.equal(again.publicKey, before.publicKey)
  const second = createProject(running, 'acme/api', 'node')
  const sent = await fetch(
    `${running.url}/api/${second.id}/envelope/?sentry_key=${second.publicKey}&sentry_version=7`,
    {
      method: 'POST',
      body: '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}\n{"type":"event"}\n{"message":"from a key made a moment ago"}\n',
    },
  )
  assert.equal(sent.status, 200)
  await apiClient(running).until(
    '/api/0/projects/acme/api/events/9ec79c33ec9942ab8353589fcb2e04dc/',
    () => true,
  )
  const doctor = sondeJson<Doctor>(data.dir, ['doctor'])
  assert.equal(doctor.state, 'ok')
  assert.deepEqual(
    doctor.outcomes.map(({ category, outcome, quantity }) => [category, outcome, quantity]),
    [['default', 'accepted', 1]],
  )
  assert.equal(await running.stop(), 0)
  assert.match(sonde(data.dir, ['doctor']).stdout, /1 +default +accepted/)
})

test('a script asks for the verdict of a release, of a running Sonde and of one that stopped', async (t) => {
  const data = temporaryDataDir()
  t.after(data.remove)
  const running = await startSonde({ dataDir: data.dir })
  const project = createProject(running, 'acme/shop')
  const crashed = { 'shop@1.0.0': 10, 'shop@2.0.0': 900 }
  for (const [release, count] of Object.entries(crashed)) {
    const started = new Date(Date.now() - 60_000).toISOString()
    const aggregates = [{ started, exited: 5_000 - count, crashed: count }]
    const payload = JSON.stringify({ aggregates, attrs: { release, environment: 'production' } })
    const sent = await fetch(
      `${running.url}/api/${project.id}/envelope/?sentry_key=${project.publicKey}&sentry_version=7`,
      { method: 'POST', body: `{}\n{"type":"sessions"}\n${payload}\n` },
    )
    assert.equal(sent.status, 200)
  }
  type Groups = { readonly groups: readonly object[] }
  const query = 'field=sum(session)&groupBy=release&statsPeriod=1d&interval=1d'
  await apiClient(running).until<Groups>(
    `/api/0/organizations/acme/sessions/?${query}`,
    ({ groups }) => groups.length === 2,
  )
  type Judged = {
    readonly verdict: string
    readonly before?: string
    readonly measures: readonly { name: string }[]
  }
  const ask = (dir: string, release: string, ...more: string[]) =>
    sonde(dir, ['release', 'verdict', '--project', 'acme/shop', '--release', release, ...more])
  const judge = (): void => {
    const worse = ask(data.dir, 'shop@2.0.0', '--json')
    assert.equal(worse.code, 1, worse.stderr)
    const judged = JSON.parse(worse.stdout) as Judged
    assert.deepEqual(
      [judged.verdict, judged.before, judged.measures.map(({ name }) => name)],
      ['worse', 'shop@1.0.0', ['crashed_sessions']],
    )
    const unknown = ask(data.dir, 'shop@3.0.0')
    assert.deepEqual(
      [unknown.code, unknown.stdout, unknown.stderr],
      [2, '', 'sonde: project acme/shop has no release shop@3.0.0\n'],
    )
    const nowhere = ['release', 'verdict', '--project', 'acme/nope', '--release', 'shop@2.0.0', '--json']
    const { code, stdout, stderr } = sonde(data.dir, nowhere)
    assert.equal(code, 2)
    assert.deepEqual(JSON.parse(stdout), { error: 'project acme/nope does not exist', kind: 'not-found' })
    assert.match(stderr, /^sonde: project acme\/nope does not exist\n/)
  }
  judge()
  const first = ask(data.dir, 'shop@1.0.0', '--wait', '1s')
  assert.deepEqual([first.code, first.stderr], [0, ''])
  assert.match(first.stdout, /is the first release/)
  assert.match(
    ask(data.dir, 'shop@2.0.0').stdout,
    /worse than shop@1\.0\.0[^]+crashed_sessions +worse +\+17\.8 points/,
  )
  for (const wrong of [
    ['--days', '0'],
    ['--wait', '1 week'],
  ])
    assert.equal(ask(data.dir, 'shop@2.0.0', ...wrong).code, 2)
  assert.equal(await running.stop(), 0)
  judge()
})

describe('beside a running Sonde', () => {
  let running: RunningSonde
  before(async () => {
    running = await startSonde()
  })
  after(async () => assert.equal(await running.stop(), 0))

  test('what the command line gave it lists and takes back, at the next request', async () => {
    type Token = { id: number; token: string; name: string; orgSlug?: string; expiresMs?: number }
    const create = ['token', 'create', '--scopes', 'org:read,event:read']
    const all = sondeJson<Token>(running.dataDir, [...create, '--name', 'every \u001b[31mone'])
    const short = sondeJson<Token>(running.dataDir, [...create, '--org', 'default', '--expires-days', '7'])
    const status = async (token: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` }
      return (await fetch(`${running.url}/api/0/organizations/`, { headers })).status
    }
    assert.deepEqual([await status(all.token), await status(short.token)], [200, 200])
    const listed = sondeJson<Token[]>(running.dataDir, ['token', 'list'])
    assert.deepEqual(
      listed.map(({ id, orgSlug, expiresMs }) => [id, orgSlug, expiresMs]),
      [
        [short.id, 'default', short.expiresMs],
        [all.id, undefined, undefined],
      ],
    )
    const shown = sonde(running.dataDir, ['token', 'list']).stdout
    assert.match(shown, /every \\u001b\[31mone +all organizations +command line +org:read,event:read/)
    assert.ok(!shown.includes('\u001b'))
    sondeJson(running.dataDir, ['token', 'delete', String(all.id)])
    assert.deepEqual([await status(all.token), await status(short.token)], [401, 200])
    assert.equal(sonde(running.dataDir, ['token', 'delete', String(all.id)]).code, 1)
    assert.equal(sonde(running.dataDir, ['token', 'delete', 'everything']).code, 2)

    const email = 'ada@example.com'
    const ada = sondeJson<{ password: string }>(running.dataDir, ['user', 'create', '--email', email])
    const cookie = await signedIn(running.url, email, ada.password)
    const mayRead = async (): Promise<number> =>
      (await fetch(`${running.url}/api/0/organizations/default/`, { headers: { cookie } })).status
    assert.equal(await mayRead(), 200)
    sondeJson(running.dataDir, ['user', 'remove', '--email', email, '--org', 'default'])
    assert.equal(await mayRead(), 404)
    sondeJson(running.dataDir, ['user', 'create', '--email', email])
    assert.equal(await mayRead(), 200)
    sondeJson(running.dataDir, ['user', 'disable', '--email', email])
    assert.equal(await mayRead(), 401)
    await assert.rejects(signedIn(running.url, email, ada.password), /disabled/)
    sondeJson(running.dataDir, ['user', 'enable', '--email', email])
    await signedIn(running.url, email, ada.password)
    type Person = { email: string; isOperator: boolean; memberships: { orgSlug: string; role: string }[] }
    const people = (): string[] =>
      sondeJson<Person[]>(running.dataDir, ['user', 'list']).map(
        (person) =>
          `${person.email} ${person.isOperator} ${person.memberships.map(({ role }) => role).join()}`,
      )
    assert.deepEqual(people(), [`${email} false member`, `${OWNER.email} true owner`])
    assert.match(
      sonde(running.dataDir, ['user', 'list', '--org', 'default']).stdout,
      /default owner +operator/,
    )
    sondeJson(running.dataDir, ['user', 'delete', '--email', email])
    assert.deepEqual(people(), [`${OWNER.email} true owner`])
    for (const command of ['remove', 'delete', 'disable'])
      assert.match(
        sonde(
          running.dataDir,
          ['user', command, '--email', OWNER.email, '--org', 'default'].slice(
            0,
            command === 'remove' ? 6 : 4,
          ),
        ).stderr,
        /is the last (?:owner|operator)/,
      )
    assert.match(
      sonde(running.dataDir, ['user', 'set-operator', '--email', OWNER.email, '--off']).stderr,
      /last operator/,
    )
  })

  test('a person made on the command line signs in, once with the printed password', async () => {
    const grace = sondeJson<{ password: string }>(running.dataDir, [
      'user',
      'create',
      '--email',
      'grace@example.com',
      '--role',
      'viewer',
    ])
    const signIn = (email: string, password: string): Promise<Response> =>
      fetch(`${running.url}/sign-in`, {
        method: 'POST',
        headers: { origin: running.url },
        body: new URLSearchParams({ email, password }),
        redirect: 'manual',
      })
    assert.equal((await signIn('grace@example.com', grace.password)).status, 303)
    assert.equal((await signIn(OWNER.email, OWNER.password)).status, 303)
    assert.equal((await signIn('grace@example.com', 'wrong password')).status, 422)
    const forgot = ['user', 'set-password', '--email', 'grace@example.com']
    const renewed = sondeJson<{ password: string }>(running.dataDir, forgot)
    assert.equal((await signIn('grace@example.com', grace.password)).status, 422)
    assert.equal((await signIn('grace@example.com', renewed.password)).status, 303)
  })
})

async function signedIn(url: string, email: string, password: string): Promise<string> {
  const answer = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

test('a record that cannot be digested blocks nothing, is listed with its reason, and can be tried again', async (t) => {
  const data = temporaryDataDir()
  t.after(data.remove)
  const log = await openLogWriter({ dir: `${data.dir}/log`, logger: silentLogger })
  await log.append(
    Buffer.from('{"v":1,"kind":"envelope","receivedMs":1,"projectId":1,"keyId":1}\nno envelope at all'),
  )
  await log.close()
  const running = await startSonde({ dataDir: data.dir })
  t.after(() => running.stop())
  const dead = async (count: number): Promise<Dead[]> => {
    for (;;) {
      const letters = sondeJson<Dead[]>(data.dir, ['dead', 'list'])
      if (letters.length >= count) return letters
    }
  }
  const writing = join(data.dir, 'blobs', '.unfinished', 'a-write-of-the-running-sonde')
  writeFileSync(writing, 'half')
  const [first] = await dead(1)
  assert.ok(first)
  assert.match(sonde(data.dir, ['dead', 'list']).stdout, new RegExp(first.reason))
  assert.equal(sondeJson<Doctor>(data.dir, ['doctor']).deadLetters, 1)
  assert.deepEqual(sondeJson(data.dir, ['dead', 'replay']), { replayed: [first.id], failed: [] })
  // Still no envelope: it dies again, and the first is marked as tried.
  const letters = await dead(2)
  assert.ok(existsSync(writing), 'a command beside a running Sonde takes nothing of its unfinished writes')
  assert.ok(letters.find(({ id }) => id === first.id)?.replayedMs)
  const unknown = sonde(data.dir, ['dead', 'replay', '4711'])
  assert.equal(unknown.code, 1)
  assert.match(unknown.stderr, /4711/)
})

test('PORT=eighty stops the start with the name, the reason and what is allowed', (t) => {
  const data = temporaryDataDir()
  t.after(data.remove)
  const { code, stderr } = sonde(data.dir, ['start'], { PORT: 'eighty' })
  assert.equal(code, 2)
  assert.match(stderr, /PORT: .*allowed is/)
})

test('wrong commands are answered with what is right', (t) => {
  const data = temporaryDataDir()
  t.after(data.remove)
  for (const [args, says] of [
    [['project', 'burn'], /no command "project burn"/],
    [['project', 'create', 'shop'], /ORG\/PROJECT/],
    [['project', 'create', 'Acme/../x'], /./],
    [['token', 'create', '--name', 'x'], /--scopes is missing/],
    [['token', 'create', '--name', 'x', '--scopes', 'everything'], /is one of/],
    [['dead', 'replay', 'all'], /is no id/],
  ] as const) {
    const { code, stderr } = sonde(data.dir, args)
    assert.notEqual(code, 0, args.join(' '))
    assert.match(stderr, says)
  }
})
