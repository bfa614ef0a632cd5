/** Stands before a Sonde, hands every request on and keeps what was posted: what really went over the wire. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Envelope, parseEnvelope } from '@sonde/protocol/envelope'

export type Posted = {
  readonly path: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly envelope: Envelope
  readonly status: number | undefined
}

export type SentItem = {
  readonly type: string
  readonly header: Envelope['header']
  readonly payload: Record<string, unknown>
}

export type RecordingProxy = {
  readonly url: string
  readonly posted: readonly Posted[]
  /** Every item so far, in order, its payload read as JSON where it is that. */
  items(type?: string): SentItem[]
  close(): Promise<void>
}

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const posted: Posted[] = []
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const body = Buffer.concat(chunks)
      const { host: _host, connection: _connection, ...headers } = req.headers
      const out = request(new URL(req.url ?? '/', target), { method: req.method, headers }, (answer) => {
        if (req.method === 'POST')
          posted.push({
            path: req.url ?? '',
            headers: req.headers,
            envelope: parseEnvelope(body),
            status: answer.statusCode,
          })
        res.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(res)
      })
      out.on('error', () => res.writeHead(502).end())
      out.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posted,
    items: (type) =>
      posted.flatMap(({ envelope }) => itemsOf(envelope)).filter((item) => !type || item.type === type),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function itemsOf({ header, items }: Envelope): SentItem[] {
  return items.map((item) => {
    const text = Buffer.from(item.payload).toString('utf8')
    const payload = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {}
    return { type: item.header.type, header, payload }
  })
}
