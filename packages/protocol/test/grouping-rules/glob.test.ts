import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { compileGlob, type RuleGlob } from '../../src/grouping-rules/index.ts'

const TEXT = { ignoresCase: false, isPath: false }
const PATH = { ignoresCase: true, isPath: true }

function glob(pattern: string, options = TEXT): RuleGlob {
  const compiled = compileGlob(pattern, options)
  assert.ok('matches' in compiled, JSON.stringify(compiled))
  return compiled
}

describe('a pattern', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['ZeroDivisionError', 'ZeroDivisionError', true],
    ['ZeroDivisionError', 'zerodivisionerror', false],
    ['std::*', 'std::panicking::begin_panic', true],
    ['*', '', true],
    ['connection error (code: *)', 'connection error (code: 7)', true],
    ['a?c', 'abc', true],
    ['a?c', 'ac', false],
    ['[abc]x', 'bx', true],
    ['[!abc]x', 'bx', false],
    ['[a-c-]x', '-x', true],
    [String.raw`a\*b`, 'a*b', true],
    [String.raw`a\*b`, 'aXb', false],
    [String.raw`\{a\}`, '{a}', true],
    ['{Db,Net}Error', 'NetError', true],
    ['{Db,Net}Error', 'WebError', false],
    ['*a*a*a*b', 'aaaab', true],
  ]
  for (const [pattern, text, isMatch] of cases) {
    it(`${pattern} ${isMatch ? 'matches' : 'does not match'} ${text}`, () =>
      assert.equal(glob(pattern).matches(text), isMatch))
  }
})

describe('a pattern of a path', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['**/node_modules/**', '/app/node_modules/react/index.js', true],
    ['**/node_modules/**', 'node_modules/react/index.js', true],
    ['**/node_modules/**', String.raw`C:\app\Node_Modules\react\index.js`, true],
    ['**/vendor/foo/*.c', '/src/vendor/foo/a.c', true],
    ['**/vendor/foo/*.c', '/src/vendor/foo/deep/a.c', false],
    ['**/project/**.c', '/src/project/a/b.c', true],
    ['**/*.gen.c', 'foo/bar.gen.c', true],
    ['src/*.ts', 'src/a/b.ts', false],
  ]
  for (const [pattern, text, isMatch] of cases) {
    it(`${pattern} ${isMatch ? 'matches' : 'does not match'} ${text}`, () =>
      assert.equal(glob(pattern, PATH).matches(text), isMatch))
  }
})

describe('what is wrong with a pattern', () => {
  for (const [pattern, at, message] of [
    ['ab[c', 2, /no \]/],
    ['{a,b', 0, /no \}/],
    ['{a,{b}}', 3, /within/],
    ['[z-a]', 1, /empty/],
    ['{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}', 25, /more than 32/],
  ] as const) {
    it(`${pattern} is told with its place`, () => {
      const problem = compileGlob(pattern, TEXT)
      assert.ok('message' in problem)
      assert.match(problem.message, message)
      assert.equal(problem.at, at)
    })
  }
})

describe('every pattern', () => {
  const LETTERS = fc.constantFrom('a', 'b', '/', '*', '**', '?', 'A')
  const asRegExp = (pattern: string, isPath: boolean): RegExp =>
    new RegExp(
      `^${pattern.replaceAll(/\*+|\?|[^*?]/g, (sign) => {
        if (sign === '?') return '[^]'
        if (sign[0] !== '*') return sign
        return isPath && sign.length === 1 ? '[^/]*' : '[^]*'
      })}$`,
      isPath ? 'i' : '',
    )

  it('matches what the same regular expression matches', () => {
    const parts = fc.array(LETTERS, { maxLength: 6 }).map((letters) => letters.join(''))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '/', 'A'), maxLength: 8 })
    fc.assert(
      fc.property(parts, text, fc.boolean(), (pattern, given, isPath) => {
        const expected = asRegExp(pattern, isPath)
        const isMatch =
          expected.test(given) || (isPath && !given.startsWith('/') && expected.test(`/${given}`))
        assert.equal(glob(pattern, isPath ? PATH : TEXT).matches(given), isMatch, `${pattern} ${given}`)
      }),
      { numRuns: 2_000 },
    )
  })

  it('names a text that stands in everything it matches', () => {
    assert.equal(glob('*connection error*').needs, 'connection error')
    assert.equal(glob('{a,b}lpha').needs, '')
    assert.equal(glob('Exact').literal, 'Exact')
  })

  it('takes linear time where going back would take ages', () => {
    const worst = glob(`${'*a'.repeat(100)}b`)
    const startedMs = performance.now()
    assert.equal(worst.matches('a'.repeat(100_000)), false)
    assert.ok(performance.now() - startedMs < 500)
  })
})
