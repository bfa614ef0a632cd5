/** What an uploading tool does, over real HTTP: status line, headers and bodies are what it would see. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { getRequestListener } from '@hono/node-server'
import { ZipFile } from 'yazl'
import type { Harness } from './harness.ts'

export type Answer = {
  readonly status: number
  /** Of the status line: all that some uploaders print. */
  readonly reason: string
  readonly body: string
  readonly json: Readonly<Record<string, unknown>>
}

export const sha1Of = (bytes: Uint8Array): string => createHash('sha1').update(bytes).digest('hex')

export async function serve(harness: Harness) {
  const listener = getRequestListener(harness.api.fetch)
  const server = createServer((req, res) => void listener(req, res))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    port,
    async send(
      method: string,
      path: string,
      token: string,
      body: Uint8Array | AsyncIterable<Uint8Array> = Buffer.alloc(0),
      headers: Readonly<Record<string, string>> = {},
    ): Promise<Answer> {
      const asked = request({
        port,
        host: '127.0.0.1',
        method,
        path: `/api/0/${path}`,
        headers: { authorization: `Bearer ${token}`, ...headers },
      })
      // A server that has answered does not read on.
      asked.on('error', () => undefined)
      const answered = once(asked, 'response') as Promise<[IncomingMessage]>
      if (body instanceof Uint8Array) asked.end(body)
      else
        void (async () => {
          for await (const piece of body) if (!asked.write(piece)) await once(asked, 'drain')
          asked.end()
        })().catch(() => undefined)
      const [answer] = await answered
      const read = await text(answer)
      const json = read.startsWith('{') ? (JSON.parse(read) as Record<string, unknown>) : {}
      return { status: answer.statusCode ?? 0, reason: answer.statusMessage ?? '', body: read, json }
    },
    /** Begins a request with these bytes and is gone; resolves when the server noticed. */
    async breakOff(path: string, token: string, bytes: Uint8Array): Promise<void> {
      const headers = {
        authorization: `Bearer ${token}`,
        ...FORM,
        'content-length': String(2 * bytes.length),
      }
      const asked = request({ port, host: '127.0.0.1', method: 'POST', path: `/api/0/${path}`, headers })
      asked.on('error', () => undefined)
      const [incoming] = (await Promise.all([
        once(server, 'request'),
        new Promise((resolve) => asked.write(bytes, resolve)),
      ]).then(([received]) => received)) as [IncomingMessage]
      const noticed = new Promise((resolve) => incoming.once('close', resolve))
      asked.destroy()
      await noticed
    },
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export type FormPart = {
  readonly name: string
  readonly fileName?: string
  readonly content: Uint8Array | string
}

export const FORM = { 'content-type': 'multipart/form-data; boundary=xyz' }

export function formOf(parts: readonly FormPart[]): Buffer {
  const pieces = parts.flatMap(({ name, fileName, content }) => {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    const type = fileName === undefined ? '' : 'content-type: application/octet-stream\r\n'
    const head = `--xyz\r\ncontent-disposition: form-data; name="${name}"${file}\r\n${type}\r\n`
    return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')]
  })
  return Buffer.concat([...pieces, Buffer.from('--xyz--\r\n')])
}

export const DEBUG_ID = '85314830-023f-4cf1-a267-535f4e37bb17'

/** A script and its map, as a plugin packs them. */
export async function bundleZip(mapping = 'AAAA'): Promise<Buffer> {
  const map = { version: 3, sources: ['a.ts'], sourcesContent: ['a'], names: [], mappings: mapping }
  const files = {
    'files/_/_/a.js': { type: 'minified_source', url: '~/a.js', headers: { 'debug-id': DEBUG_ID } },
    'files/_/_/a.js.map': { type: 'source_map', url: '~/a.js.map', headers: { 'debug-id': DEBUG_ID } },
  }
  const zip = new ZipFile()
  zip.addBuffer(Buffer.from('a()\n//# sourceMappingURL=a.js.map'), 'files/_/_/a.js')
  zip.addBuffer(Buffer.from(JSON.stringify(map)), 'files/_/_/a.js.map')
  zip.addBuffer(Buffer.from(JSON.stringify({ files })), 'manifest.json')
  zip.end()
  return await buffer(zip.outputStream)
}
