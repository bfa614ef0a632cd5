/** An HTTP server on loopback before something that answers `Request`. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

export async function serveFetch(
  answer: (request: Request) => Promise<Response> | Response,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer((req, res) => {
    const hasBody = req.method !== 'GET' && req.method !== 'HEAD'
    const request = new Request(`http://${req.headers.host}${req.url}`, {
      method: req.method ?? 'GET',
      headers: Object.entries(req.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as [string, string]],
      ),
      ...(hasBody && { body: Readable.toWeb(req) as ReadableStream, duplex: 'half' as const }),
    })
    const send = async () => {
      const response = await answer(request)
      res.writeHead(response.status, [...response.headers].flat())
      if (response.body === null) res.end()
      else await pipeline(Readable.fromWeb(response.body as never), res)
    }
    send().catch((error: unknown) => res.destroy(error as Error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
