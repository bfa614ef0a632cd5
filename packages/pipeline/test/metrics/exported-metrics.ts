/** What OpenTelemetry's own exporter sends for the metrics of a small service, as bytes of protobuf. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto'
import { AggregationType, MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'

/** A counter, a level, one that is asked for, and histograms of both kinds. */
export async function exportMetrics(): Promise<Buffer> {
  const bodies: Buffer[] = []
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      bodies.push(Buffer.concat(chunks))
      res.writeHead(200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const exporter = new OTLPMetricExporter({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/metrics`,
  })
  // It exports when it is shut down: once, whenever that is.
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const provider = new MeterProvider({
    readers: [reader],
    views: [
      {
        instrumentName: 'cart.size',
        aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM },
      },
    ],
  })
  const meter = provider.getMeter('shop', '1.2.3')
  for (const region of ['eu', 'us']) meter.createCounter('orders', { unit: '{order}' }).add(7, { region })
  meter.createUpDownCounter('queue').add(-3)
  meter.createObservableGauge('memory', { unit: 'By' }).addCallback((result) => result.observe(1.5e8))
  for (const seconds of [0.02, 0.3, 7])
    meter
      .createHistogram('http.server.request.duration', { unit: 's' })
      .record(seconds, { 'http.route': '/cart' })
  for (const lines of [0, 1, 3, 250]) meter.createHistogram('cart.size').record(lines)
  await provider.shutdown()
  await new Promise((resolve) => server.close(resolve))
  const [body] = bodies
  if (bodies.length !== 1 || body === undefined)
    throw new Error(`the exporter sent ${bodies.length} requests`)
  return body
}
