/** A server that Sonde needs goes away under load, and comes back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goesOn, ROUNDS, secondsToSee, useWhole, whileSending } from './whole-sonde.ts'

const whole = useWhole()
const inSeconds = async (work: Promise<unknown>): Promise<string> => {
  const startedMs = performance.now()
  await work
  return ((performance.now() - startedMs) / 1_000).toFixed(1)
}

void test('a NATS server that is stopped and started costs nothing', async (context) => {
  const { nodes } = whole().cluster.servers.nats
  await whileSending(whole(), context, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const node = nodes[round % nodes.length]
      // What it led waits for an election after a kill, for longer than a test should take.
      const end = round % 2 === 0 ? 'stop' : 'kill'
      await node?.[end]()
      const after = await inSeconds(goesOn(whole()))
      const seenAfter = await secondsToSee(whole())
      await node?.start()
      await goesOn(whole())
      context.diagnostic(
        `${end}: goes on after ${after} s, a new event is seen after ${seenAfter.toFixed(1)} s; started: after ${(await secondsToSee(whole())).toFixed(1)} s`,
      )
    }
  })
})

void test('a ClickHouse shard that is stopped and started: everything is accepted, and the screens say what is missing', async (context) => {
  const { cluster, page, api, projects } = whole()
  const [, shard] = cluster.servers.clickhouse.shards
  const [onFirst, onSecond] = projects.toSorted((a, b) => a.shard - b.shard)
  assert.ok(shard && onFirst && onSecond)
  const sent = await whileSending(whole(), context, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await shard.stop()
      await goesOn(whole())
      // More often than there are members: no failure of one project may take the screens from the others.
      for (let look = 0; look < 3; look++) {
        assert.equal(await page.goto(`/acme/${onSecond.project}/issues`), 503)
        page.shows('shard 2 of the telemetry store does not answer')
        assert.equal(await page.goto(`/acme/${onFirst.project}/issues`), 200)
        page.shows('BenchError')
        const answer: { status: number; body: { detail: string } } = await api.get(
          `/api/0/projects/acme/${onSecond.project}/events/`,
        )
        assert.equal(answer.status, 503)
        assert.match(answer.body.detail, /shard 2 of the telemetry store does not answer/)
      }
      await shard.start()
      context.diagnostic(`started: a new event is seen after ${(await secondsToSee(whole())).toFixed(1)} s`)
      assert.equal(await page.goto(`/acme/${onSecond.project}/issues`), 200)
    }
  })
  assert.equal(sent.unanswered, 0, 'every request was answered with 200')
})

void test('a PostgreSQL that is stopped and started: everything is accepted, and the screens say what is missing', async (context) => {
  const { cluster, page } = whole()
  const { postgres } = cluster.servers
  const sent = await whileSending(whole(), context, async () => {
    for (let round = 0; round < ROUNDS; round++) {
      await postgres.stop()
      await goesOn(whole())
      assert.equal(await page.goto('/acme/shop/issues'), 503)
      page.shows('records')
      await postgres.start()
      context.diagnostic(`started: a new event is seen after ${(await secondsToSee(whole())).toFixed(1)} s`)
      assert.equal(await page.goto('/acme/shop/issues'), 200)
    }
  })
  assert.equal(sent.unanswered, 0, 'every request was answered with 200')
})
