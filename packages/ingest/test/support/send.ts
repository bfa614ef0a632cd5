/** Requests over real sockets: whole ones, and such as no well-behaved client would send. */
import { request, type IncomingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { KEY, PROJECT } from './keys.ts'

export type Sent = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: string }
export type SendOptions = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

export const ENVELOPE_PATH = `/api/${PROJECT}/envelope/?sentry_key=${KEY}&sentry_version=7`
export const EVENT_ID = '9ec79c33ec9942ab8353589fcb2e04dc'

export function send(port: number, path: string, options: SendOptions = {}): Promise<Sent> {
  const { method = 'POST', headers = {}, body = '' } = options
  return new Promise((resolve, reject) => {
    const length = { 'Content-Length': String(Buffer.byteLength(body)) }
    const out = request({ port, path, method, headers: { ...length, ...headers }, agent: false }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('error', reject)
      res.on('end', () =>
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      )
    })
    out.on('error', reject)
    out.end(body)
  })
}

export function eventEnvelope(
  header: object = { event_id: EVENT_ID },
  event: object = { message: 'x' },
): string {
  return `${JSON.stringify(header)}\n{"type":"event"}\n${JSON.stringify(event)}\n`
}

/** A socket that collects what comes back until it closes. */
export type RawConnection = { readonly socket: Socket; readonly closed: Promise<string> }

export async function openRaw(port: number): Promise<RawConnection> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  socket.on('error', () => undefined)
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(text)))
  await new Promise((resolve) => socket.on('connect', resolve))
  return { socket, closed }
}
