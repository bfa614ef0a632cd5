import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { createGlob, type GlobRules } from '../src/glob.ts'

const PATHS: GlobRules = { folders: true, sets: true }

function holds(pattern: string, rules: GlobRules, yes: readonly string[], no: readonly string[]): void {
  const matches = createGlob(pattern, rules)
  for (const text of yes) assert.equal(matches(text), true, `${pattern} should match ${text}`)
  for (const text of no) assert.equal(matches(text), false, `${pattern} should not match ${text}`)
}

describe('globs', () => {
  it('* is any text, ? one character, and the whole text has to match', () => {
    holds('src/*', {}, ['src/', 'src/a/b.ts'], ['src', 'lib/src/a'])
    holds('*.ts', {}, ['.ts', 'a/b.ts'], ['a.tsx'])
    holds('Chrome 81.0.?', {}, ['Chrome 81.0.1'], ['Chrome 81.0.', 'Chrome 81.0.12', 'chrome 81.0.1'])
    holds('plain', {}, ['plain'], ['plain ', 'plai', ''])
    holds('', {}, [''], ['a'])
    holds('*', {}, ['', 'a'], [])
    holds('ab*ba', {}, ['abba', 'ab-ba'], ['aba'])
  })

  it('either case where it does not matter', () => {
    holds('SRC/*.ts', { ignoreCase: true }, ['src/A.TS'], ['src/a.js'])
    holds('[A-C]x', { ignoreCase: true, sets: true }, ['ax', 'BX'], ['dx'])
  })

  it('sets: listed, ranges, negated, and a bracket that is not closed', () => {
    holds('*.[tj]sx', { sets: true }, ['a.tsx', 'a.jsx'], ['a.sx', 'a.bsx'])
    holds('/v/[0-9]/x', { sets: true }, ['/v/7/x'], ['/v/a/x', '/v/10/x'])
    holds('[!a-c]', { sets: true }, ['d', '-'], ['a', ''])
    holds('[]]', { sets: true }, [']'], ['['])
    holds('[a-]', { sets: true }, ['a', '-'], ['b'])
    holds('[abc', { sets: true }, ['[abc'], ['a'])
    holds('[HMR]*', {}, ['[HMR] off'], ['H'])
  })

  it('folders: * stays in one, ** goes through all and through none', () => {
    holds('src/*.ts', PATHS, ['src/a.ts'], ['src/a/b.ts'])
    holds('src/**/*.ts', PATHS, ['src/a.ts', 'src/a/b/c.ts'], ['lib/a.ts', 'srca.ts'])
    holds('**/logs', PATHS, ['logs', 'a/logs', 'a/b/logs'], ['alogs', 'a/logs/b'])
    holds('logs/**', PATHS, ['logs/a', 'logs/a/b'], ['logs', 'alogs/a'])
    holds('**src/x', PATHS, ['src/x', 'a/bsrc/x'], ['x'])
    holds('**/project/**.c', PATHS, ['project/a.c', 'x/project/y/a.c'], ['project.c'])
    holds('**/**/a', PATHS, ['a', 'x/a', 'x/y/z/a'], ['ba'])
    holds('a/**/b/**/c', PATHS, ['a/b/c', 'a/x/b/y/z/c'], ['a/c', 'a/bc'])
    holds('a?c', PATHS, ['abc'], ['a/c'])
    holds('a[!b]c', PATHS, ['axc'], ['a/c'])
  })

  it('says what a regular expression says, for patterns of more than a word too', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '**', '**/', '?', '[ab]', '[!a]', 'long-literal-text')
    const source = (pieces: readonly string[]): string => {
      let pattern = pieces.join('')
      let made = ''
      while (pattern !== '') {
        const before = pieces.join('').slice(0, -pattern.length || undefined)
        const isFolder = pattern.length === pieces.join('').length || before.endsWith('/')
        const stars = /^\*+/.exec(pattern)?.[0] ?? ''
        const [taken, part] =
          stars.length > 1 && isFolder && pattern[stars.length] === '/'
            ? [stars.length + 1, '(?:.*/)?']
            : stars !== ''
              ? [stars.length, stars.length > 1 ? '.*' : '[^/]*']
              : pattern.startsWith('[ab]')
                ? [4, '[ab]']
                : pattern.startsWith('[!a]')
                  ? [4, '[^a/]']
                  : [1, pattern[0] === '?' ? '[^/]' : (pattern[0] ?? '').replace(/[/.-]/, String.raw`\$&`)]
        made += part
        pattern = pattern.slice(taken)
      }
      return made
    }
    const texts = fc
      .array(fc.constantFrom('a', 'b', 'c', '/', 'long-literal-text'), { maxLength: 8 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 9 }), texts, (pieces, text) => {
        const expected = new RegExp(`^${source(pieces)}$`, 's').test(text)
        assert.equal(createGlob(pieces.join(''), PATHS)(text), expected, pieces.join(''))
      }),
      { numRuns: 3_000 },
    )
  })

  it('the worst patterns and texts end at once', () => {
    const startedMs = performance.now()
    const text = 'a'.repeat(100_000)
    for (const [pattern, rules] of [
      ['*a'.repeat(500) + 'b*', {}],
      ['**a'.repeat(300) + '**b', PATHS],
      ['**/'.repeat(300) + 'b*', PATHS],
      ['*a?'.repeat(300) + '[!a]*', PATHS],
    ] as const)
      assert.equal(createGlob(pattern, rules)(text), false)
    assert.ok(performance.now() - startedMs < 1_000)
  })
})
