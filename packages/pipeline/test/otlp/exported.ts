/** What OpenTelemetry's own exporters send for the spans of a small service, as bytes. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

export type Exported = {
  readonly json: Buffer
  readonly protobuf: Buffer
  readonly traceId: string
  readonly serverId: string
  readonly clientId: string
}

export const REMOTE_PARENT = 'abcdef0123456789'

/** One trace, told by both exporters: a request from another service, with a query and a call below it. */
export async function exportShop(startMs: number): Promise<Exported> {
  const bodies = new Map<string, Buffer>()
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      bodies.set(req.headers['content-type'] ?? '', Buffer.concat(chunks))
      res.writeHead(200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`
  const provider = new NodeTracerProvider({
    spanProcessors: [new JsonExporter({ url }), new ProtobufExporter({ url })].map(
      (exporter) => new BatchSpanProcessor(exporter),
    ),
  })
  const ids = recordShop(provider, startMs)
  await provider.shutdown()
  await new Promise((resolve) => server.close(resolve))
  const json = bodies.get('application/json')
  const protobuf = bodies.get('application/x-protobuf')
  if (!json || !protobuf) throw new Error(`exporters sent ${[...bodies.keys()].join(', ')}`)
  return { json, protobuf, ...ids }
}

function recordShop(provider: NodeTracerProvider, startMs: number) {
  const tracer = provider.getTracer('shop-http', '1.2.3')
  const remote = trace.setSpanContext(ROOT_CONTEXT, {
    traceId: '0af7651916cd43dd8448eb211c80319c',
    spanId: REMOTE_PARENT,
    traceFlags: TraceFlags.SAMPLED,
    isRemote: true,
  })
  const server = tracer.startSpan(
    'GET /cart/:id',
    {
      kind: SpanKind.SERVER,
      startTime: startMs,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/cart/:id',
        'http.response.status_code': 500,
        tags: ['a', 'b'],
        big: 2 ** 53 - 1,
        share: 0.25,
        yes: true,
      },
    },
    remote,
  )
  const inside = trace.setSpan(remote, server)
  const query = tracer.startSpan(
    'pg.query',
    {
      kind: SpanKind.CLIENT,
      startTime: startMs + 10,
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': 'SELECT * FROM cart WHERE id = $1' },
    },
    inside,
  )
  query.end(startMs + 30)
  const call = tracer.startSpan(
    'POST',
    {
      kind: SpanKind.CLIENT,
      startTime: startMs + 40,
      attributes: { 'http.request.method': 'POST', 'url.full': 'https://pay.example/charge?token=abc' },
    },
    inside,
  )
  call.recordException(new TypeError('card declined'), startMs + 50)
  call.setStatus({ code: SpanStatusCode.ERROR, message: 'no luck' })
  call.addLink({
    context: { traceId: 'b'.repeat(32), spanId: 'c'.repeat(16), traceFlags: 1 },
    attributes: { 'messaging.message.id': 'm-7', batch: 3 },
  })
  call.end(startMs + 60)
  server.setStatus({ code: SpanStatusCode.ERROR })
  server.end(startMs + 100.5)
  const { traceId, spanId: serverId } = server.spanContext()
  return { traceId, serverId, clientId: call.spanContext().spanId }
}
