/**
 * Events that are hard to digest, each of about `bytes` bytes: long texts in which whatever looks for something begins again
 * at every character, and shapes with as many parts as fit.
 */
export type HostileEvent = {
  readonly name: string
  readonly type: 'event' | 'transaction'
  make(bytes: number): object
}

const fill = (unit: string, bytes: number): string =>
  unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes)
const many = <T>(bytes: number, size: number, make: (at: number) => T): T[] =>
  Array.from({ length: Math.max(1, Math.floor(bytes / size)) }, (_, at) => make(at))

/** What a scrubber, a parameterizer or a reader of addresses looks for, begun over and over and never ended. */
const UNITS: readonly string[] = [
  ...String.raw`1 a f1 " ' = / \ . - _ : @ % & ( [ { < ; , 1. 1.1.1.1 :: a: 1: a@ a@b. a.a. a/ ../ C:\ http:// https://a@`.split(
    ' ',
  ),
  ...'00- eyJ deadbeef- 4111- 1234567 AKIA password= "secret":" key= ghp_ sk_live_ xoxb- Mon,0 10:10: 2024-01-0'.split(
    ' ',
  ),
  ...'datetime.datetime( %s %(a) a.min. .isra.0 {closure: __1_ $$ Aa aaaaA bot Version/0 ?a=b& 😀 é <!--'.split(
    ' ',
  ),
  ' ',
  '\t\n',
  '4111 1111 ',
  'Bearer ',
  'Basic ',
  'token: ',
  '-----BEGIN ',
  'Jan 1 ',
  '{{ ',
  'at a (',
  ' [as ',
  '[clone ',
  'Mozilla/5.0 (',
  'Android 1; ',
  ' Build',
  'a=b; ',
  '\u0000',
  '<a ',
]
const texts = (
  where: string,
  type: 'event' | 'transaction',
  make: (text: string, bytes: number) => object,
): HostileEvent[] =>
  UNITS.map((unit) => ({
    name: `${where} of ${JSON.stringify(unit)}`,
    type,
    make: (bytes) => make(fill(unit, bytes), bytes),
  }))

const event = (more: object): object => ({ platform: 'javascript', timestamp: 1_700_000_000, ...more })
const frame = (text: string, at: number): object => ({
  function: text.slice(0, 290),
  module: text.slice(0, 290),
  filename: `${text.slice(0, 280)}.js`,
  abs_path: `https://a.test/${text.slice(0, 280)}`,
  lineno: at,
  colno: at,
  in_app: true,
  context_line: text.slice(0, 500),
})
const stack = (text: string, bytes: number, platform: string): object =>
  event({
    platform,
    exception: {
      values: many(bytes, 500 * 250 * 4, () => ({
        type: text.slice(0, 200),
        value: text.slice(0, 8_000),
        stacktrace: { frames: many(Math.min(bytes, 1_600 * 250), 1_600, (at) => frame(text, at)) },
      })),
    },
  })

export const HOSTILE_EVENTS: readonly HostileEvent[] = [
  ...texts('a message', 'event', (text) => event({ message: text })),
  ...texts('an exception', 'event', (text) =>
    event({ exception: { values: [{ type: text.slice(0, 1_000), value: text }] } }),
  ),
  ...texts('a javascript stack', 'event', (text, bytes) => stack(text, bytes, 'javascript')),
  ...texts('a native stack', 'event', (text, bytes) => stack(text, bytes, 'native')),
  ...texts('a java stack', 'event', (text, bytes) => stack(text, bytes, 'java')),
  ...texts('a request', 'event', (text) =>
    event({
      request: {
        url: `https://a.test/${text.slice(0, text.length / 4)}`,
        query_string: text.slice(0, text.length / 4),
        data: text.slice(0, text.length / 4),
        cookies: text.slice(0, text.length / 4),
        headers: { 'User-Agent': text.slice(0, 5_000), Cookie: text.slice(0, 5_000) },
      },
    }),
  ),
  ...texts('values of extra', 'event', (text, bytes) =>
    event({ extra: Object.fromEntries(many(bytes, 520, (at) => [`k${at}`, text.slice(0, 500)])) }),
  ),
  ...texts('breadcrumbs', 'event', (text, bytes) =>
    event({
      breadcrumbs: many(bytes, 1_100, () => ({
        message: text.slice(0, 500),
        category: 'http',
        data: { url: text.slice(0, 500) },
      })),
    }),
  ),
  ...texts('tags', 'event', (text, bytes) =>
    event({
      tags: many(bytes, 260, (at) => [`t${at}`, text.slice(0, 200)]),
      fingerprint: many(bytes / 4, 210, () => text.slice(0, 200)),
      user: { email: text.slice(0, 1_000), ip_address: text.slice(0, 1_000), username: text.slice(0, 1_000) },
    }),
  ),
  ...texts('a transaction', 'transaction', (text, bytes) => ({
    type: 'transaction',
    transaction: text.slice(0, 4_000),
    start_timestamp: 1_700_000_000,
    timestamp: 1_700_000_001,
    contexts: { trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), op: 'pageload' } },
    spans: many(bytes, 1_200, (at) => ({
      span_id: at.toString(16).padStart(16, '1'),
      trace_id: 'a'.repeat(32),
      start_timestamp: 1_700_000_000,
      timestamp: 1_700_000_001,
      op: 'http.client',
      description: text.slice(0, 500),
      data: { url: text.slice(0, 500) },
    })),
  })),
  {
    name: 'nested lists',
    type: 'event',
    make: (bytes) =>
      event({
        extra: { a: JSON.parse(`${'['.repeat(1_000)}${']'.repeat(1_000)}`) as unknown, b: fill('x', bytes) },
      }),
  },
  {
    name: 'keys',
    type: 'event',
    make: (bytes) => event({ extra: Object.fromEntries(many(bytes, 12, (at) => [`k${at}`, at])) }),
  },
  {
    name: 'keys of contexts',
    type: 'event',
    make: (bytes) => event({ contexts: Object.fromEntries(many(bytes, 20, (at) => [`k${at}`, { a: at }])) }),
  },
  {
    name: 'sensitive keys',
    type: 'event',
    make: (bytes) => event({ extra: Object.fromEntries(many(bytes, 24, (at) => [`password_${at}`, 'x'])) }),
  },
  {
    name: 'exceptions',
    type: 'event',
    make: (bytes) =>
      event({ exception: { values: many(bytes, 30, (at) => ({ type: 'E', value: `${at}` })) } }),
  },
  {
    name: 'short frames',
    type: 'event',
    make: (bytes) =>
      event({
        exception: {
          values: [
            {
              type: 'E',
              stacktrace: { frames: many(bytes, 40, (at) => ({ function: `f${at}`, lineno: at })) },
            },
          ],
        },
      }),
  },
  {
    name: 'the same frames',
    type: 'event',
    make: (bytes) =>
      event({
        exception: {
          values: many(bytes, 250 * 40, () => ({
            type: 'E',
            stacktrace: { frames: many(250 * 40, 40, (at) => ({ function: `f${at % 5}`, lineno: 1 })) },
          })),
        },
      }),
  },
  {
    name: 'short breadcrumbs',
    type: 'event',
    make: (bytes) => event({ breadcrumbs: many(bytes, 16, () => ({ message: 'x' })) }),
  },
  {
    name: 'short tags',
    type: 'event',
    make: (bytes) => event({ tags: Object.fromEntries(many(bytes, 14, (at) => [`t${at}`, 'x'])) }),
  },
  {
    name: 'threads',
    type: 'event',
    make: (bytes) =>
      event({
        threads: {
          values: many(bytes, 40, (at) => ({ id: at, stacktrace: { frames: [{ function: 'a' }] } })),
        },
      }),
  },
  {
    name: 'short spans',
    type: 'transaction',
    make: (bytes) => ({
      type: 'transaction',
      transaction: 'x',
      start_timestamp: 1,
      timestamp: 2,
      contexts: { trace: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) } },
      spans: many(bytes, 140, (at) => ({
        span_id: at.toString(16).padStart(16, '1'),
        trace_id: 'a'.repeat(32),
        start_timestamp: 1,
        timestamp: 2,
      })),
    }),
  },
]
