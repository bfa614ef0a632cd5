/** Events that no sane SDK sends, and that must be stored and shown all the same. */
import assert from 'node:assert/strict'
import { type EventDetail, exceptions } from '../support/api-shapes.ts'

export type StrangeCase = {
  readonly name: string
  readonly event: Buffer | object
  /** What `/api/0` says of it. */
  readonly check: (event: EventDetail) => void
}

const LEVELS = 10_000
const FRAMES = 5_000
const title = (pattern: RegExp) => (event: EventDetail) => assert.match(event.title, pattern)

export const STRANGE_CASES: readonly StrangeCase[] = [
  {
    name: 'bytes that are no UTF-8',
    event: Buffer.concat([
      Buffer.from('{"message":"utf8 '),
      Buffer.from([0xff, 0xfe, 0xc3, 0x28]),
      Buffer.from(' end"}'),
    ]),
    check: title(/^utf8 .* end$/),
  },
  {
    name: 'NUL characters',
    event: { message: 'nul \u0000 end', tags: { a: 'b\u0000c' } },
    check: title(/^nul .*end$/),
  },
  {
    name: 'lone surrogates',
    event: Buffer.from(String.raw`{"message":"half \ud800 end"}`),
    check: title(/^half .* end$/),
  },
  {
    name: `JSON ${LEVELS} levels deep`,
    event: Buffer.from(
      `{"message":"deep end","extra":{"deep":${'['.repeat(LEVELS)}${']'.repeat(LEVELS)}},` +
        `"contexts":{"deep":${'{"a":'.repeat(LEVELS)}1${'}'.repeat(LEVELS)}}}`,
    ),
    check: title(/^deep end$/),
  },
  {
    name: 'a string of 1 MB',
    event: { message: `long ${'x'.repeat(1_000_000)}` },
    check(event) {
      assert.match(event.title, /^long x+/)
      assert.ok(event.title.length < 1_000, 'the title is short')
    },
  },
  {
    name: `${FRAMES} frames`,
    event: {
      exception: {
        values: [
          {
            type: 'RecursionError',
            value: 'too deep',
            stacktrace: {
              frames: Array.from({ length: FRAMES }, (_, index) => ({
                function: `f${index}`,
                filename: 'a.py',
                lineno: index,
              })),
            },
          },
        ],
      },
    },
    check(event) {
      const { frames, framesOmitted } = exceptions(event)[0]?.stacktrace ?? {}
      assert.equal(frames?.at(-1)?.function, `f${FRAMES - 1}`, 'the frame that crashed is kept')
      assert.deepEqual(framesOmitted, [0, FRAMES - frames.length], 'and it says which are not')
    },
  },
  { name: 'the year 1970', event: { message: 'old', timestamp: 1 }, check: title(/^old$/) },
  {
    name: 'the year 2100',
    event: { message: 'far', timestamp: '2100-06-01T00:00:00Z' },
    check: title(/^far$/),
  },
  {
    name: 'keys called __proto__',
    event: Buffer.from(
      '{"message":"proto","__proto__":{"polluted":"yes"},"constructor":{"prototype":{"polluted":"yes"}},' +
        '"tags":{"__proto__":"yes","constructor":"yes"},"extra":{"__proto__":{"polluted":"yes"}},' +
        '"contexts":{"__proto__":{"polluted":"yes"},"toString":{"valueOf":1}},"user":{"__proto__":{"id":"1"}}}',
    ),
    check(event) {
      assert.equal(event.title, 'proto')
      assert.ok(!('polluted' in event) && !('polluted' in event.contexts))
    },
  },
  {
    name: 'every field of another type',
    event: {
      message: { formatted: 5 },
      exception: 'boom',
      user: 7,
      tags: 'region',
      contexts: [1],
      extra: 'x',
      breadcrumbs: { a: 1 },
      request: [],
      sdk: 'me',
      release: 1.4,
      environment: {},
      level: 'whatever',
      platform: 12,
      timestamp: 'yesterday',
      fingerprint: 3,
      threads: null,
      debug_meta: 'none',
    },
    check: (event) => assert.ok(event.title.length > 0),
  },
]
