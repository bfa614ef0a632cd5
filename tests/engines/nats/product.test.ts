/** The whole product with its log on NATS. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { silentLogger } from '@sonde/base'
import { encodeIntakeHead } from '@sonde/log'
import { openNatsWriter } from '@sonde/log/nats'
import { apiClient, createProject } from '../../harness/api-client.ts'
import { type NatsServers, startNats } from '../../harness/servers/nats.ts'
import {
  type RunningSonde,
  sonde,
  sondeJson,
  startSonde,
  temporaryDataDir,
} from '../../harness/start-sonde.ts'

const LOG = { partitions: 4, maxBytes: 64 * 2 ** 20 }

describe('Sonde with SONDE_NATS_URL', () => {
  let nats: NatsServers
  let env: NodeJS.ProcessEnv
  const data = temporaryDataDir()
  const running: RunningSonde[] = []
  const start = async (more: NodeJS.ProcessEnv = {}): Promise<RunningSonde> => {
    const started = await startSonde({ dataDir: data.dir, env: { ...env, ...more } })
    running.push(started)
    return started
  }
  before(async () => {
    nats = await startNats()
    env = {
      SONDE_NATS_URL: nats.url,
      SONDE_NATS_MAX_BYTES: String(LOG.maxBytes),
      SONDE_LOG_PARTITIONS: String(LOG.partitions),
    }
  })
  after(async () => {
    for (const each of running) each.child.kill('SIGKILL')
    await nats?.stop()
    data.remove()
  })

  it('shows what was sent by DSN, and at the next start what others appended meanwhile; the doctor knows the log', async () => {
    const first = await start()
    const project = createProject(first, 'acme/shop')
    const api = apiClient(first)
    const send = async (to: RunningSonde): Promise<string> => {
      const id = randomUUID().replaceAll('-', '')
      const answer = await fetch(`${to.url}/api/${project.id}/store/?sentry_key=${project.publicKey}`, {
        method: 'POST',
        body: JSON.stringify({ event_id: id, message: 'over NATS' }),
      })
      assert.equal(answer.status, 200)
      return id
    }
    const shown = (client: typeof api, id: string) =>
      client.until(`/api/0/projects/acme/shop/events/${id}/`, () => true)
    await shown(api, await send(first))

    const doctor = sondeJson<{
      log: { partitions: { stream: string }[] }
      parts: { name: string; detail: string }[]
    }>(data.dir, ['doctor'])
    const { port } = new URL(nats.url)
    assert.match(
      doctor.parts.find(({ name }) => name === 'log')?.detail ?? '',
      new RegExp(
        `NATS 2\\.\\d+\\.\\d+ at 127\\.0\\.0\\.1:${port}, 4 partitions \\(sonde_log_0 to sonde_log_3, 1 copy\\): `,
      ),
    )
    assert.deepEqual(
      doctor.log.partitions.map(({ stream }) => stream),
      ['sonde_log_0', 'sonde_log_1', 'sonde_log_2', 'sonde_log_3'],
    )

    assert.equal(await first.stop(), 0)
    // As another machine that only accepts: this one is stopped.
    const elsewhere = await openNatsWriter({ url: nats.url, ...LOG, logger: silentLogger })
    const eventId = randomUUID().replaceAll('-', '')
    const meta = {
      v: 1,
      kind: 'envelope',
      receivedMs: Date.now(),
      projectId: Number(project.id),
      keyId: 1,
      eventId,
    } as const
    const body = `{"event_id":"${eventId}"}\n{"type":"event"}\n{"message":"from elsewhere"}\n`
    await elsewhere.append(encodeIntakeHead(meta), Buffer.from(body), meta.projectId)
    await elsewhere.close()
    const again = await start()
    await shown(apiClient(again), eventId)
    assert.equal(await again.stop(), 0)
  })

  it('answers 503 while NATS is away, and 200 when it is back', async () => {
    const started = await start()
    const project = createProject(started, 'acme/away')
    const [node] = nats.nodes
    const send = () =>
      fetch(`${started.url}/api/${project.id}/store/?sentry_key=${project.publicKey}`, {
        method: 'POST',
        body: JSON.stringify({ message: 'while NATS is away' }),
      })
    await node?.kill()
    const refused = await send()
    assert.equal(refused.status, 503)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await fetch(`${started.url}/readyz`)).status, 503)
    // Something is down, so its end says so.
    const { code, stdout } = sonde(data.dir, ['doctor', '--json'])
    const doctor = JSON.parse(stdout) as { parts: { name: string; state: string }[] }
    assert.equal(code, 1)
    assert.equal(doctor.parts.find(({ name }) => name === 'log')?.state, 'down')
    await node?.start()
    assert.equal((await send()).status, 200)
    assert.equal((await fetch(`${started.url}/readyz`)).status, 200)
    assert.equal(await started.stop(), 0)
  })

  it('refuses to start without a NATS that answers, and names the setting', () => {
    const refused = sonde(data.dir, ['start'], { ...env, SONDE_NATS_URL: 'nats://127.0.0.1:1', PORT: '0' })
    assert.notEqual(refused.code, 0)
    assert.match(refused.stderr, /SONDE_NATS_URL/)
  })
})
