import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Baggage, formatBaggage, MAX_BAGGAGE_CHARS, parseBaggage } from '@sonde/protocol/trace'
import * as fc from 'fast-check'

const READ: readonly [name: string, headers: string | string[], baggage: Baggage][] = [
  ['nothing', '', { dsc: {}, foreign: [] }],
  [
    'our members, decoded',
    'sentry-trace_id=abc,sentry-transaction=GET%20%2Fa%2Cb',
    { dsc: { trace_id: 'abc', transaction: 'GET /a,b' }, foreign: [] },
  ],
  ['keys that nobody knows yet', 'sentry-new_key=1', { dsc: { new_key: '1' }, foreign: [] }],
  [
    "others' members, untouched",
    'a=%2C;p=1 , b = 2 ,sentry-release=1,no-pair',
    { dsc: { release: '1' }, foreign: ['a=%2C;p=1', 'b = 2', 'no-pair'] },
  ],
  [
    'several headers, merged',
    ['sentry-release=1,a=1', 'sentry-environment=e,b=2'],
    { dsc: { release: '1', environment: 'e' }, foreign: ['a=1', 'b=2'] },
  ],
  [
    'the last of a repeated key',
    ['sentry-release=1', 'sentry-release=2'],
    { dsc: { release: '2' }, foreign: [] },
  ],
  ['spaces and properties of ours, away', ' sentry-release = 1 ;p=2', { dsc: { release: '1' }, foreign: [] }],
  ['a value with "="', 'sentry-release=a=b', { dsc: { release: 'a=b' }, foreign: [] }],
  ['an empty value', 'sentry-release=', { dsc: { release: '' }, foreign: [] }],
  [
    'badly encoded members: ours dropped, others kept',
    'sentry-release=%zz,a=%zz',
    { dsc: {}, foreign: ['a=%zz'] },
  ],
  [
    'a prefix alone and __proto__, dropped',
    'sentry-=1,sentry-__proto__=1,sentry-%5F_proto__=1',
    { dsc: {}, foreign: [] },
  ],
]
for (const [name, headers, baggage] of READ)
  test(`reads ${name}`, () => assert.deepEqual(parseBaggage(headers), baggage))

test('writes the members of others first, then ours, encoded', () => {
  const dsc = { trace_id: 'abc', transaction: 'GET /a,b;c="é"', release: undefined, environment: '\uD800' }
  assert.equal(
    formatBaggage({ dsc, foreign: ['a=%2C;p=1', 'b=2'] }),
    'a=%2C;p=1,b=2,sentry-trace_id=abc,sentry-transaction=GET%20%2Fa%2Cb%3Bc%3D%22%C3%A9%22,sentry-environment=%EF%BF%BD',
  )
  assert.equal(formatBaggage({}), '')
})

test('a member that would pass 8192 characters is skipped and named, smaller ones after it are kept (R5)', () => {
  const skipped: string[] = []
  const first = `a=${'x'.repeat(8000)}`
  const tooLong = `b=${'x'.repeat(200)}`
  const header = formatBaggage(
    { foreign: [first, tooLong, 'c=3'], dsc: { trace_id: 'abc', transaction: 'y'.repeat(300) } },
    undefined,
    (member) => skipped.push(member),
  )
  assert.equal(header, `${first},c=3,sentry-trace_id=abc`)
  assert.deepEqual(skipped, [tooLong, `sentry-transaction=${'y'.repeat(300)}`])
})

const memberOf = (length: number) => `a=${'x'.repeat(length - 2)}`

test('exactly 8192 characters are allowed, one more is not', () => {
  assert.equal(formatBaggage({ foreign: [memberOf(8192)] }).length, 8192)
  assert.equal(formatBaggage({ foreign: [memberOf(8193)] }), '')
  assert.equal(formatBaggage({ foreign: [memberOf(8190), 'b'] }).length, 8192)
  assert.equal(formatBaggage({ foreign: [memberOf(8190), 'bc'] }).length, 8190)
})

const value = fc.string({ unit: 'grapheme', maxLength: 40 })
const dsc = fc.dictionary(
  fc.stringMatching(/^[a-z_]{1,12}$/).filter((key) => key !== '__proto__'),
  value,
  { maxKeys: 8, noNullPrototype: true },
)
const foreign = fc.array(fc.stringMatching(/^[a-r][a-z]{0,5}=[!-+\--~]{0,20}$/), { maxLength: 5 })

test('what is written is read back', () => {
  fc.assert(
    fc.property(dsc, foreign, (ours, others) =>
      assert.deepEqual(parseBaggage(formatBaggage({ dsc: ours, foreign: others })), {
        dsc: ours,
        foreign: others,
      }),
    ),
  )
})

test('whatever comes in, what goes out keeps to the limit and is ASCII without line ends', () => {
  const big = fc.dictionary(fc.string(), fc.string({ unit: 'binary', maxLength: 6000 }), { maxKeys: 6 })
  fc.assert(
    fc.property(big, (ours) => {
      const header = formatBaggage({ dsc: ours })
      assert.ok(header.length <= MAX_BAGGAGE_CHARS)
      assert.match(header, /^[!-~]*$/)
    }),
  )
  fc.assert(
    fc.property(fc.string(), (header) => {
      for (const member of parseBaggage(header).foreign) assert.ok(!member.startsWith('sentry-'))
    }),
  )
})
