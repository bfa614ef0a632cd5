/**
 * The worst that strangers are known to send to endpoints: as large as is taken, and shaped so that whatever looks at it has
 * most to do. Each is answered, whatever the answer is, before anybody else notices.
 */
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { bytesField } from './otlp-request.ts'
import { EVENT_ID } from './send.ts'
import { worstHeads } from './worst-heads.ts'

export type WorstRequest = {
  readonly name: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: () => string | Buffer
}

const MIB = 1024 * 1024
// Just below what a body may have, and one of OTLP.
const BODY_BYTES = 23 * MIB
const OTLP_BYTES = 12 * MIB - 1_000
const fill = (unit: string, bytes: number): string => unit.repeat(Math.floor(bytes / unit.length))

/** For a project and one of its keys. */
export function worstRequests(project: number, key: string): readonly WorstRequest[] {
  const endpoint = (what: string): string => `/api/${project}/${what}/?sentry_key=${key}`
  return [
    ...envelopes(endpoint('envelope')),
    ...storeBodies(endpoint('store')),
    ...forms(endpoint(`events/${EVENT_ID}/attachments`)),
    ...bombs(endpoint('envelope')),
    ...otlp(endpoint('otlp/v1/traces').replace('/?', '?')),
    ...reports(endpoint('security')),
    ...worstHeads(project, key),
  ]
}

function envelopes(path: string): WorstRequest[] {
  const header = `{"event_id":"${EVENT_ID}"}\n`
  const item = (type: string, payload: string): string => `{"type":"${type}"}\n${payload}\n`
  const rows: readonly (readonly [string, () => string])[] = [
    ['a line without an end', () => fill('x', BODY_BYTES)],
    ['a header of spaces', () => `{${fill(' ', BODY_BYTES)}}\n`],
    ['blank lines', () => header + fill('\n', BODY_BYTES)],
    ['empty items', () => header + fill('{"type":"event"}\n\n', BODY_BYTES)],
    ['items of unknown types', () => header + fill('{"type":"x"}\n\n', BODY_BYTES)],
    [
      'a thousand items with headers as long as they may be',
      () =>
        header +
        fill(`{"type":"event","a":"${fill('\\u0041', 8_000)}"}\n{}\n`, 1_000 * 8_050).slice(0, BODY_BYTES),
    ],
    ['headers nested deep', () => fill(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}\n`, BODY_BYTES)],
    [
      'a header with many keys',
      () => `{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":1`).join()}}\n`,
    ],
    ['an event of braces', () => header + item('event', fill('{"a":', MIB - 100))],
    ['an event of quotes', () => header + item('event', fill('"\\', MIB - 100))],
    [
      'an event whose id comes last',
      () => `{}\n${item('event', `{"a":"${fill('\\"', MIB - 200)}","event_id":1}`)}`,
    ],
    [
      'client reports',
      () =>
        header +
        item(
          'client_report',
          `{"discarded_events":[${fill('{"reason":"a","category":"b","quantity":1},', MIB / 2)}{}]}`,
        ),
    ],
    ['a length of digits', () => `${header}{"type":"event","length":${fill('9', 100_000)}}\n`],
    [
      'a trace of many entries',
      () =>
        `{"trace":{${Array.from({ length: 20_000 }, (_, at) => `"k${at}":"v"`).join()}}}\n${item('event', '{}')}`,
    ],
    ['a DSN that never ends', () => `{"dsn":"https://a@${fill('a.', 2_000)}"}\n${item('event', '{}')}`],
  ]
  return rows.map(([name, body]) => ({ name: `envelope: ${name}`, path, body }))
}

function storeBodies(path: string): WorstRequest[] {
  const rows: readonly (readonly [string, () => string | Buffer])[] = [
    ['spaces', () => `a${fill(' ', MIB)}!`],
    ['padding', () => `a${fill('=', MIB)}!`],
    ['spaces before a brace', () => `${fill(' ', 2 * MIB)}!`],
    ['lists nested deep', () => `{"a":${fill('[', MIB - 10)}`],
    ['numbers that are none', () => `{"a":[${fill('NaN,', MIB - 100)}-]}`],
    ['minus signs', () => `{"a":[${fill('-Infinity ', MIB - 100)}]}`],
    ['zlib that grows', () => deflateSync(Buffer.alloc(200 * MIB)).toString('base64')],
  ]
  return rows.map(([name, body]) => ({ name: `store: ${name}`, path, body }))
}

function forms(path: string): WorstRequest[] {
  const head = 'Content-Disposition: form-data; name="f"; filename="a"\r\n'
  const type = (boundary: string) => ({ 'Content-Type': `multipart/form-data; boundary=${boundary}` })
  const rows: readonly (readonly [string, () => string, string])[] = [
    ['empty parts', () => fill('--x\r\n\r\n\r\n', BODY_BYTES), 'x'],
    ['empty files', () => fill(`--x\r\n${head}\r\n\r\n`, BODY_BYTES), 'x'],
    ['headers of parts', () => `--x\r\n${fill('a: b\r\n', BODY_BYTES)}`, 'x'],
    [
      'what is nearly a delimiter',
      () => `--${fill('ab', 240)}\r\n${head}\r\n${fill('ab', BODY_BYTES)}`,
      fill('ab', 240),
    ],
    ['line ends', () => `--x\r\n${head}\r\n${fill('\r\n-', BODY_BYTES)}`, 'x'],
  ]
  return rows.map(([name, body, boundary]) => ({
    name: `form: ${name}`,
    path,
    headers: type(boundary),
    body,
  }))
}

function bombs(path: string): WorstRequest[] {
  const zeros = (): Buffer => Buffer.alloc(400 * MIB)
  const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
  const chained = (encoding: string, times: number, body: () => Buffer): WorstRequest => ({
    name: `bomb: ${encoding}`,
    path,
    headers: { 'Content-Encoding': Array.from({ length: times }, () => encoding).join(', ') },
    body,
  })
  return [
    chained('gzip', 1, () => gzipSync(zeros(), { level: 1 })),
    chained('deflate', 1, () => deflateSync(zeros(), { level: 1 })),
    chained('br', 1, () => brotliCompressSync(zeros(), brotli)),
    chained('zstd', 1, () => zstdCompressSync(zeros())),
    chained('gzip', 2, () => gzipSync(gzipSync(zeros()))),
    chained('gzip', 2_000, () => gzipSync('x')),
    {
      name: 'members of gzip',
      path,
      headers: { 'Content-Encoding': 'gzip' },
      body: () => Buffer.concat(Array.from({ length: 200_000 }, () => EMPTY_GZIP)),
    },
    {
      name: 'blocks of deflate',
      path,
      headers: { 'Content-Encoding': 'deflate' },
      body: () =>
        Buffer.concat([Buffer.of(0x78, 0x9c), Buffer.alloc(5 * MIB, Buffer.of(0, 0, 0, 0xff, 0xff))]),
    },
  ]
}
const EMPTY_GZIP = gzipSync('')

function otlp(path: string): WorstRequest[] {
  const protobuf = { 'Content-Type': 'application/x-protobuf' }
  const json = { 'Content-Type': 'application/json' }
  const span = bytesField(2, Buffer.alloc(0))
  const resource = (...scopes: Uint8Array[]): Buffer => bytesField(1, Buffer.concat(scopes))
  const repeated = (piece: Buffer, bytes = OTLP_BYTES): Buffer =>
    Buffer.alloc(Math.floor(bytes / piece.length) * piece.length, piece)
  const binary: readonly (readonly [string, () => Buffer])[] = [
    ['empty spans', () => resource(bytesField(2, repeated(span)))],
    ['empty resources', () => repeated(bytesField(1, Buffer.alloc(0)))],
    ['empty scopes', () => resource(repeated(bytesField(2, Buffer.alloc(0))))],
    [
      'messages in messages',
      () => {
        let inner: Buffer = Buffer.alloc(0)
        for (let depth = 0; depth < 5_000; depth++) inner = bytesField(1, inner)
        return repeated(inner)
      },
    ],
    ['groups that begin and never end', () => repeated(Buffer.of(0x0b))],
    ['groups that end', () => repeated(Buffer.of(0x0c))],
    [
      'numbers of ten bytes',
      () => repeated(Buffer.of(0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1)),
    ],
    [
      'a length beyond the body',
      () => Buffer.concat([Buffer.of(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f), repeated(Buffer.of(0))]),
    ],
    ['attributes', () => resource(bytesField(2, bytesField(2, repeated(bytesField(9, bytesField(1, 'k'))))))],
  ]
  const texts: readonly (readonly [string, () => string])[] = [
    [
      'tiny attributes',
      () =>
        `{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[${fill('{"key":"k","value":{"intValue":"1"}},', OTLP_BYTES)}{}]}]}]}]}`,
    ],
    ['empty spans', () => `{"resourceSpans":[{"scopeSpans":[{"spans":[${fill('{},', OTLP_BYTES)}{}]}]}]}`],
    ['lists nested deep', () => `{"resourceSpans":[${fill('[', OTLP_BYTES)}`],
    ['objects nested deep', () => fill('{"resourceSpans":', OTLP_BYTES)],
    ['escapes', () => `{"a":"${fill('\\"', OTLP_BYTES)}"}`],
    ['spaces', () => fill(' ', OTLP_BYTES)],
    ['digits', () => `{"a":${fill('1', OTLP_BYTES)}}`],
  ]
  return [
    ...binary.map(([name, body]) => ({ name: `OTLP protobuf: ${name}`, path, headers: protobuf, body })),
    ...texts.map(([name, body]) => ({ name: `OTLP JSON: ${name}`, path, headers: json, body })),
  ]
}

function reports(path: string): WorstRequest[] {
  const csp = { 'Content-Type': 'application/csp-report' }
  const several = { 'Content-Type': 'application/reports+json' }
  return [
    {
      name: 'reports: many',
      path,
      headers: several,
      body: () => `[${fill('{"type":"csp-violation","body":{}},', MIB - 100)}{}]`,
    },
    { name: 'reports: of nothing', path, headers: several, body: () => `[${fill('0,', MIB - 100)}0]` },
    { name: 'reports: a list nested deep', path, headers: several, body: () => fill('[', MIB - 100) },
    {
      name: 'reports: a policy of many words',
      path,
      headers: csp,
      body: () => `{"csp-report":{"original-policy":"${fill("a ;'", MIB - 200)}"}}`,
    },
  ]
}
