/** Changes to a request as it travels: its lines and headers, its framing, its compression, and what its body means. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import type { Random } from '../engine/random.ts'
import type { Mutate } from '../engine/target.ts'
import { mutateBytes } from './bytes.ts'
import { mutateEnvelope } from './envelope.ts'
import { mutateForm } from './form.ts'
import { mutateJson } from './json.ts'
import { mutateProtobuf } from './protobuf.ts'
import { mutateZip } from './zip.ts'

export type Message = { method: string; path: string; headers: [name: string, value: string][]; body: Buffer }

const END = '\r\n\r\n'
const PACKERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes),
  zstd: (bytes) => zstdCompressSync(bytes),
  'x-raw-deflate': (bytes) => deflateRawSync(bytes),
}
const ENCODINGS = [...Object.keys(PACKERS), 'identity', 'GZIP', 'gzip, br', 'gzip,gzip,gzip', 'bogus', '']
const METHODS = ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'POST', 'PROPFIND', 'post']
const TYPES = [
  'application/json',
  'application/x-protobuf',
  'application/x-sentry-envelope',
  'application/csp-report',
  'application/reports+json',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=x; boundary=y',
  'application/x-www-form-urlencoded',
  'text/plain;charset=utf-16',
  '',
]

/** `words`: headers, parts of paths and queries. */
export const mutateHttp =
  (words: readonly string[]): Mutate =>
  (input, random, other) => {
    const message = readMessage(input)
    const theirs = readMessage(other)
    if (!message) return input
    for (let left = 1 + random.int(3); left > 0; left--) change(message, theirs, random, words)
    return writeMessage(message, random)
  }

/** `Content-Length` is the body's. */
export function httpMessage({ method, path, headers, body }: Message): Buffer {
  const lines = [...headers, ['Content-Length', String(body.length)]].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), body])
}

export function readMessage(bytes: Buffer): Message | undefined {
  const end = bytes.indexOf(END)
  if (end === -1) return undefined
  const [start = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const [method = '', path = ''] = start.split(' ')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return colon === -1 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { method, path, headers, body: bytes.subarray(end + END.length) }
}

function change(
  message: Message,
  theirs: Message | undefined,
  random: Random,
  words: readonly string[],
): void {
  const { headers } = message
  const at = random.int(headers.length)
  switch (random.int(14)) {
    case 0:
      message.method = random.pick(METHODS)
      return
    case 1:
      message.path = text(
        mutateBytes(
          Buffer.from(message.path, 'latin1'),
          random,
          Buffer.from(theirs?.path ?? '/'),
          words,
          2_000,
        ),
      )
      return
    case 2:
      message.path = `${message.path}${message.path.includes('?') ? '&' : '?'}${random.pick(words)}`
      return
    case 3:
      if (theirs) message.path = theirs.path
      return
    case 4:
      if (headers[at]) headers.push([...headers[at]])
      return
    case 5:
      headers.splice(at, 1)
      return
    case 6: {
      const header = headers[at]
      if (header)
        header[1] = text(
          mutateBytes(
            Buffer.from(header[1], 'latin1'),
            random,
            Buffer.from(random.pick(words)),
            words,
            4_000,
          ),
        )
      return
    }
    case 7:
      headers.push(['Content-Type', random.pick(TYPES)])
      return
    case 8: {
      const encoding = random.pick(ENCODINGS)
      const times = random.pick([1, 1, 1, 2])
      for (let left = times; left > 0; left--)
        message.body = PACKERS[encoding]?.(message.body) ?? message.body
      headers.push(['Content-Encoding', random.oneIn(4) ? random.pick(ENCODINGS) : encoding])
      return
    }
    case 9:
      // A body of little that becomes much.
      message.body = gzipSync(
        Buffer.alloc(random.pick([2 ** 16, 2 ** 22, 2 ** 25]), random.pick([0x20, 0x7b, 0x5b, 0x0a])),
      )
      headers.push(['Content-Encoding', 'gzip'])
      return
    default:
      message.body = changedBody(message, theirs?.body ?? message.body, random)
  }
}

function changedBody({ path, headers, body }: Message, other: Buffer, random: Random): Buffer {
  if (random.oneIn(4)) return mutateBytes(body, random, other, [], 64 * 1024)
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (/envelope|monitoring/.test(path)) return mutateEnvelope(body, random, other)
  if (type.includes('protobuf')) return mutateProtobuf(body, random, other)
  if (type.includes('multipart'))
    return body.includes('PK\x03\x04') ? mutateZip(body, random, other) : mutateForm(body, random, other)
  return mutateJson(body, random, other)
}

function writeMessage(message: Message, random: Random): Buffer {
  const headers = message.headers.filter(([name]) => !/^(?:content-length|transfer-encoding)$/i.test(name))
  const framing = random.int(30)
  if (framing === 0)
    return raw({
      ...message,
      headers: [...headers, ['Transfer-Encoding', 'chunked']],
      body: chunked(message.body, random),
    })
  if (framing === 1)
    return raw({
      ...message,
      headers: [
        ...headers,
        ['Content-Length', String(random.pick([0, 1, message.body.length + 9, 2 ** 40]))],
      ],
    })
  if (framing === 2)
    return raw({
      ...message,
      headers: [...headers, ['Transfer-Encoding', 'chunked'], ['Content-Length', '5']],
    })
  return httpMessage({ ...message, headers })
}

function raw({ method, path, headers, body }: Message): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'), body])
}

function chunked(body: Buffer, random: Random): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const size = random.oneIn(20) ? body.length + 7 : 1 + random.int(body.length)
    parts.push(Buffer.from(`${size.toString(16)}\r\n`), body.subarray(at, at + size), Buffer.from('\r\n'))
    at += size
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

const text = (bytes: Buffer): string => bytes.toString('latin1')
