/** A proxy on the way to Sonde that can change a digit in the name of every chunk that goes through it. */
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export type BrokenLine = {
  readonly url: string
  /** Where everything goes on to; set once Sonde has a port. */
  target: string
  isBroken: boolean
  close(): Promise<void>
}

export async function startBrokenLine(): Promise<BrokenLine> {
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const body = Buffer.concat(parts)
      if (line.isBroken && req.method === 'POST' && /chunk-upload/.test(req.url ?? '')) spoilNames(body)
      // The address that was asked for stays, as behind any proxy that is set up well.
      const out = request(new URL(req.url ?? '/', line.target), { method: req.method, headers: req.headers })
      out.on('response', (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.headers)
        answer.pipe(res)
      })
      out.on('error', () => res.writeHead(502).end())
      out.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const line: BrokenLine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    isBroken: false,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return line
}

/** The name of a chunk is the hash of its bytes: with another digit it names other bytes. */
function spoilNames(body: Buffer): void {
  const at = body.indexOf('filename="') + 'filename="'.length
  body[at] = body[at] === 0x30 ? 0x31 : 0x30
}
