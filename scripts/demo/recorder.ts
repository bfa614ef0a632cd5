/** Stands between the shop and Sonde, hands every envelope on at once, and remembers it for the days before today. */
import { createServer, request } from 'node:http'
import { closeNow, listenHere } from './ports.ts'

export type Recorded = {
  /** With its query, which names the key. */
  readonly path: string
  /** Names the key where the query does not. */
  readonly auth: string | undefined
  readonly contentEncoding: string | undefined
  readonly userAgent: string | undefined
  readonly body: Buffer
}

export type Recorder = {
  readonly url: string
  readonly recorded: Recorded[]
  /** The history is sent; from now on everything is only handed on. */
  forget(): void
  close(): Promise<void>
}

// 200 visits fit; after that the history has variety enough.
const MAX_BYTES = 64 * 1024 * 1024

export async function startRecorder(target: string): Promise<Recorder> {
  const recorded: Recorded[] = []
  let bytes = 0
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const body = Buffer.concat(chunks)
      const { host: _host, connection: _connection, ...headers } = req.headers
      bytes += body.length
      if (bytes <= MAX_BYTES)
        recorded.push({
          path: req.url ?? '/',
          auth: headers['x-sentry-auth'] as string | undefined,
          contentEncoding: headers['content-encoding'],
          userAgent: headers['user-agent'],
          body,
        })
      const out = request(new URL(req.url ?? '/', target), { method: req.method, headers }, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(res)
      })
      out.on('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()))
      out.end(body)
    })
    req.on('error', () => undefined)
  })
  return {
    url: await listenHere(server),
    recorded,
    forget() {
      recorded.length = 0
      bytes = MAX_BYTES
    },
    close: () => closeNow(server),
  }
}
