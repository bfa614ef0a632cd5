/** The whole of Sonde with its telemetry on two ClickHouse shards, one of which goes away and comes back. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { openTelemetry } from '@sonde/stores'
import { fillNavigations } from '../e2e/navigation-events.ts'
import { pageLoad, sendTransaction } from '../e2e/performance-events.ts'
import { type PlainPage, signedInPlain } from '../e2e/plain-page.ts'
import { messageEvent, sendEvent } from '../e2e/screens-events.ts'
import { type ApiClient, apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import {
  startClickHouse,
  TEST_CLUSTER,
  type TestServers,
  whyNoClickHouse,
} from '../harness/servers/clickhouse.ts'
import { type RunningSonde, sonde, startSonde } from '../harness/start-sonde.ts'
import { storedEventIds } from '../harness/stored-events.ts'

type Doctor = { parts: readonly { name: string; state: string; detail: string }[] }

describe('Sonde on two shards', { skip: whyNoClickHouse() ?? false }, () => {
  let servers: TestServers
  let running: RunningSonde
  let api: ApiClient
  let page: PlainPage
  /** By the shard that has its rows. */
  let onFirst: CreatedProject
  let onSecond: CreatedProject
  before(async () => {
    servers = await startClickHouse({ shards: 2 })
    const place = await servers.place('sonde')
    // These servers have no Keeper for ON CLUSTER: the tables are there before Sonde starts.
    await (await openTelemetry(place, { logger: silentLogger })).close()
    running = await startSonde({
      env: { SONDE_CLICKHOUSE_URL: place.url, SONDE_CLICKHOUSE_CLUSTER: TEST_CLUSTER },
    })
    api = apiClient(running)
    const [one, other] = ['acme/shop', 'acme/desk'].map((path) => createProject(running, path))
    assert.ok(one && other && Number(one.id) % 2 !== Number(other.id) % 2)
    ;[onFirst, onSecond] = Number(one.id) % 2 === 0 ? [one, other] : [other, one]
    page = await signedInPlain(running.url)
  })
  after(async () => {
    await running?.stop()
    await servers?.stop()
  })

  const doctorLine = (name: string) => {
    // It ends with 1 where something is down.
    const { stdout } = sonde(running.dataDir, ['doctor', '--json'], { PORT: String(running.port) })
    return (JSON.parse(stdout) as Doctor).parts.find((part) => part.name === name)
  }
  const show = async ({ org, project }: CreatedProject, screen: string): Promise<number> =>
    page.goto(`/${org}/${project}/${screen}`)
  const stored = async (project: CreatedProject, ids: readonly string[]): Promise<void> => {
    await api.until<unknown[]>(
      `/api/0/projects/${project.org}/${project.project}/events/?limit=100`,
      (events) => events.length >= ids.length,
      30_000,
    )
    await api.until<{ count: string }[]>(
      `/api/0/projects/${project.org}/${project.project}/issues/`,
      (issues) => issues.reduce((sum, { count }) => sum + Number(count), 0) >= ids.length,
    )
    assert.deepEqual((await storedEventIds(api, project)).toSorted(), ids.toSorted())
  }
  const sent = new Map<string, string[]>()
  const send = async (project: CreatedProject, message: string): Promise<readonly string[]> => {
    const id = await sendEvent(project.dsn, messageEvent(Date.now(), message))
    const ids = sent.get(project.id) ?? []
    ids.push(id)
    sent.set(project.id, ids)
    return ids
  }

  test('events, navigations and vitals of both shards are in /api/0 and on the screens', async () => {
    for (const project of [onFirst, onSecond]) {
      await fillNavigations(project.dsn)
      const load = pageLoad({ route: '/checkout', atMs: Date.now() - 60_000, lcp: 2_600, cls: 0.02 })
      await sendTransaction(project.dsn, load)
      await stored(project, await send(project, `seen on ${project.project}`))
      assert.equal(await show(project, 'issues'), 200)
      page.shows(`seen on ${project.project}`)
      assert.equal(await show(project, 'navigations'), 200)
      page.shows('/products/[product]')
      assert.equal(await show(project, 'vitals'), 200)
      page.shows('/checkout')
      assert.equal(await show(project, 'performance'), 200)
      page.shows('/checkout')
    }
  })

  test('the doctor says where the servers are and how they are', () => {
    const line = doctorLine('clickhouse')
    assert.equal(line?.state, 'ok', line?.detail)
    assert.match(line?.detail ?? '', /cluster test-cluster: 2 shards, 2 of 2 servers answering, .* free/)
  })

  test('a shard that is away is named, the other is shown, what is sent is accepted, and nothing is lost or doubled', async () => {
    const [, second] = servers.shards
    await second?.stop()
    const first = await send(onFirst, 'sent meanwhile')
    const other = await send(onSecond, 'sent meanwhile')
    assert.equal(await show(onFirst, 'issues'), 200)
    assert.equal(await show(onSecond, 'vitals'), 503)
    page.shows('shard 2 of the telemetry store does not answer')
    const answer = await api.get<{ detail: string }>(
      `/api/0/projects/${onSecond.org}/${onSecond.project}/events/`,
    )
    assert.equal(answer.status, 503)
    assert.match(answer.body.detail, /shard 2 of the telemetry store does not answer/)
    const line = doctorLine('clickhouse')
    assert.equal(line?.state, 'down')
    assert.match(line?.detail ?? '', new RegExp(`Shard 2 \\(${second?.node}\\) does not answer`))
    await second?.start()
    await stored(onFirst, first)
    await stored(onSecond, other)
    assert.equal(await show(onSecond, 'vitals'), 200)
    assert.equal(doctorLine('clickhouse')?.state, 'ok')
  })
})
