/**
 * The gRPC port of this process, as whoever reaches it may speak to it: frames of HTTP/2 as a real client wrote them and what mutations
 * make of them. Whatever came, a good request is taken afterwards, and the process lives.
 */
import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { credentials, makeClientConstructor, Metadata, type ServiceError } from '@grpc/grpc-js'
import { KEY } from '../../../packages/ingest/test/support/keys.ts'
import { GOOD, protobufRequest } from '../../../packages/ingest/test/support/otlp-request.ts'
import { startIngest } from '../../../packages/ingest/test/support/start-ingest.ts'
import { exportMetrics } from '../../../packages/pipeline/test/metrics/exported-metrics.ts'
import { startOtlpGrpc } from '../../../packages/server/src/front/otlp-grpc.ts'
import type { OpenTarget, Target } from '../engine/target.ts'
import { mutateHttp2 } from '../mutators/http2.ts'

const SIGNALS = { trace: 'TraceService', logs: 'LogsService', metrics: 'MetricsService' } as const
type Signal = keyof typeof SIGNALS
/** Longer than an answer takes: a connection that says nothing is not waited for. */
const PATIENCE_MS = 40
const GOOD_EVERY = 50

const asIs = (bytes: Buffer): Buffer => bytes
const GOOD_TRACE = protobufRequest([[GOOD]])
const seeds = await recordSeeds()

export const otlpGrpc: Target = {
  name: 'otlp-grpc',
  seeds: () => seeds,
  mutate: mutateHttp2,
  words: ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'grpc-encoding', 'grpc-timeout', 'te', 'gzip', '/Export'],
  open,
}

async function open(): Promise<OpenTarget> {
  const { server, stop } = await startPort()
  let inputs = 0
  return {
    async run(input) {
      await speak(server.port, input)
      if (inputs++ % GOOD_EVERY === 0) assert.equal(await send(server.port, 'trace', GOOD_TRACE), 0)
    },
    async close() {
      assert.equal(await send(server.port, 'logs', Buffer.alloc(0)), 0)
      await stop()
    },
  }
}

async function startPort() {
  const running = await startIngest()
  const server = await startOtlpGrpc({ ingest: running.ingest, host: '127.0.0.1', port: 0 })
  return {
    server,
    async stop() {
      await server.stop()
      await running.close()
    },
  }
}

/** Until the server has nothing more to say. */
function speak(port: number, input: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve()
    }
    let timer = setTimeout(end, PATIENCE_MS)
    socket.on('error', end).on('close', end)
    socket.on('data', () => {
      clearTimeout(timer)
      timer = setTimeout(end, PATIENCE_MS)
    })
    socket.write(input)
  })
}

/** The status of the answer. */
function send(port: number, signal: Signal, message: Buffer, compression: 0 | 2 = 0): Promise<number> {
  const Client = makeClientConstructor(
    {
      Export: {
        path: `/opentelemetry.proto.collector.${signal}.v1.${SIGNALS[signal]}/Export`,
        requestStream: false,
        responseStream: false,
        requestSerialize: asIs,
        requestDeserialize: asIs,
        responseSerialize: asIs,
        responseDeserialize: asIs,
      },
    },
    SIGNALS[signal],
  )
  const metadata = new Metadata()
  metadata.set('x-sentry-auth', `sentry sentry_key=${KEY}`)
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.default_compression_algorithm': compression,
    // A connection of its own for each.
    'grpc.use_local_subchannel_pool': 1,
  })
  return new Promise((resolve) => {
    client['Export']?.(message, metadata, (error: ServiceError | null) => {
      client.close()
      resolve(error?.code ?? 0)
    })
  })
}

/** What the client of gRPC writes for each signal, plain and packed. */
async function recordSeeds(): Promise<Buffer[]> {
  const { server, stop } = await startPort()
  const recorded: Buffer[] = []
  const metrics = await exportMetrics()
  for (const [signal, message, compression] of [
    ['trace', GOOD_TRACE, 0],
    ['logs', Buffer.alloc(0), 0],
    ['metrics', metrics, 0],
    ['metrics', metrics, 2],
  ] as const) {
    const proxy = await recordingProxy(server.port)
    assert.equal(await send(proxy.port, signal, message, compression), 0)
    recorded.push(await proxy.close())
  }
  await stop()
  return recorded
}

async function recordingProxy(target: number): Promise<{ port: number; close(): Promise<Buffer> }> {
  const parts: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
    }
    near.on('data', (part: Buffer) => parts.push(part))
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    port: address.port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
      return Buffer.concat(parts)
    },
  }
}
