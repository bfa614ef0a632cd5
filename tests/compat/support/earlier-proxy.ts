/** Stands before a Sonde and hands envelopes on as if they had been sent earlier: for what needs time to have passed. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { parseEnvelope } from '@sonde/protocol/envelope'
import { type Move, moveEnvelope } from '../../../scripts/demo/move-envelope.ts'

export type EarlierProxy = { readonly url: string; close(): Promise<void> }

export async function startEarlierProxy(target: string, byMs: number): Promise<EarlierProxy> {
  const move: Move = { shiftMs: -byMs, ids: new Map() }
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const sent = Buffer.concat(chunks)
      const body = req.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
      const auth = req.headers['x-sentry-auth']
      fetch(new URL(req.url ?? '/', target), {
        method: 'POST',
        headers: {
          'content-type': 'application/x-sentry-envelope',
          'user-agent': req.headers['user-agent'] ?? '',
          ...(typeof auth === 'string' && { 'x-sentry-auth': auth }),
        },
        body: moveEnvelope(parseEnvelope(body), move),
      }).then(
        async (answer) =>
          res
            .writeHead(answer.status, {
              'access-control-allow-origin': '*',
              'content-type': 'application/json',
            })
            .end(await answer.text()),
        () => res.writeHead(502).end(),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
