/**
 * OTLP over gRPC, at a port of its own: messages come as they are and go through the HTTP door of this process, without a network
 * between, so that keys, limits, quotas, durability and answers are the same. Imported only where the port is set: gRPC's code
 * costs memory that a start without it does not spend.
 * https://opentelemetry.io/docs/specs/otlp/#otlpgrpc
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type ServerResponse,
} from 'node:http'
import { duplexPair } from 'node:stream'
import {
  Metadata,
  type sendUnaryData,
  Server,
  ServerCredentials,
  ServerInterceptingCall,
  type ServerInterceptor,
  type ServerUnaryCall,
  status,
} from '@grpc/grpc-js'
import { ConfigError } from '@sonde/base'
import { HTTP_SERVER_OPTIONS, type Ingest } from '@sonde/ingest'

const MIB = 1024 * 1024
/** What the HTTP door takes, unpacked; more than that ends while it is read. */
const MAX_MESSAGE_BYTES = 12 * MIB
/** Each may hold a whole message before anybody could look at its key. */
const MAX_RUNNING = 16
const CALL_MS = 30_000
const OPTIONS = {
  'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
  'grpc.max_concurrent_streams': MAX_RUNNING,
  'grpc.max_connection_idle_ms': 300_000,
} as const

const SERVICES = {
  traces: 'trace.v1.TraceService',
  logs: 'logs.v1.LogsService',
  metrics: 'metrics.v1.MetricsService',
} as const
type Signal = keyof typeof SERVICES

export type OtlpGrpc = { readonly port: number; stop(): Promise<void> }
type Options = {
  readonly ingest: Pick<Ingest, 'handle' | 'projectOf'>
  readonly host: string
  readonly port: number
}

/** Throws `ConfigError` when it cannot listen there. */
export async function startOtlpGrpc({ ingest, host, port }: Options): Promise<OtlpGrpc> {
  const post = createInner(ingest)
  const server = new Server({ ...OPTIONS, interceptors: [bounded()] })
  for (const signal of Object.keys(SERVICES) as Signal[]) {
    const method = {
      path: `/opentelemetry.proto.collector.${SERVICES[signal]}/Export`,
      requestStream: false,
      responseStream: false,
      requestSerialize: asIs,
      requestDeserialize: asIs,
      responseSerialize: asIs,
      responseDeserialize: asIs,
    } as const
    server.addService(
      { Export: method },
      {
        Export(call: ServerUnaryCall<Buffer, Buffer>, done: sendUnaryData<Buffer>) {
          void post(signal, call.request, headersOf(call.metadata), call.getPeer()).then(
            (answer) => (answer.status === 200 ? done(null, answer.body) : done(errorOf(answer))),
            () => done({ code: status.UNAVAILABLE, details: 'this Sonde cannot take it now' }),
          )
        },
      },
    )
  }
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, found) => {
      if (error)
        reject(new ConfigError('SONDE_OTLP_GRPC_PORT', `cannot listen on ${address}: ${error.message}`))
      else resolve(found)
    })
  })
  return {
    port: bound,
    stop: () =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.forceShutdown(), 3_000)
        server.tryShutdown(() => {
          clearTimeout(timer)
          resolve()
        })
      }),
  }
}

const asIs = (bytes: Buffer): Buffer => bytes

/** Refuses what is too much at once, and ends what takes too long, before a message is read. */
function bounded(): ServerInterceptor {
  let running = 0
  return (_method, call) => {
    let isCounted = false
    let timer: NodeJS.Timeout | undefined
    const release = (): void => {
      clearTimeout(timer)
      if (isCounted) running -= 1
      isCounted = false
    }
    return new ServerInterceptingCall(call, {
      start(next) {
        next({
          onReceiveMetadata(metadata, pass) {
            if (!['x-sentry-auth', 'authorization'].some((name) => metadata.get(name).length > 0))
              return call.sendStatus({ code: status.UNAUTHENTICATED, details: 'missing x-sentry-auth' })
            if (running >= MAX_RUNNING)
              return call.sendStatus({ code: status.UNAVAILABLE, details: 'too many requests at once' })
            isCounted = true
            running += 1
            timer = setTimeout(() => {
              release()
              call.sendStatus({ code: status.DEADLINE_EXCEEDED, details: 'the request took too long' })
            }, CALL_MS)
            pass(metadata)
          },
          onCancel: release,
        })
      },
      sendStatus(ended, next) {
        release()
        next(ended)
      },
    })
  }
}

/** What the HTTP door looks at; a proxy in front tells the address as it does there. */
const PASSED = ['x-sentry-auth', 'authorization', 'x-forwarded-for', 'user-agent', 'origin'] as const

function headersOf(metadata: Metadata): IncomingHttpHeaders {
  const given = PASSED.flatMap((name) => {
    const values = metadata.get(name).map(String)
    return values.length === 0 ? [] : [[name, values.join(', ')] as const]
  })
  return Object.fromEntries(given)
}

type InnerAnswer = {
  readonly status: number
  readonly body: Buffer
  readonly retryAfterSec: number | undefined
}

/** Requests to the HTTP door over a pair of streams in this process. */
function createInner(ingest: Options['ingest']) {
  const inner = createServer(HTTP_SERVER_OPTIONS, (req: IncomingMessage, res: ServerResponse) => {
    if (!ingest.handle(req, res)) res.writeHead(404).end()
  })
  return async (
    signal: Signal,
    body: Buffer,
    headers: IncomingHttpHeaders,
    peer: string,
  ): Promise<InnerAnswer> => {
    // Of a key that nobody knows the door says so, whatever the path names.
    const project = (await ingest.projectOf(headers)) ?? 1
    const [near, far] = duplexPair()
    Object.defineProperty(far, 'remoteAddress', { value: addressOf(peer) })
    inner.emit('connection', far)
    return new Promise((resolve, reject) => {
      const sent = request({
        createConnection: () => near,
        method: 'POST',
        path: `/api/${project}/otlp/v1/${signal}`,
        headers: {
          ...headers,
          host: 'sonde',
          connection: 'close',
          'content-type': 'application/x-protobuf',
          'content-length': body.length,
        },
      })
      sent.on('error', reject)
      sent.on('response', (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('error', reject)
        answer.on('end', () => {
          const retryAfter = Number(answer.headers['retry-after'])
          resolve({
            status: answer.statusCode ?? 500,
            body: Buffer.concat(parts),
            retryAfterSec: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : undefined,
          })
        })
      })
      sent.end(body)
    })
  }
}

/** Of `127.0.0.1:4711` or `[::1]:4711`. */
const addressOf = (peer: string): string => peer.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')

const CODES: ReadonlyMap<number, status> = new Map([
  [400, status.INVALID_ARGUMENT],
  [401, status.UNAUTHENTICATED],
  [403, status.PERMISSION_DENIED],
  // It will be as large the next time: exporters must not try again.
  [413, status.INVALID_ARGUMENT],
  [429, status.RESOURCE_EXHAUSTED],
])

/** With the time after which to try again, where there is one: https://opentelemetry.io/docs/specs/otlp/#otlpgrpc-throttling */
function errorOf({ status: answered, body, retryAfterSec }: InnerAnswer) {
  const code = CODES.get(answered) ?? status.UNAVAILABLE
  const details = messageOf(body) || `refused with ${answered}`
  const metadata = new Metadata()
  if (retryAfterSec !== undefined)
    metadata.set('grpc-status-details-bin', statusDetails(code, details, retryAfterSec))
  return { code, details, metadata }
}

/** `message` of a `google.rpc.Status`, which is all that the door writes: field 2, with its length. */
function messageOf(body: Buffer): string {
  if (body[0] !== 0x12) return ''
  let at = 1
  while ((body[at] ?? 0) >= 0x80) at += 1
  return body.subarray(at + 1).toString()
}

/** A `google.rpc.Status` with a `RetryInfo`. */
function statusDetails(code: number, message: string, seconds: number): Buffer {
  const delay = field(0x0a, Buffer.concat([Buffer.of(0x08), varint(Math.ceil(seconds))]))
  const any = Buffer.concat([
    field(0x0a, Buffer.from('type.googleapis.com/google.rpc.RetryInfo')),
    field(0x12, delay),
  ])
  return Buffer.concat([Buffer.of(0x08, code), field(0x12, Buffer.from(message)), field(0x1a, any)])
}

const field = (tag: number, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.of(tag), varint(bytes.length), bytes])

function varint(value: number): Buffer {
  const bytes: number[] = []
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80)
  return Buffer.of(...bytes, left)
}
