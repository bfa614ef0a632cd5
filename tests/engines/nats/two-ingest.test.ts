/** Two starts of Sonde accept events, and hold one limit together. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { silentLogger } from '@sonde/base'
import { openRecords } from '@sonde/stores'
import { createProject, type CreatedProject } from '../../harness/api-client.ts'
import { type NatsServers, startNats } from '../../harness/servers/nats.ts'
import { createDatabase, testServer } from '../../harness/servers/postgres-databases.ts'
import { type RunningSonde, startSonde } from '../../harness/start-sonde.ts'
import { until } from './until.ts'

// More than one process takes one by one while this test runs; a container counts for 10,000 at most.
const LIMIT = 50_000
const AT_ONCE = 10_000
/** A quarter of a second until it is told, and what a busy machine takes besides. */
const TOLD_WITHIN_MS = 5_000

describe('two starts with the role ingest', () => {
  let nats: NatsServers
  let env: NodeJS.ProcessEnv
  let whole: RunningSonde
  let second: RunningSonde
  let project: CreatedProject
  const startSecond = () => startSonde({ env: { ...env, SONDE_ROLES: 'ingest' } })
  /** So many log lines, as their container says. */
  const send = async (node: RunningSonde, count: number, to = project): Promise<Response> => {
    const type = 'application/vnd.sentry.items.log+json'
    const item = JSON.stringify({ type: 'log', item_count: count, content_type: type })
    return fetch(`${node.url}/api/${to.id}/envelope/?sentry_key=${to.publicKey}`, {
      method: 'POST',
      body: `{}\n${item}\n{"items":[]}\n`,
    })
  }
  before(async () => {
    ;[nats] = await Promise.all([startNats(), testServer()])
    const { url } = await createDatabase()
    env = {
      SONDE_DATABASE_URL: url,
      SONDE_NATS_URL: nats.url,
      SONDE_LOG_PARTITIONS: '1',
      SONDE_NATS_MAX_BYTES: String(64 * 2 ** 20),
      SONDE_SPIKE_LIMIT_SPANS: 'off',
    }
    whole = await startSonde({ env })
    second = await startSecond()
    project = createProject(whole, 'acme/shop')
    // Who knows that this one may send nothing knows the limit that was set before, too.
    const probe = createProject(whole, 'acme/probe')
    const { db, close } = await openRecords({ url }, { logger: silentLogger })
    for (const [{ publicKey }, count] of [
      [project, LIMIT],
      [probe, 0],
    ] as const)
      await db
        .updateTable('project_key')
        .set({ rate_limit_count: count, rate_limit_window_sec: 3_600 })
        .where('public_key', '=', publicKey)
        .execute()
    await close()
    for (const each of [whole, second])
      await until(async () => (await send(each, 1, probe)).status === 429, 'the limits are known')
  })
  after(async () => {
    whole?.child.kill('SIGKILL')
    second?.child.kill('SIGKILL')
    await (await testServer()).stop()
    await nats?.stop()
  })

  /** Takes one more and one more until it is refused: how many it let in. */
  const letIn = async (by: RunningSonde, withinMs: number): Promise<number> => {
    const endMs = Date.now() + withinMs
    for (let count = 0; Date.now() < endMs; count++) {
      const answer = await send(by, 1)
      await answer.arrayBuffer()
      if (answer.status === 429) return count
      assert.equal(answer.status, 200)
    }
    throw new Error('it lets in as if it were alone')
  }

  it('refuse what the other one let in, within the time in which they tell each other', async (context) => {
    for (let sent = 0; sent < LIMIT; sent += AT_ONCE) assert.equal((await send(whole, AT_ONCE)).status, 200)
    const beganMs = performance.now()
    const above = await letIn(second, TOLD_WITHIN_MS)
    context.diagnostic(`${above} above the limit, for ${Math.round(performance.now() - beganMs)} ms`)
    const refused = await send(second, 1)
    assert.equal(refused.status, 429)
    assert.match(refused.headers.get('x-sentry-rate-limits') ?? '', /^3[56]\d\d:log_item:key:key_quota/)
    assert.equal((await send(whole, 1)).status, 429)
    const metrics = await (await fetch(`${second.url}/metrics`)).text()
    assert.match(metrics, /^sonde_ingest_limits_shared 1$/m)
  })

  it('know what was let in when they start again', async () => {
    await second.kill()
    second = await startSecond()
    await letIn(second, TOLD_WITHIN_MS)
    assert.equal((await send(second, 1)).status, 429)
  })
})
