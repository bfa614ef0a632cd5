import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { parseFingerprintRules, parseStackRules } from '../../src/grouping-rules/index.ts'

const told = (parsed: { readonly problems: readonly { line: number; column: number; message: string }[] }) =>
  parsed.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)

describe('fingerprint rules', () => {
  it('are read as the documentation of Sentry writes them', () => {
    const { rules, problems } = parseFingerprintRules(`# comment
error.type:DatabaseUnavailable -> system-down
error.value:"connection error: *" -> connection-error, {{ transaction }}
logger:my.package.* level:error -> error-logger, {{ logger }} title="Error from Logger {{ logger }}"
family:native !stack.module:"myproject::*" -> not-from-my-project
tags.server_name:"canary-*.mycompany.internal" -> canary events, {{default}}
type:"say \\"hi\\"" path:**/a.js -> "a, b"`)
    assert.deepEqual(problems, [])
    assert.deepEqual(
      rules.map(({ line, matchers, fingerprint, title }) => ({
        line,
        matchers: matchers.map(
          ({ name, tag, isNot, pattern }) => `${isNot ? '!' : ''}${name}.${tag ?? ''}=${pattern}`,
        ),
        fingerprint,
        title,
      })),
      [
        {
          line: 2,
          matchers: ['error.type.=DatabaseUnavailable'],
          fingerprint: ['system-down'],
          title: undefined,
        },
        {
          line: 3,
          matchers: ['error.value.=connection error: *'],
          fingerprint: ['connection-error', '{{ transaction }}'],
          title: undefined,
        },
        {
          line: 4,
          matchers: ['logger.=my.package.*', 'level.=error'],
          fingerprint: ['error-logger', '{{ logger }}'],
          title: 'Error from Logger {{ logger }}',
        },
        {
          line: 5,
          matchers: ['family.=native', '!stack.module.=myproject::*'],
          fingerprint: ['not-from-my-project'],
          title: undefined,
        },
        {
          line: 6,
          matchers: ['tags.server_name=canary-*.mycompany.internal'],
          fingerprint: ['canary events', '{{default}}'],
          title: undefined,
        },
        {
          line: 7,
          matchers: ['error.type.=say "hi"', 'stack.abs_path.=**/a.js'],
          fingerprint: ['a, b'],
          title: undefined,
        },
      ],
    )
  })

  for (const [text, expected] of [
    ['error.typ:X -> a', /^1:1 there is no matcher error.typ/],
    ['error.type:X', /^1:13 the fingerprint is missing/],
    ['-> a', /^1:1 a rule needs a matcher/],
    ['error.type:X -> ', /^1:16 a value of the fingerprint/],
    ['error.type:"X -> a', /^1:12 this quotation mark has no second/],
    ['error.type:a[b -> x', /^1:13 this \[ has no \]/],
    ['error.type:X -> {{ nothing }}', /^1:17 there is no variable \{\{ nothing/],
    ['error.type:X -> a, {{ default', /^1:20 this \{\{ has no/],
    ['category:x -> a', /^1:1 category is not supported/],
    ['app:maybe -> a', /^1:5 app is yes or no/],
    ['family:dotnet -> a', /^1:8 there is no family dotnet/],
    ['tags:x -> a', /^1:1 write the name of the tag/],
    ['error.type:X -> a title=""', /^1:25 the title is empty/],
    ['error.type:X -> a title="b" c', /^1:29/],
    ['\n\nrelease -> a', /^3:1 release has no colon/],
  ] as const) {
    it(`${JSON.stringify(text)} is refused with its place`, () =>
      assert.match(told(parseFingerprintRules(text))[0] ?? '', expected))
  }

  it('have limits: rules, length, problems', () => {
    const many = 'error.type:X -> a\n'.repeat(1_001)
    assert.match(told(parseFingerprintRules(many))[0] ?? '', /^1001:1 at most 1000 rules/)
    assert.match(told(parseFingerprintRules('x'.repeat(150_001)))[0] ?? '', /at most 150000/)
    assert.equal(parseFingerprintRules('x\n'.repeat(500)).problems.length, 20)
    assert.match(told(parseFingerprintRules(`error.type:${'x'.repeat(301)} -> a`))[0] ?? '', /300 characters/)
  })
})

describe('stack-trace rules', () => {
  it('are read as the documentation of Sentry writes them', () => {
    const { rules, problems } = parseStackRules(`# all of it
family:javascript,native stack.abs_path:**/generated/**  -group
stack.function:fetchSavedSearches v-group
function:std::* ^-app -app ^-group -group
family:native max-frames=3 min-frames=2
[ app:no ] | app:yes -group
stack.module:a | [ function:"b]" ] +app`)
    assert.deepEqual(problems, [])
    const flag = (kind: string, isSet: boolean, frames = 'this') => ({ kind, isSet, frames })
    assert.deepEqual(
      rules.map((rule) => rule.actions),
      [
        [flag('group', false)],
        [flag('group', false, 'below')],
        [
          flag('app', false, 'above'),
          flag('app', false),
          flag('group', false, 'above'),
          flag('group', false),
        ],
        [
          { kind: 'max-frames', count: 3 },
          { kind: 'min-frames', count: 2 },
        ],
        [flag('group', false)],
        [flag('app', true)],
      ],
    )
    assert.deepEqual(
      rules.map(({ caller, matchers, callee }) => [caller.length, matchers.length, callee.length]),
      [
        [0, 2, 0],
        [0, 1, 0],
        [0, 1, 0],
        [0, 1, 0],
        [1, 1, 0],
        [0, 1, 1],
      ],
    )
    assert.equal(rules[5]?.callee[0]?.pattern, 'b]')
  })

  for (const [text, expected] of [
    ['function:a', /^1:11 an action is missing/],
    ['-app', /^1:1 a rule begins with a matcher/],
    ['function:a -ap', /^1:12 there is no action -ap/],
    ['function:a category=x', /^1:12 category=… is not supported/],
    ['function:a invert-stacktrace=1', /^1:12 invert-stacktrace/],
    ['function:a +sentinel', /^1:12 sentinel and prefix/],
    ['category:telemetry -group', /^1:1 category is not supported/],
    ['logger:x -group', /^1:1 logger is a matcher of fingerprint rules/],
    ['function:a -group app:yes', /^1:19 matchers stand before the actions/],
    ['[ app:no | app:yes -group', /^1:10 /],
    ['[ app:no ] app:yes -group', /^1:12 a \| is expected/],
    ['function:a max-frames=5000', /^1:12 max-frames is at most 1000/],
  ] as const) {
    it(`${JSON.stringify(text)} is refused with its place`, () =>
      assert.match(told(parseStackRules(text))[0] ?? '', expected))
  }
})

describe('any text', () => {
  const WORDS = fc.constantFrom(
    ...'error.type: tags.a: app:yes -> -group ^ v [ ] | " \\ {{ }} , title= ! * # \n é'.split(' '),
    ' ',
  )
  const texts = fc.oneof(
    fc.string({ maxLength: 200 }),
    fc.array(WORDS, { maxLength: 60 }).map((words) => words.join('')),
  )
  it('is read without an error that is not a problem of a line', () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const { problems } of [parseFingerprintRules(text), parseStackRules(text)]) {
          for (const { line, column } of problems) assert.ok(line >= 1 && column >= 1)
          assert.ok(problems.length <= 20)
        }
      }),
      { numRuns: 3_000 },
    )
  })
  it('is read in linear time', () => {
    const startedMs = performance.now()
    for (const piece of ['"', '{{', '[', '!', '\\', 'a:', 'error.type:{a,b}', '-> ', ' ', ',']) {
      parseFingerprintRules(`error.type:x -> ${piece.repeat(149_900 / piece.length)}`)
      parseStackRules(piece.repeat(150_000 / piece.length))
    }
    assert.ok(performance.now() - startedMs < 2_000)
  })
})
