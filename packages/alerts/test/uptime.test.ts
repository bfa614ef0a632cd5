/** Uptime monitors against a real server: state, incident, messages, rows; with the engines that the environment names. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Message, UptimeMonitorInput } from '../src/index.ts'
import { UPTIME_MONITOR } from '../src/index.ts'
import { deliverDue } from '../src/outbox/deliver.ts'
import { readJsonPath, valueAt } from '../src/uptime/json-path.ts'
import { nextUptimeWorkMs, runChecks } from '../src/uptime/run-checks.ts'
import { isExpectedStatus, readStatuses } from '../src/uptime/status-list.ts'
import { nextDueAt, standingAfter } from '../src/uptime/uptime-state.ts'
import { type Harness, NOW_MS, openHarness } from './harness.ts'

const MINUTE_MS = 60_000

describe('uptime monitors', () => {
  let harness: Harness
  let startMs = NOW_MS
  before(async () => {
    harness = await openHarness()
  })
  after(() => harness.close())
  beforeEach(async () => {
    harness.receiver.received.length = 0
    harness.receiver.answer(() => ({ status: 200, body: '{"status":"ok","db":{"lag":[3]}}' }))
    await harness.records.updateTable('uptime_state').set({ due_ms: null }).execute()
    startMs += 7 * 24 * 60 * MINUTE_MS
    harness.at(startMs)
  })

  async function monitor(input: Partial<UptimeMonitorInput> = {}) {
    const shop = await harness.project('shop')
    const { id: channelId } = await harness.webhook(shop.orgId)
    const read = UPTIME_MONITOR.parse({
      url: `${harness.receiver.url}/health`,
      failures: 2,
      failuresOf: 2,
      actions: [{ type: 'channel', channelId }],
      ...input,
    })
    const { records } = harness
    const { id } = await records
      .insertInto('uptime_monitor')
      .values({
        project_id: shop.id,
        name: 'Shop',
        environment: read.environment,
        interval_sec: read.intervalSec,
        value: JSON.stringify(read),
        secret: '',
        created_by: '',
        created_ms: startMs,
        updated_ms: startMs,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await records
      .insertInto('uptime_state')
      .values({
        monitor_id: id,
        due_ms: startMs,
        state: 'new',
        since_ms: startMs,
        recent: '',
        checked_ms: null,
        outcome: '',
        reason: '',
        status: 0,
        total_ms: 0,
        certificate_ms: null,
        incident_id: null,
      })
      .execute()
    return { id, projectId: shop.id }
  }

  const state = (id: number) =>
    harness.records
      .selectFrom('uptime_state')
      .selectAll()
      .where('monitor_id', '=', id)
      .executeTakeFirstOrThrow()
  const asked = () => harness.receiver.received.filter(({ path }) => path === '/health').length
  const run = () => runChecks(harness.deps, new AbortController().signal)
  async function told() {
    while ((await deliverDue(harness.deps, new AbortController().signal)) > 0);
    return harness.receiver.received
      .filter(({ path }) => path !== '/health')
      .map(({ body }) => (JSON.parse(body) as { data: Message }).data)
      .map(({ kind, title }) => `${kind}: ${title}`)
  }

  it('is up, down after the second failure, and up again: told once each, with one incident', async () => {
    const { id } = await monitor()
    const minute = async (at: number, status: number) => {
      harness.at(startMs + at * MINUTE_MS)
      harness.receiver.answer(({ path }) => ({ status: path === '/health' ? status : 200 }))
      assert.equal(await run(), 1)
    }
    await minute(0, 200)
    assert.equal((await state(id)).state, 'up')
    await minute(1, 500)
    assert.deepEqual([(await state(id)).state, await told()], ['up', []])
    await minute(2, 500)
    const down = await state(id)
    assert.deepEqual([down.state, down.outcome, down.since_ms], ['down', 'status', startMs + 2 * MINUTE_MS])
    await minute(3, 500)
    await minute(4, 200)
    assert.equal((await state(id)).state, 'down')
    await minute(5, 200)
    assert.equal((await state(id)).state, 'up')
    assert.deepEqual(await told(), [
      'uptime: Shop is down: the status was 500, not of 200-299',
      'resolved: Shop is up again',
    ])
    const incidents = await harness.records
      .selectFrom('incident')
      .select(['started_ms', 'resolved_ms', 'resolved_by'])
      .where('dedup_key', 'like', `uptime:${id}:%`)
      .execute()
    assert.deepEqual(incidents, [
      { started_ms: startMs + 2 * MINUTE_MS, resolved_ms: startMs + 5 * MINUTE_MS, resolved_by: 'rule' },
    ])
    const rows = await harness.deps.telemetry.query<{ outcome: string; n: number }>(
      `SELECT outcome, toUInt32(count()) AS n FROM uptime_checks WHERE monitor_id = ${id} GROUP BY outcome ORDER BY outcome`,
    )
    assert.deepEqual(rows, [
      { outcome: 'status', n: 3 },
      { outcome: 'up', n: 3 },
    ])
    const hours = await harness.records
      .selectFrom('uptime_hour')
      .selectAll()
      .where('monitor_id', '=', id)
      .execute()
    assert.deepEqual(
      hours.map(({ checks, failed }) => [checks, failed]),
      [[6, 3]],
    )
  })

  it('asks once an interval, on its grid, and once after a long pause', async () => {
    const { id } = await monitor({ intervalSec: 30, timeoutMs: 5_000 })
    assert.ok(((await nextUptimeWorkMs(harness.deps)) ?? Infinity) <= harness.deps.clock.nowMs())
    assert.equal(await run(), 1)
    assert.equal(await run(), 0)
    assert.ok(((await nextUptimeWorkMs(harness.deps)) ?? 0) > harness.deps.clock.nowMs())
    harness.at(startMs + 3_600_000 + 7_000)
    assert.equal(await run(), 1)
    assert.equal(await run(), 0)
    assert.equal(asked(), 2)
    assert.equal((await state(id)).due_ms, startMs + 3_600_000 + 30_000)
  })

  it('a check that two nodes do at once is noted once', async () => {
    const { id } = await monitor()
    const counts = await Promise.all([run(), run()])
    assert.equal((counts[0] ?? 0) + (counts[1] ?? 0), 1)
    const { recent } = await state(id)
    assert.equal(recent, '1')
  })

  it('results that were inserted before a crash are inserted once', async () => {
    const { id } = await monitor()
    const { telemetry } = harness.deps
    const broken = {
      insert: async (...args: Parameters<typeof telemetry.insert>) => {
        await telemetry.insert(...args)
        throw new Error('killed behind the insert')
      },
    }
    await runChecks({ ...harness.deps, telemetry: broken }, new AbortController().signal)
    harness.at(startMs + MINUTE_MS)
    await run()
    const [row] = await telemetry.query<{ n: number }>(
      `SELECT toUInt32(count()) AS n FROM uptime_checks WHERE monitor_id = ${id}`,
    )
    assert.equal(row?.n, 2)
    assert.equal((await harness.records.selectFrom('uptime_result').select('id').execute()).length, 0)
  })

  it('judges body, JSON, time and statuses, and says what was wrong', async () => {
    for (const [input, outcome, reason] of [
      [{ contains: ['"ok"'], notContains: ['error'], json: [{ path: 'db.lag[0]', equals: '3' }] }, 'up', ''],
      [{ contains: ['ready'] }, 'body', 'the body does not contain "ready"'],
      [{ notContains: ['lag'] }, 'body', 'the body contains "lag"'],
      [{ json: [{ path: 'status', equals: 'fine' }] }, 'body', 'status is "ok", not "fine"'],
      [{ json: [{ path: '__proto__.x', equals: '1' }] }, 'body', 'the body has nothing at __proto__.x'],
      [{ statuses: '301, 500-502' }, 'status', 'the status was 200, not of 301, 500-502'],
      [{ dnsFailure: 'ENOTFOUND' }, 'unexpected_answer', 'the name was found'],
    ] as const) {
      const { id } = await monitor(input as Partial<UptimeMonitorInput>)
      await run()
      const { outcome: got, reason: why } = await state(id)
      assert.deepEqual([got, why], [outcome, reason])
    }
    const { id } = await monitor({ maxResponseMs: 1 })
    harness.receiver.answer(() => ({ status: 200, body: 'x'.repeat(2_000_000) }))
    await run()
    assert.match((await state(id)).reason, /more than 1 ms/)
  })

  it('refuses what no check can do', () => {
    for (const input of [
      { url: 'ftp://a' },
      { url: 'https://user:pass@shop.example/' },
      { statuses: '2xx' },
      { headers: [{ name: 'Host', value: 'a' }] },
      { headers: [{ name: 'X', value: 'a\r\nb: c' }] },
      { body: 'x' },
      { failures: 3, failuresOf: 2 },
      { json: [{ path: 'a..b', equals: '' }] },
      { intervalSec: 31 },
      { actions: [{ type: 'owner' as const }] },
    ]) {
      const read = UPTIME_MONITOR.safeParse({ url: 'https://shop.example/', ...input })
      assert.equal(read.success, false, JSON.stringify(input))
    }
  })

  it('reads lists of statuses and paths', () => {
    assert.deepEqual(readStatuses('200 - 299,404'), [
      [200, 299],
      [404, 404],
    ])
    assert.equal(isExpectedStatus('200-299,404', 404), true)
    assert.deepEqual(['', '99', '300-200', '1-2-3', '600'].map(readStatuses), Array(5).fill(undefined))
    assert.deepEqual(readJsonPath('$.a["b.c"][2].d'), ['a', 'b.c', 2, 'd'])
    assert.deepEqual(['', '$', 'a.', '[x]', 'a["b'].map(readJsonPath), Array(5).fill(undefined))
    assert.equal(valueAt({ a: [null] }, ['a', 0, 'b']), undefined)
  })

  it('n of the last m checks make it down, and it does not fall again by what it recovered from', () => {
    const rule = { failures: 2, failuresOf: 4, recoveries: 2 }
    let standing: ReturnType<typeof standingAfter> = {
      state: 'new',
      sinceMs: 0,
      recent: '',
      changed: undefined,
    }
    const changes: (string | undefined)[] = []
    for (const [at, isUp] of Array.from('101101101').entries()) {
      standing = standingAfter(standing, isUp === '1', rule, at)
      changes.push(standing.changed && `${at} ${standing.changed}`)
    }
    assert.deepEqual(changes.filter(Boolean), ['4 down', '6 up'])
    assert.equal(nextDueAt(1_000, 500, 1_000), 1_500)
    assert.equal(nextDueAt(1_000, 500, 9_999), 10_000)
  })
})
