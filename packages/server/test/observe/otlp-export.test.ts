/** Spans and metrics on their way to an OTLP receiver, which is a real one of HTTP, away or in trouble at times. */
import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createMetrics, inScope, inSpan, type Metrics, silentLogger, systemClock } from '@sonde/base'
import { startExport, type ExportOptions } from '../../src/observe/start-export.ts'

type Received = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Sent }
type Attribute = { readonly key: string; readonly value: Readonly<Record<string, unknown>> }
type SentSpan = Readonly<Record<'traceId' | 'spanId' | 'parentSpanId' | 'name', string>> & {
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly Attribute[]
  readonly status: { readonly code?: number }
}
type Sent = {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[]
  }[]
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly Readonly<Record<string, unknown>>[] }[]
  }[]
}

/** `statuses`: of its first answers; 200 afterwards. */
async function startReceiver(t: TestContext, statuses: readonly number[] = []) {
  const received: Received[] = []
  const left = [...statuses]
  const arrivals = new EventEmitter()
  const server = createServer((req, res) => {
    let text = ''
    req.on('data', (chunk: Buffer) => (text += chunk.toString()))
    req.on('end', () => {
      arrivals.emit(String(received.length + 1))
      received.push({ path: req.url ?? '', headers: req.headers, body: JSON.parse(text) as Sent })
      res.writeHead(left.shift() ?? 200, { connection: 'close' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/otlp`, received, arrivals }
}

function start(url: string, more: Partial<ExportOptions> = {}, metrics: Metrics = createMetrics()) {
  const tools = { role: 'front', clock: systemClock, logger: silentLogger, metrics } as const
  const timing = { tries: 3, firstPauseMs: 1, longestPauseMs: 2, answerWithinMs: 2_000 }
  return startExport({ target: { url, headers: { 'x-token': 't' } }, sample: 1, timing, ...tools, ...more })
}

const spansOf = ({ body }: Received): readonly SentSpan[] =>
  (body.resourceSpans ?? []).flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))

test('a trace arrives whole: parents, kinds, times, attributes, failures, and whose it is', async (t) => {
  const { url, received } = await startReceiver(t)
  const { tracer, stop } = start(url)
  const root = tracer.root({ name: 'GET', kind: 'server', attributes: { 'http.response.status_code': 200 } })
  await inSpan(root, async () => {
    const child = tracer.child({ name: 'query telemetry', kind: 'client' })
    await assert.rejects(inSpan(child, () => Promise.reject(new Error('of a person'))))
  })
  assert.equal(tracer.child({ name: 'of nothing' }), undefined)
  await stop()
  const [traces] = received.filter(({ path }) => path === '/otlp/v1/traces')
  assert.ok(traces)
  assert.equal(traces.headers['content-type'], 'application/json')
  assert.equal(traces.headers['x-token'], 't')
  const [child, parent] = spansOf(traces)
  assert.ok(child && parent)
  assert.match(parent.traceId, /^[\da-f]{32}$/)
  assert.match(parent.spanId, /^[\da-f]{16}$/)
  assert.deepEqual([child.traceId, child.parentSpanId], [parent.traceId, parent.spanId])
  assert.deepEqual([parent.kind, child.kind, parent.parentSpanId], [2, 3, undefined])
  assert.deepEqual(parent.attributes, [{ key: 'http.response.status_code', value: { intValue: '200' } }])
  assert.deepEqual([parent.status, child.status], [{}, { code: 2 }])
  assert.deepEqual(child.attributes, [{ key: 'error.type', value: { stringValue: 'internal' } }])
  assert.doesNotMatch(JSON.stringify(traces.body), /of a person/)
  assert.ok(BigInt(child.startTimeUnixNano) >= BigInt(parent.startTimeUnixNano))
  assert.ok(BigInt(child.endTimeUnixNano) <= BigInt(parent.endTimeUnixNano))
  const resource = Object.fromEntries(
    (traces.body.resourceSpans?.[0]?.resource.attributes ?? []).map(({ key, value }) => [
      key,
      Object.values(value)[0],
    ]),
  )
  assert.equal(resource['service.name'], 'sonde')
  assert.equal(resource['sonde.role'], 'front')
  for (const key of ['service.version', 'service.instance.id', 'host.name']) assert.ok(resource[key], key)
})

test('metrics are those of /metrics: sums, gauges, and buckets that count alone', async (t) => {
  const { url, received } = await startReceiver(t)
  const metrics = createMetrics()
  metrics.counter('sonde_requests_total', 'Requests', ['endpoint']).inc({ endpoint: 'envelope' }, 3)
  metrics.observed('sonde_memory_bytes', 'Memory', () => 1.5)
  metrics.observed('sonde_unknown_bytes', 'Not known now', () => Promise.reject(new Error('away')))
  const seconds = metrics.histogram('sonde_commit_seconds', 'Commits', [0.1, 1])
  for (const value of [0.05, 0.5, 0.6, 7]) seconds.observe(value)
  await start(url, {}, metrics).stop()
  const sent = received.find(({ path }) => path === '/otlp/v1/metrics')?.body.resourceMetrics?.[0]
  const byName = new Map(sent?.scopeMetrics[0]?.metrics.map((metric) => [metric['name'], metric]))
  const points = (name: string, kind: string) =>
    (byName.get(name)?.[kind] as { dataPoints: Record<string, unknown>[] } | undefined)?.dataPoints
  const [sum] = points('sonde_requests_total', 'sum') ?? []
  assert.equal(sum?.['asDouble'], 3)
  assert.deepEqual(sum?.['attributes'], [{ key: 'endpoint', value: { stringValue: 'envelope' } }])
  assert.equal(points('sonde_memory_bytes', 'gauge')?.[0]?.['asDouble'], 1.5)
  assert.deepEqual(points('sonde_unknown_bytes', 'gauge'), [])
  const [histogram] = points('sonde_commit_seconds', 'histogram') ?? []
  assert.deepEqual(histogram?.['explicitBounds'], [0.1, 1])
  assert.deepEqual(histogram?.['bucketCounts'], ['1', '2', '1'])
  assert.deepEqual([histogram?.['count'], histogram?.['sum']], ['4', 8.15])
  assert.equal(byName.get('sonde_commit_seconds')?.['unit'], 's')
})

test('a receiver that is busy gets them again, one that refuses them does not', async (t) => {
  const busy = await startReceiver(t, [503, 429])
  const first = start(busy.url, { everyMs: { spans: 1, metrics: 1_000_000 } })
  const third = once(busy.arrivals, '3')
  first.tracer.root({ name: 'again' })?.end()
  await third
  await first.stop()
  assert.deepEqual(
    busy.received.slice(0, 3).map((each) => spansOf(each)[0]?.name),
    ['again', 'again', 'again'],
  )

  const strict = await startReceiver(t, [400, 400])
  const metrics = createMetrics()
  const second = start(strict.url, {}, metrics)
  second.tracer.root({ name: 'once' })?.end()
  await second.stop()
  assert.equal(strict.received.filter(({ path }) => path.endsWith('/traces')).length, 1)
  assert.match(await metrics.text(), /^sonde_front_otlp_dropped_spans_total 1$/m)
})

test('with nobody there spans are dropped beyond a bound, counted, told once, and a stop does not wait', async () => {
  const metrics = createMetrics()
  const told: unknown[] = []
  const logger = { ...silentLogger, warn: (what: unknown) => void told.push(what) } as typeof silentLogger
  const { tracer, stop } = start('http://127.0.0.1:9', { logger }, metrics)
  for (let count = 0; count < 10_000; count++) tracer.root({ name: 'lost' })?.end()
  await stop()
  const text = await metrics.text()
  const dropped = Number(/^sonde_front_otlp_dropped_spans_total (\d+)$/m.exec(text)?.[1])
  assert.ok(dropped >= 5_000, String(dropped))
  assert.equal(told.length, 1)
})

test('the sample is decided where a trace begins, and nothing is traced without a receiver', async (t) => {
  const { url } = await startReceiver(t)
  const { tracer, stop } = start(url, { sample: 0.25 })
  const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }
  let kept = 0
  for (let count = 0; count < 4_000; count++) if (tracer.root({ name: 'x' })) kept++
  assert.ok(kept > 800 && kept < 1_200, String(kept))
  assert.equal(tracer.root({ name: 'x' }, { parent })?.context.traceId, parent.traceId)
  await stop()
  const off = startExport({
    target: undefined,
    sample: 1,
    role: 'back',
    clock: systemClock,
    logger: silentLogger,
    metrics: createMetrics(),
  })
  assert.equal(off.tracer.root({ name: 'x' }), undefined)
  assert.equal(
    inScope({ span: parent }, () => off.tracer.child({ name: 'x' })),
    undefined,
  )
})
