/**
 * A shop that reports through OpenTelemetry's own SDK; nothing here knows of Sonde. Where to send stands in the
 * environment, as the specification of exporters has it. Prints its trace id as JSON.
 * https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 */
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

const isJson = process.env['OTEL_EXPORTER_OTLP_PROTOCOL'] === 'http/json'
const provider = new NodeTracerProvider({
  spanProcessors: [new BatchSpanProcessor(isJson ? new JsonExporter() : new ProtobufExporter())],
})
provider.register()
const tracer = trace.getTracer('shop', '1.4.2')

const server = tracer.startSpan('POST /orders/:id', {
  kind: SpanKind.SERVER,
  attributes: {
    'http.request.method': 'POST',
    'http.route': '/orders/:id',
    'http.response.status_code': 500,
    'shop.tags': ['new', 'paid'],
  },
})
context.with(trace.setSpan(context.active(), server), () => {
  tracer.startActiveSpan(
    'INSERT orders',
    {
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': 'INSERT INTO orders VALUES ($1)' },
    },
    (span) => span.end(),
  )
  tracer.startActiveSpan('charge', (span) => {
    span.recordException(new TypeError('card declined'))
    span.setStatus({ code: SpanStatusCode.ERROR, message: 'card declined' })
    span.end()
  })
})
server.setStatus({ code: SpanStatusCode.ERROR })
server.end()
await provider.shutdown()
process.stdout.write(JSON.stringify({ trace: server.spanContext().traceId }))
