/**
 * A push service on this machine, as RFC 8030 says: checks the proof of who sends (RFC 8292), and reads what is encrypted with the
 * keys of the browser, by WebCrypto, which shares no code with what encrypts.
 */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Outgoing } from '@sonde/outgoing'

export const PUSH_ORIGIN = 'https://push.example'

type Pushed = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** Of the token. */
  readonly claims: { readonly aud: string; readonly exp: number; readonly sub: string }
  /** The key that signed it. */
  readonly key: string
  readonly body: Buffer
}

export async function openPushService() {
  const pushed: Pushed[] = []
  let answering = (_path: string): number => 201
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      const path = req.url ?? ''
      void verified(req.headers.authorization ?? '').then((proof) => {
        const isRight =
          proof !== undefined && req.method === 'POST' && req.headers['content-encoding'] === 'aes128gcm'
        if (!isRight || req.headers.ttl === undefined) return res.writeHead(400).end('not RFC 8030')
        pushed.push({ path, headers: req.headers, ...proof, body: Buffer.concat(parts) })
        return res.writeHead(answering(path), { location: `${PUSH_ORIGIN}/m/1` }).end()
      })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    pushed,
    answer: (next: typeof answering) => (answering = next),
    through: (outgoing: Outgoing): Outgoing => ({
      ...outgoing,
      request: (request) => outgoing.request({ ...request, url: request.url.replace(PUSH_ORIGIN, url) }),
    }),
    close: () => (server.closeAllConnections(), server.close()),
  }
}

/** Of `vapid t=…, k=…`; undefined: it is signed with another key, or not at all. */
async function verified(authorization: string): Promise<Pick<Pushed, 'claims' | 'key'> | undefined> {
  const [, head = '', claims = '', signature = '', key = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? []
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const decode = (text: string): Buffer<ArrayBuffer> => Buffer.from(text, 'base64url')
  if (key === '') return undefined
  const imported = await crypto.subtle.importKey('raw', decode(key), algorithm, false, ['verify'])
  const signed = Buffer.from(`${head}.${claims}`)
  const isSigned = await crypto.subtle.verify(algorithm, imported, decode(signature), signed)
  const { alg } = JSON.parse(decode(head).toString()) as { alg: string }
  if (!isSigned || alg !== 'ES256') return undefined
  return { claims: JSON.parse(decode(claims).toString()) as Pushed['claims'], key }
}

/** A browser that is subscribed there. */
export async function openBrowser(name: string) {
  const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
  const point = Buffer.from(await crypto.subtle.exportKey('raw', pair.publicKey))
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(16)))
  return {
    endpoint: `${PUSH_ORIGIN}/${name}`,
    p256dh: point.toString('base64url'),
    auth: secret.toString('base64url'),
    read: (body: Buffer) => decrypted(body, pair.privateKey, point, secret),
  }
}

/** RFC 8291, section 3.4, and RFC 8188 of one record. */
export async function decrypted(
  body: Buffer,
  privateKey: CryptoKey,
  point: Buffer,
  secret: Buffer,
): Promise<string> {
  const [salt, theirs] = [body.subarray(0, 16), body.subarray(21, 21 + (body[20] ?? 0))]
  if (body.readUInt32BE(16) < body.length - 86) throw new Error('longer than its record')
  const derive = async (key: Uint8Array, salted: Uint8Array, info: Uint8Array, bytes: number) => {
    const imported = await crypto.subtle.importKey('raw', Buffer.from(key), 'HKDF', false, ['deriveBits'])
    const by = { name: 'HKDF', hash: 'SHA-256', salt: Buffer.from(salted), info: Buffer.from(info) }
    return new Uint8Array(await crypto.subtle.deriveBits(by, imported, bytes * 8))
  }
  const ecdh = { name: 'ECDH', namedCurve: 'P-256' }
  const sender = await crypto.subtle.importKey('raw', Buffer.from(theirs), ecdh, false, [])
  const shared = await crypto.subtle.deriveBits({ ...ecdh, public: sender }, privateKey, 256)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), point, theirs])
  const input = await derive(new Uint8Array(shared), secret, info, 32)
  const key = await derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const iv = await derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
  const plain = Buffer.from(
    await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, aes, Buffer.from(body.subarray(86))),
  )
  const end = plain.lastIndexOf(2)
  if (end !== plain.length - 1) throw new Error('not the last record')
  return plain.subarray(0, end).toString()
}
