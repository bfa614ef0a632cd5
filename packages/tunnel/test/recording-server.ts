/** A server that keeps what it is sent, and answers as it is told. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Recorded = {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export type Said = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type RecordingServer = {
  readonly url: string
  readonly requests: Recorded[]
  /** What the next answers are; `never` keeps the request open. */
  say(said: Said | 'never'): void
  close(): Promise<void>
}

export async function startRecordingServer(): Promise<RecordingServer> {
  const requests: Recorded[] = []
  let said: Said | 'never' = {}
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const { method, url, headers } = req
      requests.push({ method, url, headers, body: Buffer.concat(chunks) })
      if (said === 'never') return
      res.writeHead(said.status ?? 200, { 'content-type': 'application/json', ...said.headers })
      res.end(said.body ?? '{"id":"00"}')
    })
  })
  const url = await listen(server)
  return {
    url,
    requests,
    say: (next) => (said = next),
    close: () => close(server),
  }
}

/** On a free port of this machine. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
