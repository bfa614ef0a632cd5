/** Messages with their changing values replaced, against what upstream expects of the same messages. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { parameterizeMessage } from '../../src/group/v1/parameterize-message.ts'

type Case = { readonly name: string; readonly input: string; readonly expected: string }
const read = (path: string): unknown => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const upstream = read('../../../../fixtures/message-parameterization/sentry-2024-09.json') as {
  readonly groups: Readonly<Record<string, { readonly cases: readonly Case[] }>>
}
const differences = read('message-differences.json') as readonly {
  readonly input: string
  readonly ours: string
  readonly why: string
}[]

describe('messages of upstream', () => {
  for (const [group, { cases }] of Object.entries(upstream.groups)) {
    for (const { name, input, expected } of cases) {
      const known = differences.find((each) => each.input === input)
      it(`${group}, ${name}: ${input.slice(0, 60)}`, () => {
        const allowed = known !== undefined && group !== 'known_not_met' ? known.ours : expected
        const actual = parameterizeMessage(input)
        assert.ok(
          actual === allowed || actual === known?.ours,
          `got ${actual}, expected ${allowed}${known ? ` (known difference: ${known.ours})` : ''}`,
        )
      })
    }
  }
  it('lists no difference that is gone', () => {
    const cases = Object.values(upstream.groups).flatMap((group) => group.cases)
    for (const { input, ours } of differences) {
      assert.equal(parameterizeMessage(input), ours)
      assert.ok(cases.some((each) => each.input === input && each.expected !== ours))
    }
  })
})

describe('messages of our own', () => {
  const table: readonly (readonly [string, string])[] = [
    [
      "Cannot read properties of undefined (reading 'total')",
      "Cannot read properties of undefined (reading 'total')",
    ],
    ['user 42 not found', 'user <int> not found'],
    ['order-12345 and user_777', 'order-<int> and user_<int>'],
    ['ORA-12154: no listener', 'ORA-12154: no listener'],
    ['User "John Smith" not found', 'User <quoted_str> not found'],
    ["can't open it, don't try", "can't open it, don't try"],
    ['open /srv/app/releases/20240101/config.yml failed', 'open <path> failed'],
    ['cannot write C:\\Users\\ann\\a.txt', 'cannot write <path>'],
    ['took 30 seconds for 10MB at 192.168.0.1:8080', 'took <duration> for <size> at <ip>'],
    ['peer 2001:db8::ff00:42:8329 is gone', 'peer <ip> is gone'],
    ['std::vector of Foo::Bar', 'std::vector of Foo::Bar'],
    ['GET https://api.test/users/9?x=1 failed.', 'GET <url> failed.'],
    [
      'Minified React error #418; visit https://react.dev/errors/418?args[]= for more',
      'Minified React error #418; visit <url> for more',
    ],
    ['logger.info is not a function', 'logger.info is not a function'],
    ['first line\n\nsecond line\nthird line', 'first line\nsecond line...'],
  ]
  for (const [input, expected] of table) {
    it(input.slice(0, 60), () => assert.equal(parameterizeMessage(input), expected))
  }

  it('gives the same for any number in the same place', () => {
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (a, b) => {
        assert.equal(
          parameterizeMessage(`job ${a} failed twice`),
          parameterizeMessage(`job ${b} failed twice`),
        )
      }),
    )
  })
  it('is done with a message made to be slow in milliseconds', () => {
    const pieces = [
      'a',
      '1',
      'a.',
      '/a',
      '"a ',
      "=' ",
      '1:',
      'a-',
      'a@',
      'aa:/',
      '://',
      'Mon Jan ',
      'a:\\',
      ' ',
      '(',
      'é',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }), (unit) => {
        const message = unit.join('').repeat(4000)
        const start = performance.now()
        parameterizeMessage(message)
        const tookMs = performance.now() - start
        assert.ok(tookMs < 200, `${tookMs} ms for ${JSON.stringify(unit)}`)
      }),
      { numRuns: 60 },
    )
  })
})
