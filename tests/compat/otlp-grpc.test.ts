/** OTLP over gRPC: OpenTelemetry's own exporter as it comes from npm, and what no exporter would send. */
import assert from 'node:assert/strict'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { credentials, makeClientConstructor, Metadata, type ServiceError } from '@grpc/grpc-js'
import { SpanStatusCode } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { type ApiClient, apiClient, createProject, type CreatedProject } from '../harness/api-client.ts'
import { freePort } from '../harness/free-ports.ts'
import { type RunningSonde, startSonde } from '../harness/start-sonde.ts'
import type { Trace } from './support/trace.ts'

let sonde: RunningSonde
let api: ApiClient
let project: CreatedProject
let port: number

before(async () => {
  port = await freePort()
  sonde = await startSonde({ env: { SONDE_OTLP_GRPC_PORT: String(port) } })
  project = createProject(sonde, 'acme/shop')
  api = apiClient(sonde)
})
after(async () => assert.equal(await sonde?.stop(), 0))

const authOf = (key: string): Metadata => {
  const metadata = new Metadata()
  metadata.set('x-sentry-auth', `sentry sentry_key=${key}`)
  return metadata
}

for (const compression of ['none', 'gzip'])
  test(`a trace of the real exporter is stored, compression ${compression}`, async () => {
    const exporter = new OTLPTraceExporter({
      url: `http://127.0.0.1:${port}`,
      metadata: authOf(project.publicKey),
      compression: compression as never,
    })
    const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] })
    const span = provider.getTracer('shop').startSpan('charge')
    span.recordException(new TypeError('card declined'))
    span.setStatus({ code: SpanStatusCode.ERROR })
    span.end()
    await provider.shutdown()
    const path = `/api/0/organizations/acme/trace/${span.spanContext().traceId}/`
    const { transactions } = await api.until<Trace>(path, (trace) => trace.transactions.length > 0)
    assert.equal(transactions[0]?.description, 'charge')
  })

const bytes = (value: Buffer): Buffer => value
function send(
  signal: 'trace' | 'logs' | 'metrics',
  message: Buffer,
  metadata: Metadata,
): Promise<Buffer | ServiceError> {
  const service = { trace: 'TraceService', logs: 'LogsService', metrics: 'MetricsService' }[signal]
  const Client = makeClientConstructor(
    {
      Export: {
        path: `/opentelemetry.proto.collector.${signal}.v1.${service}/Export`,
        requestStream: false,
        responseStream: false,
        requestSerialize: bytes,
        requestDeserialize: bytes,
        responseSerialize: bytes,
        responseDeserialize: bytes,
      },
    },
    service,
  )
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure())
  return new Promise((resolve) => {
    client['Export']?.(message, metadata, (error: ServiceError | null, answer: Buffer) => {
      client.close()
      resolve(error ?? answer)
    })
  })
}
const codeOf = async (...args: Parameters<typeof send>): Promise<number> => {
  const answer = await send(...args)
  return Buffer.isBuffer(answer) ? 0 : answer.code
}

test('keys, size and form are judged as at the HTTP door', async () => {
  const good = authOf(project.publicKey)
  const empty = Buffer.alloc(0)
  for (const signal of ['trace', 'logs', 'metrics'] as const)
    assert.equal(await codeOf(signal, empty, good), 0)
  assert.equal(await codeOf('trace', empty, new Metadata()), 16)
  assert.ok([7, 16].includes(await codeOf('trace', empty, authOf('0'.repeat(32)))))
  assert.equal(await codeOf('trace', Buffer.from([0x0a, 0xff, 0xff]), good), 3)
  assert.equal(await codeOf('trace', Buffer.alloc(13 * 1024 * 1024, 1), good), 8)
})

test('spans that are no use are counted in a partial success', async () => {
  // ResourceSpans { ScopeSpans { Span { name: "x" } } }: no ids.
  const wrap = (tag: number, inner: Buffer): Buffer =>
    Buffer.concat([Buffer.from([tag, inner.length]), inner])
  const request = wrap(0x0a, wrap(0x12, wrap(0x12, wrap(0x2a, Buffer.from('x')))))
  const answer = await send('trace', request, authOf(project.publicKey))
  assert.ok(Buffer.isBuffer(answer))
  assert.match(answer.toString(), /without a trace id/)
})

test('frames that are none end their connection and nothing else', async () => {
  for (const junk of [
    Buffer.from('GET / HTTP/1.1\r\nhost: a\r\n\r\n'),
    Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), Buffer.alloc(4_096, 0xff)]),
    Buffer.alloc(65_536, 0x41),
  ]) {
    const socket = connect(port, '127.0.0.1')
    await new Promise<void>((resolve) => {
      socket.on('error', () => resolve()).on('close', () => resolve())
      socket.resume()
      socket.end(junk)
    })
  }
  // A message that is announced as larger than it may be, and one that ends before its length.
  for (const prefix of [
    Buffer.from([0, 0xff, 0xff, 0xff, 0xff]),
    Buffer.from([0, 0, 0, 0, 9, 1]),
    Buffer.from([1, 0, 0, 0, 4, 1, 2, 3, 4]),
  ]) {
    const session = connectHttp2(`http://127.0.0.1:${port}`)
    const stream = session.request({
      ':method': 'POST',
      ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-encoding': 'gzip',
      'x-sentry-auth': `sentry sentry_key=${project.publicKey}`,
    })
    await new Promise<void>((resolve) => {
      stream.on('error', () => resolve()).on('close', () => resolve())
      stream.resume()
      stream.end(prefix)
    })
    session.destroy()
  }
  assert.equal(await codeOf('logs', Buffer.alloc(0), authOf(project.publicKey)), 0)
})
