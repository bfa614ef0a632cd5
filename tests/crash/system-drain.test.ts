/** A stop behind a load balancer: it notices on /readyz and sends elsewhere, and whoever was still on the way is answered. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiClient, createProject } from '../harness/api-client.ts'
import { startReceiver } from '../harness/otlp-receiver.ts'
import { backPidOf, isAlive } from '../harness/processes.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'

const DRAIN_MS = 2_000
/** What the parts have to stop, besides the time of the load balancer. */
const STOP_WITHIN_MS = 10_000

type Answer = { readonly status: number; readonly connection: string | undefined; readonly text: string }

/** Over connections that the client keeps; rejects when one of them is cut. */
function send(url: string, agent: Agent, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const req = request(url, { agent, method: body === undefined ? 'GET' : 'POST' }, (res) => {
      let text = ''
      res.on('data', (chunk: Buffer) => (text += chunk.toString()))
      res.on('end', () => resolve({ status: res.statusCode ?? 0, connection: res.headers.connection, text }))
    })
    req.on('error', reject)
    req.end(body)
  })
}

const envelope = (text: string): string => {
  const item = JSON.stringify({ message: text })
  return `{}\n{"type":"event","length":${Buffer.byteLength(item)}}\n${item}`
}

async function untilStopping(running: RunningSonde): Promise<Answer> {
  const agent = new Agent()
  for (;;) {
    const answer = await send(`${running.url}/readyz`, agent)
    if (answer.status !== 200) return answer
    await sleep(5)
  }
}

describe('a stop with SONDE_DRAIN_SECONDS', () => {
  test('answers 503 on /readyz first and everything else as before, then ends in time with 0', async () => {
    await using receiver = await startReceiver()
    const running = await startSonde({
      env: {
        SONDE_DRAIN_SECONDS: String(DRAIN_MS / 1_000),
        SONDE_OTLP_URL: receiver.url,
        SONDE_OTLP_SAMPLE: '1',
      },
    })
    try {
      const project = createProject(running, 'acme/shop')
      const api = apiClient(running)
      const ingest = `${running.url}/api/${project.id}/envelope/?sentry_key=${project.publicKey}`
      const kept = new Agent({ keepAlive: true, maxSockets: 1 })
      assert.equal((await send(ingest, kept, envelope('before'))).connection, 'keep-alive')
      assert.equal((await send(`${running.url}/readyz`, kept)).status, 200)
      const { text: figures } = await send(`${running.url}/metrics`, kept)
      assert.match(figures, /^sonde_log_lag_seconds \d/m)
      assert.match(figures, /^sonde_log_lag_bytes \d/m)
      assert.deepEqual(unknownMetrics(figures), [], 'deploy/ names metrics that there are not')
      const backPid = backPidOf(running.child.pid ?? 0) ?? 0

      const startedMs = performance.now()
      const stopped = running.stop()
      const notReady = await untilStopping(running)
      assert.deepEqual([notReady.status, notReady.text], [503, 'this Sonde is stopping\n'])
      assert.ok(performance.now() - startedMs < DRAIN_MS / 2, 'the load balancer is told at once')
      let answered = 0
      while (performance.now() - startedMs < DRAIN_MS * 0.75) {
        const accepted = await send(ingest, kept, envelope(`during ${answered}`))
        assert.deepEqual([accepted.status, accepted.connection], [200, 'close'])
        const page = await send(`${running.url}/sign-in`, kept)
        assert.deepEqual([page.status, page.connection], [200, 'close'])
        assert.equal((await send(`${running.url}/healthz`, kept)).status, 200)
        answered++
      }
      assert.ok(answered > 5, `${answered} rounds`)
      const stored = await api.get<unknown[]>('/api/0/projects/acme/shop/events/')
      assert.equal(stored.status, 200)

      // Half of a request is there when the port closes: it is answered all the same.
      const late = connect(running.port, '127.0.0.1')
      await once(late, 'connect')
      const body = envelope('the last one')
      const head = `POST ${new URL(ingest).pathname}?sentry_key=${project.publicKey} HTTP/1.1\r\nHost: x\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
      late.write(head + body.slice(0, 10))
      let answer = ''
      late.on('data', (chunk: Buffer) => (answer += chunk.toString()))
      while (await accepts(running.port)) await sleep(20)
      late.write(body.slice(10))
      await once(late, 'close')
      assert.match(answer, /^HTTP\/1\.1 200 /)
      assert.match(answer, /\r\nConnection: close\r\n/i)

      assert.equal(await stopped, 0, running.log())
      const tookMs = performance.now() - startedMs
      assert.ok(tookMs >= DRAIN_MS && tookMs < DRAIN_MS + STOP_WITHIN_MS, `it took ${tookMs} ms`)
      assert.equal(isAlive(backPid), false, 'the back lives on')

      // What both processes had traced was sent before they ended.
      const sent = receiver.find('front', 'POST /api/[id]/envelope/')
      assert.ok(sent, 'the request of an SDK is traced')
      const append = receiver.childOf(sent, 'front', 'append to the log')
      assert.ok(append, 'with the time until its bytes were on disk')
      const asked = receiver.find('front', 'GET /api/0/projects/acme/shop/events/')
      assert.ok(asked, 'and a request of the API')
      const inBack = receiver.childOf(asked, 'back', asked.name)
      assert.ok(inBack, 'which goes on in the back')
      assert.ok(receiver.childOf(inBack, 'back', 'query telemetry'), 'with the statements that it waited for')
      const batch = receiver.find('back', 'commit a batch')
      assert.ok(
        batch && receiver.childOf(batch, 'back', 'insert telemetry'),
        'and so is what the pipeline did',
      )
      assert.equal(receiver.find('front', 'GET /readyz'), undefined)
    } finally {
      running.child.kill('SIGKILL')
    }
  })

  test('a second signal ends it at once, with 0', async () => {
    const running = await startSonde({ env: { SONDE_DRAIN_SECONDS: '120' } })
    try {
      const startedMs = performance.now()
      const stopped = running.stop()
      await untilStopping(running)
      // What comes within half a second is taken for the same signal, sent to a group of processes.
      while (performance.now() - startedMs < 600) await sleep(20)
      const secondMs = performance.now()
      running.child.kill('SIGTERM')
      assert.equal(await stopped, 0, running.log())
      assert.ok(performance.now() - secondMs < 2_000, 'it waited for something')
    } finally {
      running.child.kill('SIGKILL')
    }
  })

  test('of a start for ingest alone is refused without a log that others read, with what to set', async () => {
    await assert.rejects(
      startSonde({ env: { SONDE_ROLES: 'ingest' } }),
      /ingest cannot run without pipeline here.*\n.*SONDE_NATS_URL/,
    )
  })
})

/** Names in the dashboard and the alert rules that `/metrics` of a Sonde does not know. */
function unknownMetrics(figures: string): readonly string[] {
  const known = new Set(
    [...figures.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
  const named = ['deploy/grafana/sonde-dashboard.json', 'deploy/prometheus/sonde-alerts.yaml'].flatMap(
    (path) => [...readFileSync(path, 'utf8').matchAll(/\bsonde_[a-z_]+/g)].map(([name]) => name),
  )
  assert.ok(named.length > 20, 'they name some')
  return [...new Set(named)].filter((name) => !known.has(name))
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
