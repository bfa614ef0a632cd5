/** An embedded Sonde with everything that people have in one, moved to servers of every kind, and started there. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLogger } from '@sonde/base'
import { encodeIntakeHead, NATS_DEFAULTS } from '@sonde/log'
import { openNatsWriter } from '@sonde/log/nats'
import { openTelemetry } from '@sonde/stores'
import { fillNavigations } from '../e2e/navigation-events.ts'
import { pageLoad, sendTransaction } from '../e2e/performance-events.ts'
import { signedInPlain } from '../e2e/plain-page.ts'
import { messageEvent, newEventId, sendEvent } from '../e2e/screens-events.ts'
import { createProject, type CreatedProject } from '../harness/api-client.ts'
import {
  startClickHouse,
  TEST_CLUSTER,
  type TestServers,
  whyNoClickHouse,
} from '../harness/servers/clickhouse.ts'
import { type NatsServers, startNats } from '../harness/servers/nats.ts'
import { createDatabase, type TestDatabase } from '../harness/servers/postgres-databases.ts'
import { type S3Server, startS3 } from '../harness/servers/s3.ts'
import { type RunningSonde, sonde, SONDE, sondeEnv, sondeJson, startSonde } from '../harness/start-sonde.ts'
import { uploadBuild } from '../harness/upload-build.ts'
import { backedUpAndRestored } from './backed-up-servers.ts'
import { checkUpgradeOfServers } from './check-upgrade.ts'

type Issue = {
  readonly id: string
  readonly shortId: string
  readonly title: string
  readonly status: string
  readonly count: string
}
type Line = { readonly step?: string; readonly done?: boolean; readonly moved?: boolean }
type Moved = {
  readonly moved: boolean
  readonly compared: readonly { what: string; from: number; to: number }[]
}

const MEMBER = 'member@example.com'
const WITHIN_MS = 30_000
const MAX_BYTES = 256 * 2 ** 20
const SCOPES = 'org:read,project:read,project:write,project:releases,event:read,event:write'

describe('a Sonde that moves to servers', { skip: whyNoClickHouse() ?? false }, () => {
  let servers: { clickhouse: TestServers; s3: S3Server; nats: NatsServers; database: TestDatabase }
  let running: RunningSonde
  let token: string
  let password: string
  let projects: readonly CreatedProject[]
  let shop: CreatedProject
  let options: readonly (readonly [option: string, value: string])[]
  let keys: NodeJS.ProcessEnv
  let moved: NodeJS.ProcessEnv
  /** What `/api/0` says of every project before the move. */
  let known: readonly (readonly Issue[])[]
  const file = randomBytes(300_000)
  const withFile = newEventId()
  const work = mkdtempSync(join(tmpdir(), 'sonde-move-'))

  before(async () => {
    const [clickhouse, s3, nats, database, started] = await Promise.all([
      startClickHouse({ shards: 2 }),
      startS3(),
      startNats(),
      createDatabase(),
      startSonde(),
    ])
    servers = { clickhouse, s3, nats, database }
    running = started
    const place = await clickhouse.place('sonde')
    // These servers have no Keeper for ON CLUSTER: the tables are there before.
    await (await openTelemetry(place, { logger: silentLogger })).close()
    const { place: bucket } = s3.makeBucket('prod')
    options = [
      ['--to-clickhouse', place.url],
      ['--to-cluster', TEST_CLUSTER],
      ['--to-database', database.url],
      ['--to-blobs', bucket.url],
      ['--to-nats', nats.url],
    ]
    keys = {
      SONDE_BLOBS_ACCESS_KEY: s3.keys.accessKey,
      SONDE_BLOBS_SECRET_KEY: s3.keys.secretKey,
      // Two logs reserve theirs on one server, which has what is free on this disk.
      SONDE_NATS_MAX_BYTES: String(MAX_BYTES),
    }
    moved = {
      SONDE_CLICKHOUSE_URL: place.url,
      SONDE_CLICKHOUSE_CLUSTER: TEST_CLUSTER,
      SONDE_DATABASE_URL: database.url,
      SONDE_BLOBS_URL: bucket.url,
      SONDE_NATS_URL: nats.url,
      ...keys,
    }
    await fill()
  })
  after(async () => {
    await running?.stop()
    const { clickhouse, s3, nats, database } = servers
    await Promise.all([clickhouse.stop(), s3.stop(), nats.stop(), database.drop()])
    for (const dir of [work, running.dataDir]) rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  })

  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${running.url}/api/0${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    })
  const issuesOf = async ({ org, project }: CreatedProject): Promise<readonly Issue[]> => {
    const answer = await ask(`/projects/${org}/${project}/issues/?query=`)
    assert.equal(answer.status, 200, await answer.clone().text())
    return ((await answer.json()) as Issue[])
      .map(({ id, shortId, title, status, count }) => ({ id, shortId, title, status, count }))
      .toSorted((a, b) => Number(a.id) - Number(b.id))
  }
  async function until<Result>(look: () => Promise<Result | undefined>, what: string): Promise<Result> {
    const endMs = Date.now() + WITHIN_MS
    for (;;) {
      const found = await look()
      if (found !== undefined) return found
      if (Date.now() > endMs) throw new Error(`waited in vain until ${what}\n${running.log()}`)
      await sleep(50)
    }
  }
  const eventsOf = async (projectsToCount: readonly CreatedProject[]): Promise<number> => {
    const counts = await Promise.all(projectsToCount.map(issuesOf))
    return counts.flat().reduce((sum, { count }) => sum + Number(count), 0)
  }
  const counted = (count: number): Promise<true> =>
    until(
      async () => ((await eventsOf(projects)) === count ? true : undefined),
      `${count} events are counted`,
    )

  async function fill(): Promise<void> {
    const { dataDir } = running
    projects = ['acme/shop', 'acme/desk'].map((path) => createProject(running, path))
    const made = ['user', 'create', '--email', MEMBER, '--org', 'acme', '--role', 'member']
    ;({ password } = sondeJson<{ password: string }>(dataDir, made))
    shop = projects[0] as CreatedProject
    const [one, other] = projects.map(({ id }) => Number(id) % 2)
    assert.notEqual(one, other, 'the projects are on different shards')
    ;({ token } = sondeJson<{ token: string }>(dataDir, [
      'token',
      'create',
      '--name',
      't',
      '--scopes',
      SCOPES,
    ]))
    const build = join(work, 'build')
    mkdirSync(build)
    writeFileSync(join(build, 'app.js'), 'checkout()\n//# sourceMappingURL=app.js.map\n')
    const map = {
      version: 3,
      sources: ['cart.ts'],
      sourcesContent: ['checkout(cart)\n'],
      names: [],
      mappings: 'AAAA',
    }
    writeFileSync(join(build, 'app.js.map'), JSON.stringify(map))
    await uploadBuild(build, { url: running.url, token, project: 'acme/shop', release: '1.0.0' })
    await sendEvent(shop.dsn, crash('before'))
    for (const { dsn } of projects) {
      await fillNavigations(dsn)
      await sendTransaction(
        dsn,
        pageLoad({ route: '/checkout', atMs: Date.now() - 60_000, lcp: 2_600, cls: 0.02 }),
      )
      for (const message of ['paid', 'paid', 'lost']) await sendEvent(dsn, messageEvent(Date.now(), message))
    }
    await sendWithFile()
    await counted(8)
    const [lost] = (await issuesOf(shop)).filter(({ title }) => title === 'lost')
    const put = await ask(`/organizations/acme/issues/${lost?.id}/`, {
      method: 'PUT',
      body: JSON.stringify({ status: 'resolved' }),
    })
    assert.equal(put.status, 200, await put.text())
    known = await Promise.all(projects.map(issuesOf))
  }

  /** At the one place of the script that its map knows; `injectDebugIds` has put a line in front. */
  function crash(id: string) {
    const script = readFileSync(join(work, 'build', 'app.js'), 'utf8')
    const filename = 'https://shop.example/app.js'
    return {
      event_id: createHash('md5').update(id).digest('hex'),
      platform: 'javascript',
      release: '1.0.0',
      timestamp: Date.now() / 1000,
      debug_meta: {
        images: [{ type: 'sourcemap', code_file: filename, debug_id: /debugId=(\S+)/.exec(script)?.[1] }],
      },
      exception: {
        values: [
          {
            type: 'Error',
            value: 'no cart',
            stacktrace: {
              frames: [{ filename, abs_path: filename, function: '?', lineno: 2, colno: 1, in_app: true }],
            },
          },
        ],
      },
    }
  }

  async function sendWithFile(): Promise<void> {
    const event = Buffer.from(JSON.stringify({ event_id: withFile, message: 'with a file' }))
    const head = (type: object, { length }: Buffer): string => `${JSON.stringify({ ...type, length })}\n`
    const body = Buffer.concat([
      Buffer.from(`{"event_id":"${withFile}"}\n${head({ type: 'event' }, event)}`),
      event,
      Buffer.from(`\n${head({ type: 'attachment', filename: 'file.bin' }, file)}`),
      file,
    ])
    const door = `${running.url}/api/${shop.id}/envelope/?sentry_key=${shop.publicKey}&sentry_version=7`
    assert.equal((await fetch(door, { method: 'POST', body })).status, 200)
  }

  /** As a start with the role `ingest` alone does. */
  async function appendToLog(message: string): Promise<void> {
    const eventId = newEventId()
    const projectId = Number(shop.id)
    const head = { v: 1, kind: 'envelope', receivedMs: Date.now(), projectId, keyId: 1, eventId } as const
    const body = `{"event_id":"${eventId}"}\n{"type":"event"}\n${JSON.stringify({ event_id: eventId, message })}\n`
    const { url } = servers.nats
    const writer = await openNatsWriter({
      url,
      partitions: NATS_DEFAULTS.partitions,
      maxBytes: MAX_BYTES,
      logger: silentLogger,
    })
    await writer.append(encodeIntakeHead(head), Buffer.from(body), projectId)
    await writer.close()
  }

  async function checkAttachment(): Promise<void> {
    const list = `/projects/acme/shop/events/${withFile}/attachments/`
    const [attachment] = (await (await ask(list)).json()) as { id: string }[]
    const bytes = await (await ask(`${list}${attachment?.id}/?download=1`)).arrayBuffer()
    assert.ok(file.equals(Buffer.from(bytes)))
  }

  const args = (json = true): string[] => ['move', ...options.flat(), ...(json ? ['--json'] : [])]
  const move = (dataDir: string, only = args()) => sonde(dataDir, only, keys)
  /** Killed as soon as it has said what `at` waits for. */
  async function killedMove(at: (line: Line) => boolean): Promise<void> {
    const env = sondeEnv(running.dataDir, keys)
    const child = spawn(process.execPath, [SONDE, ...args()], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = new Promise<NodeJS.Signals | null>((resolve) =>
      child.once('exit', (_, signal) => resolve(signal)),
    )
    for await (const text of createInterface(child.stdout))
      if (at(JSON.parse(text) as Line)) child.kill('SIGKILL')
    assert.equal(await ended, 'SIGKILL', 'it was killed before its end')
  }

  test('is refused while it runs', () => {
    const { code, stderr } = move(running.dataDir)
    assert.equal(code, 1)
    assert.match(stderr, /Sonde is running[^]*stop it, move/)
  })

  test('is killed within steps and between them, repeated, and has then the same rows and blobs on both sides', async () => {
    // What was acknowledged a moment ago waits in the log: nobody may have processed it.
    await sendEvent(shop.dsn, messageEvent(Date.now(), 'acknowledged'))
    await running.kill()
    const kills: readonly ((line: Line) => boolean)[] = [
      ({ step, done }) => step === 'telemetry' && !done,
      ({ step, done }) => step === 'telemetry' && done === true,
      ({ step, done }) => step === 'blobs' && !done,
      ({ step, done }) => step === 'records' && done === true,
    ]
    // The back ends by itself when its front is gone.
    await until(
      async () =>
        /is running/.test(move(running.dataDir, ['move', '--to-blobs', 's3://x']).stderr) ? undefined : true,
      'nothing runs',
    )
    for (const kill of kills) await killedMove(kill)
    const started = sonde(running.dataDir, ['start'], { PORT: '0', ...moved })
    assert.equal(started.code, 2)
    assert.match(started.stderr, /is being moved since .*Go on with the same `sonde move`/s)
    const { code, stdout, stderr } = move(running.dataDir)
    assert.equal(code, 0, stdout + stderr)
    const end = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Moved
    assert.ok(end.moved)
    assert.deepEqual(
      end.compared.filter(({ from, to }) => from !== to),
      [],
    )
    for (const what of [
      'events',
      'spans',
      'vitals',
      'navigations',
      'outcomes',
      'issue',
      'artifacts',
      'attachments',
    ])
      assert.ok(
        end.compared.some((line) => line.what === what && line.to > 0),
        `${what} moved`,
      )
  })

  test('does not start on what it left, and says how', () => {
    const { code, stderr } = sonde(running.dataDir, ['start'], { PORT: '0' })
    assert.equal(code, 2)
    assert.match(
      stderr,
      /was moved on .*Start with SONDE_NATS_URL, SONDE_CLICKHOUSE_URL, SONDE_BLOBS_URL, SONDE_DATABASE_URL/s,
    )
  })

  test('goes on there: issues, files, source maps, sign-in, DSNs and tokens as they were', async () => {
    running = await startSonde({ dataDir: running.dataDir, env: moved, port: running.port })
    await counted(9)
    const acknowledged = (await issuesOf(shop)).filter(({ title }) => title === 'acknowledged')
    assert.deepEqual(
      acknowledged.map(({ count }) => count),
      ['1'],
    )
    const now = await Promise.all(projects.map(issuesOf))
    assert.deepEqual(
      now.map((issues) => issues.filter(({ title }) => title !== 'acknowledged')),
      known,
    )
    await checkAttachment()
    const page = await signedInPlain(running.url, { email: MEMBER, password })
    for (const { org, project } of projects) {
      assert.equal(await page.goto(`/${org}/${project}/navigations`), 200)
      page.shows('/products/[product]')
      assert.equal(await page.goto(`/${org}/${project}/vitals`), 200)
      page.shows('/checkout')
    }
    await signedInPlain(running.url)

    for (const { dsn } of projects) await sendEvent(dsn, messageEvent(Date.now(), 'paid'))
    await sendEvent(shop.dsn, crash('after'))
    await counted(12)
    const later = await Promise.all(projects.map(issuesOf))
    assert.deepEqual(
      later.flat().map(({ id }) => id),
      now.flat().map(({ id }) => id),
      'no issue is new',
    )
    const event = await ask(`/projects/acme/shop/events/${crash('after').event_id}/`)
    assert.match(await event.text(), /checkout\(cart\)/, 'its source is shown')
  })

  test('is told by upgrade --check what a start would change, and what it would refuse', async () => {
    await running.stop()
    await checkUpgradeOfServers(running.dataDir, moved, servers.clickhouse)
  })

  test('has a backup by the commands of docs/operate/backup.md, from which empty servers get the same rows and Sonde goes on', async (context) => {
    await appendToLog('waited in the log')
    const { env, stop } = await backedUpAndRestored(servers, moved, context)
    try {
      running = await startSonde({ dataDir: running.dataDir, env, port: running.port })
      await counted(13)
      if (env['SONDE_BLOBS_URL'] !== moved['SONDE_BLOBS_URL']) await checkAttachment()
      await running.stop()
    } finally {
      await stop()
    }
  })

  test('is not let into servers that have what another move brought', () => {
    rmSync(join(running.dataDir, 'move.json'))
    for (const [only, message] of [
      [options.slice(0, 2), /is not empty: events has rows/],
      [options.slice(2, 3), /is not empty: "account" has rows/],
      [options.slice(3, 4), /is not empty: it has artifacts/],
    ] as const) {
      const { code, stderr } = move(running.dataDir, ['move', ...only.flat()])
      assert.equal(code, 1)
      assert.match(stderr, message)
    }
  })

  test('can go back to what it left, and move engine by engine', async () => {
    running = await startSonde({ dataDir: running.dataDir, port: running.port })
    await counted(9)
    const back = await Promise.all(projects.map(issuesOf))
    assert.deepEqual(
      back.map((issues) => issues.filter(({ title }) => title !== 'acknowledged')),
      known,
    )

    await running.stop()
    const { place: bucket } = servers.s3.makeBucket('two')
    const some = {
      SONDE_NATS_URL: servers.nats.url,
      SONDE_NATS_PREFIX: 'two',
      SONDE_BLOBS_URL: bucket.url,
      ...keys,
    }
    for (const [only, env] of [
      [['--to-blobs', bucket.url], keys],
      [['--to-nats', servers.nats.url], some],
    ] as const) {
      const { SONDE_NATS_URL: _, ...source } = env as NodeJS.ProcessEnv
      const { code, stdout, stderr } = sonde(running.dataDir, ['move', ...only], source)
      assert.equal(code, 0, stdout + stderr)
      assert.match(stdout, new RegExp(`SONDE_DATA_DIR=${running.dataDir}`))
    }
    running = await startSonde({ dataDir: running.dataDir, env: some, port: running.port })
    await sendEvent(shop.dsn, messageEvent(Date.now(), 'paid'))
    await counted(10)
    await checkAttachment()
  })
})
