/** Stands before a server and spoils answers: the signature is of the address that the client knows, so it passes on. */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What becomes of a request: the whole answer of the server may be asked for. Undefined: it is passed on as it is. */
export type Fault = (
  request: IncomingMessage,
  answer: ServerResponse,
  pass: () => Promise<{
    readonly status: number
    readonly headers: IncomingMessage['headers']
    readonly body: Buffer
  }>,
) => Promise<void> | undefined

export type FaultyProxy = {
  readonly endpoint: string
  /** Of every request since the start: `GET /bucket/name?query`. */
  readonly seen: readonly string[]
  /** From now on. */
  spoil(fault: Fault | undefined): void
  close(): Promise<void>
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const seen: string[] = []
  let fault: Fault | undefined
  const server = createServer((req, res) => {
    seen.push(`${req.method} ${req.url}`)
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const pass = () => send(target, req, Buffer.concat(chunks))
      const spoilt = fault?.(req, res, pass)
      const answered =
        spoilt ??
        pass().then(({ status, headers, body }) => {
          res.writeHead(status, headers)
          res.end(body)
        })
      answered.catch(() => res.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    spoil(next) {
      fault = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function send(target: string, req: IncomingMessage, sent: Buffer): ReturnType<Parameters<Fault>[2]> {
  const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Parameters<Fault>[2]>>>()
  const out = request(
    new URL(req.url ?? '/', target),
    { method: req.method, headers: req.headers },
    (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: Buffer.concat(chunks) }),
      )
    },
  )
  out.on('error', reject)
  out.end(sent)
  return await promise
}
