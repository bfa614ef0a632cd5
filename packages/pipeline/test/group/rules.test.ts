/** What a project's rules make of its events. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { NormalizedEvent } from '@sonde/protocol/event'
import {
  type FingerprintMatcher,
  type FingerprintRule,
  parseFingerprintRules,
} from '@sonde/protocol/grouping-rules'
import { DEFAULT_GROUPING, type GroupingRules } from '@sonde/stores'
import * as fc from 'fast-check'
import { groupByRules, withoutRules } from '../../src/group/group-by-rules.ts'
import { compileFingerprints } from '../../src/group/rules/match-fingerprint.ts'
import { normalizeEvent } from '../../src/normalize/index.ts'
import { fixtureNames, readFixture } from './fixture-events.ts'

const context = { eventId: '0'.repeat(32), receivedMs: 0, itemType: 'event', retentionDays: 90 }
const eventFrom = (raw: object): NormalizedEvent => normalizeEvent(raw, context)
const by = (raw: object | NormalizedEvent, rules: Partial<GroupingRules>) =>
  groupByRules('derived' in raw ? raw : eventFrom(raw), { ...DEFAULT_GROUPING, ...rules }, 0)
const traceOf = (raw: object, rules: Partial<GroupingRules>) => by(raw, rules).event.derived.grouping
const isMatch = (raw: object, matchers: string): boolean =>
  traceOf(raw, { fingerprintRules: `${matchers} -> ruled` })?.rule !== undefined

const frame = (more: object) => ({ filename: 'src/cart.py', function: 'pay', in_app: true, ...more })
const ERROR = {
  platform: 'python',
  logger: 'com.shop.cart',
  level: 'warning',
  release: 'shop@2.1.0',
  sdk: { name: 'sentry.python.django', version: '2' },
  transaction: '/pay',
  tags: { server_name: 'canary-3.shop.internal' },
  exception: {
    values: [
      { type: 'OSError', value: 'disk full' },
      {
        type: 'ConnectionError',
        value: 'Could not connect (db-7)',
        stacktrace: {
          frames: [
            frame({
              filename: 'lib/orm.py',
              abs_path: '/srv/lib/orm.py',
              module: 'orm',
              function: 'connect',
              in_app: false,
            }),
            frame({ module: 'shop.bot' }),
          ],
        },
      },
    ],
  },
}

describe('a matcher', () => {
  for (const [matchers, expected] of [
    ['error.type:ConnectionError', true],
    ['type:OSError', true],
    ['error.type:connectionerror', false],
    ['error.value:"could not connect (*)"', true],
    ['message:"COULD not*"', true],
    ['logger:com.shop.*', true],
    ['logger:com.other.*', false],
    ['level:WARNING', true],
    ['tags.server_name:"canary-*.shop.internal"', true],
    ['tags.region:*', false],
    ['release:shop@2.*', true],
    ['sdk:sentry.python*', true],
    ['family:other', true],
    ['family:javascript,native', false],
    ['stack.abs_path:**/lib/*.py', true],
    ['path:LIB/ORM.PY', true],
    // A relative path is one below `/` too.
    ['path:**/src/**', true],
    ['path:**/SRC/*.py', true],
    ['path:**/rc/**', false],
    ['stack.module:shop.*', true],
    ['stack.function:connect', true],
    ['stack.package:*', false],
    ['app:yes', true],
    ['!error.type:ConnectionError', false],
    ['!error.type:Nothing', true],
    ['!stack.function:connect', true],
    ['error.type:ConnectionError stack.function:connect stack.module:orm', true],
    ['stack.function:connect stack.module:shop.bot', false],
    ['stack.function:connect app:yes', false],
    ['error.type:OSError error.value:"disk*"', true],
    ['error.type:OSError error.value:"could*"', false],
    ['!logger:x !level:error', true],
  ] as const) {
    it(`${matchers} ${expected ? 'matches' : 'does not match'}`, () =>
      assert.equal(isMatch(ERROR, matchers), expected))
  }
})

describe('a fingerprint rule', () => {
  it('decides over the fingerprint of the SDK; the first that matches does', () => {
    const rules = {
      fingerprintRules: 'error.type:Nothing -> a\nerror.type:OSError -> b, {{ transaction }}\nlevel:* -> c',
    }
    const trace = traceOf({ ...ERROR, fingerprint: ['own'] }, rules)
    assert.deepEqual(trace?.parts, [{ from: 'fingerprint', value: 'b\n/pay' }])
    assert.equal(trace?.rule, 'error.type:OSError -> b, {{ transaction }}')
    const same = traceOf({ message: 'other', fingerprint: ['b', '/pay'] }, {})
    assert.deepEqual(trace?.hashes, same?.hashes)
  })
  it('refines what would be grouped anyway with {{ default }}', () => {
    const rules = { fingerprintRules: 'level:* -> {{ default }}, {{ tags.server_name }}' }
    const other = { ...ERROR, tags: { server_name: 'web-1' } }
    assert.notDeepEqual(by(ERROR, rules).hashes, by(other, rules).hashes)
    assert.deepEqual(by(ERROR, {}).hashes, by(other, {}).hashes)
  })
  it('gives a title, which goes when the rule does', () => {
    const rules = { fingerprintRules: 'logger:com.* -> {{ logger }} title="Error from Logger {{ logger }}"' }
    const { event } = by(ERROR, rules)
    assert.equal(event.derived.title, 'Error from Logger com.shop.cart')
    assert.equal(by(withoutRules(event), {}).event.derived.title, 'ConnectionError: Could not connect (db-7)')
  })
  it('that cannot be read is left out', () => {
    const rules = { fingerprintRules: 'nonsense\nlevel:* -> c', stackRules: 'nonsense' }
    assert.equal(traceOf(ERROR, rules)?.rule, 'level:* -> c')
  })
})

describe('a stack-trace rule', () => {
  const stack = (...names: readonly string[]) => ({
    platform: 'python',
    exception: {
      values: [
        {
          type: 'E',
          value: 'x',
          mechanism: { type: 'excepthook' },
          stacktrace: {
            frames: names.map((name) =>
              frame({ function: name.replace('-', ''), in_app: !name.startsWith('-') }),
            ),
          },
        },
      ],
    },
  })
  const marks = (names: readonly string[], stackRules: string) => {
    const frames = by(stack(...names), { stackRules }).event.exception?.[0]?.stacktrace?.frames ?? []
    return frames.map((each) => `${each.in_app ? '' : '-'}${each.function}`).join(' ')
  }
  const same = (names: readonly string[], stackRules: string, asIf: readonly string[]) =>
    assert.deepEqual(by(stack(...names), { stackRules }).hashes, by(stack(...asIf), {}).hashes)

  it('changes the flag of the frame, of those above, of those below', () => {
    assert.equal(marks(['a', 'b', 'c'], 'function:b -app'), 'a -b c')
    assert.equal(marks(['a', 'b', 'c'], 'function:b ^-app'), 'a b -c')
    assert.equal(marks(['a', 'b', 'c'], 'function:b v-app -app'), '-a -b c')
    assert.equal(marks(['-a', '-b'], 'function:b +app'), '-a b')
  })
  it('sees what rules before it did', () =>
    assert.equal(marks(['-a', 'b'], 'app:no +app\nfunction:b -app'), 'a -b'))
  it('looks at the frames beside', () => {
    assert.equal(marks(['a', 'b', 'a', 'c'], '[ function:a ] | function:c -app'), 'a b a -c')
    assert.equal(marks(['a', 'b', 'a', 'c'], 'function:a | [ function:b ] -app'), '-a b a c')
  })
  it('sees the error', () => {
    assert.equal(marks(['a'], 'error.type:E -app'), '-a')
    assert.equal(marks(['a'], 'error.mechanism:onerror -app'), 'a')
  })
  it('takes frames out of grouping, back in, and limits how many count', () => {
    same(['a', 'b', 'c'], 'function:b -group', ['a', 'c'])
    same(['a', 'b', 'c'], 'function:* -group\nfunction:c +group', ['c'])
    same(['a', 'b', 'c'], 'family:other max-frames=1', ['c'])
    same(['a', 'b', '-c'], 'family:other max-frames=1', ['b'])
    same(['a', 'b'], 'function:* min-frames=3', [])
    assert.equal(marks(['a', 'b', 'c'], 'function:b -group'), 'a b c')
  })
  it('is named in the trace, and undone to try others', () => {
    const { event } = by(stack('a', 'b'), { stackRules: 'function:b -app' })
    assert.deepEqual(event.derived.grouping?.stackRules, [{ rule: 'function:b -app', frames: 1 }])
    assert.deepEqual(withoutRules(event).exception, eventFrom(stack('a', 'b')).exception)
  })
})

describe('while a project moves to another version', () => {
  const previous = { version: 'v1', untilMs: 1_000 } as const
  it('nothing is said twice where both versions are the same', () => {
    const moved = groupByRules(eventFrom(ERROR), { ...DEFAULT_GROUPING, previous }, 500)
    assert.equal(moved.hashes.length, 1)
  })
})

describe('any rules, over any event', () => {
  const FIELDS = [
    'error.type',
    'error.value',
    'message',
    'level',
    'stack.function',
    'stack.abs_path',
    'stack.module',
    'tags.a',
  ]
  const PATTERNS = [
    '*',
    'Error',
    '*Error*',
    '*o*',
    'error',
    '**/*.js',
    '*.py',
    '?*',
    'TypeError',
    'django.*',
    '[A-Z]*',
  ]
  const matcher = fc
    .tuple(fc.boolean(), fc.constantFrom(...FIELDS), fc.constantFrom(...PATTERNS))
    .map(([isNot, field, pattern]) => `${isNot ? '!' : ''}${field}:"${pattern}"`)
  const rules = fc.array(fc.array(matcher, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 })

  it('all rules at once find what each alone finds first', () => {
    const names = fixtureNames()
    fc.assert(
      fc.property(fc.constantFrom(...names), rules, (name, list) => {
        const event = eventFrom(readFixture(name) as object)
        const parsed = parseFingerprintRules(
          list.map((each, at) => `${each.join(' ')} -> r${at}`).join('\n'),
        ).rules
        assert.equal(parsed.length, list.length)
        const alone = parsed.find((rule) => compileFingerprints([rule])(event) !== undefined)
        assert.equal(compileFingerprints(parsed)(event)?.line, alone?.line)
      }),
      { numRuns: 300 },
    )
  })
  it('find what trying every pattern on every text finds', () => {
    const names = fixtureNames()
    fc.assert(
      fc.property(fc.constantFrom(...names), rules, (name, list) => {
        const event = eventFrom(readFixture(name) as object)
        const text = list.map((each, at) => `${each.join(' ')} -> r${at}`).join('\n')
        const parsed = parseFingerprintRules(text).rules
        const expected = parsed.find((rule) => isTriedOnAll(rule, event))
        assert.equal(compileFingerprints(parsed)(event)?.line, expected?.line)
      }),
      { numRuns: 500 },
    )
  })
  it('without rules nothing changes', () => {
    for (const name of fixtureNames()) {
      const event = eventFrom(readFixture(name) as object)
      const { event: grouped, hashes } = groupByRules(event, DEFAULT_GROUPING, 0)
      assert.deepEqual(grouped.derived.grouping?.hashes, hashes)
      assert.deepEqual(grouped.exception, event.exception)
    }
  })
})

/** One matcher after the other on every text it is for. */
function isTriedOnAll({ matchers }: FingerprintRule, event: NormalizedEvent): boolean {
  const { exception: errors = [], threads = [], logentry, tags = [], level } = event
  const stacks = errors.some(({ stacktrace }) => stacktrace) ? errors : threads
  const frames = stacks.flatMap(({ stacktrace }) => stacktrace?.frames ?? [])
  const isIn = ({ glob }: FingerprintMatcher, texts: readonly (string | undefined)[]): boolean =>
    texts.some((text) => text !== undefined && glob.matches(text))
  const ofError = matchers.filter(({ name }) => name.startsWith('error.'))
  const ofFrame = matchers.filter(({ name }) => name.startsWith('stack.'))
  const errorHas = (matcher: FingerprintMatcher) => (error: (typeof errors)[number]) =>
    isIn(matcher, [matcher.name === 'error.type' ? error.type : error.value])
  const wanted = ofError.filter(({ isNot }) => !isNot)
  return (
    !ofError.some((matcher) => matcher.isNot && errors.some(errorHas(matcher))) &&
    (wanted.length === 0 || errors.some((error) => wanted.every((matcher) => errorHas(matcher)(error)))) &&
    (ofFrame.length === 0 ||
      frames.some((frame) =>
        ofFrame.every((matcher) => {
          const { abs_path: absPath, filename, module, function: name } = frame
          const texts = {
            'stack.abs_path': [absPath, filename],
            'stack.module': [module],
            'stack.function': [name],
          }[matcher.name as string]
          return isIn(matcher, texts ?? []) !== matcher.isNot
        }),
      )) &&
    matchers.every((matcher) => {
      const texts = {
        message: [logentry?.message, logentry?.formatted, ...errors.map(({ value }) => value)],
        level: [level],
        tags: tags.filter(([key]) => key === matcher.tag).map(([, value]) => value),
      }[matcher.name as string]
      return texts === undefined || isIn(matcher, texts) !== matcher.isNot
    })
  )
}
