import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseSearch, SearchError } from '@sonde/queries'
import * as fc from 'fast-check'

/** `!` not, then key, operator, values with `*` where a pattern has one; tags as `#name`. */
function spell(text: string): string[] {
  return parseSearch(text).map((term) => {
    const not = term.negated ? '!' : ''
    if (term.kind === 'text') return `${not}text ${term.value.parts.join('*')}`
    const key = `${term.key.isTag ? '#' : ''}${term.key.name}`
    if (term.kind === 'has') return `${not}has ${key}`
    return `${not}${key} ${term.operator} ${term.values.map((value) => value.parts.join('*')).join(' | ')}`
  })
}

const READ: readonly (readonly [string, readonly string[]])[] = [
  ['', []],
  ['   ', []],
  ['is:unresolved level:error', ['is = unresolved', 'level = error']],
  ['!is:resolved', ['!is = resolved']],
  ['release:1.2 environment:prod', ['release = 1.2', 'environment = prod']],
  ['release:"my app@1.0 (beta)"', ['release = my app@1.0 (beta)']],
  ['release:[1.0, "2 0" ,3*]', ['release = 1.0 | 2 0 | 3*']],
  ['"text with space" plain', ['text text with space', 'text plain']],
  ['!plain', ['!text plain']],
  ['has:user !has:release', ['has user', '!has release']],
  ['has:tags[level]', ['has #level']],
  ['tags[level]:x tags["a b"]:c', ['#level = x', '#a b = c']],
  ['"my tag":"a b"', ['my tag = a b']],
  ['title:*time*out*', ['title = *time*out*']],
  ['title:a**b', ['title = a*b']],
  [String.raw`title:a\*b`, ['title = a*b']],
  [String.raw`"say \"hi\" C:\dir"`, [String.raw`text say "hi" C:\dir`]],
  ['timesSeen:>=10 firstSeen:-24h', ['timesSeen >= 10', 'firstSeen = -24h']],
  ['dist:""', ['dist = ']],
  [
    'TypeError: x is not a function',
    ['text TypeError:', 'text x', 'text is', 'text not', 'text a', 'text function'],
  ],
  ['https://shop.test/cart?a=b', ['text https://shop.test/cart?a=b']],
  ['a AND b', ['text a', 'text b']],
  ['ANDROID ORDER', ['text ANDROID', 'text ORDER']],
  ['foo(bar)', ['text foo(bar)']],
  ['__proto__:x constructor:y', ['__proto__ = x', 'constructor = y']],
  ['مرحبا:x 日本語', ['text مرحبا:x', 'text 日本語']],
  ['"quoted"glued', ['text quoted', 'text glued']],
  ['*', []],
  ['key:a:b:c', ['key = a:b:c']],
]

const REFUSED: readonly (readonly [string, number, RegExp])[] = [
  ['level:error "open', 12, /never closed/],
  ['release:[1.0, 2', 8, /never closed/],
  ['release:[a b]', 11, /","/],
  ['timesSeen:>', 0, /needs a value/],
  ['a !', 2, /right after/],
  ['a OR b', 2, /not understood/],
  ['has:""', 0, /needs the name/],
  ['x'.repeat(5_000), 4_096, /at most 4096 characters/],
  ['a '.repeat(60), 101, /at most 50 terms/],
]

describe('the search language', () => {
  for (const [text, expected] of READ) {
    it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(spell(text), expected))
  }

  for (const [text, at, message] of REFUSED) {
    it(`refuses ${JSON.stringify(text.slice(0, 30))} and says where`, () => {
      assert.throws(
        () => parseSearch(text),
        (error) => {
          assert.ok(error instanceof SearchError)
          assert.match(error.message, message)
          assert.equal(error.at, at)
          return true
        },
      )
    })
  }

  it('throws nothing but its own error, for any text', () => {
    const pieces = fc.constantFrom(
      '"',
      '[',
      ']',
      ',',
      ':',
      '!',
      '*',
      '\\',
      ' ',
      '>',
      'is',
      'has',
      'tags',
      'a',
      '\0',
      '\n',
    )
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(pieces).map((list) => list.join('')),
    )
    fc.assert(
      fc.property(text, (query) => {
        try {
          for (const term of parseSearch(query)) assert.ok(term.at >= 0 && term.at < query.length)
        } catch (error) {
          assert.ok(error instanceof SearchError, String(error))
        }
      }),
    )
  })

  it('a quoted value comes back as it was, whatever is in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (value) => {
        const quoted = `release:"${value.replace(/[\\"*,\]]/g, (char) => `\\${char}`)}"`
        const [term] = parseSearch(quoted)
        assert.ok(term?.kind === 'filter')
        assert.deepEqual(term.values, [{ parts: [value] }])
      }),
    )
  })
})
