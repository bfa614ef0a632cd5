import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { keyText, parseSearch, valueText } from '@sonde/queries'
import * as fc from 'fast-check'
import { termAtCursor } from '../src/search/term-at-cursor.ts'

describe('termAtCursor', () => {
  // `|` is the cursor; [ ] around what a completion replaces.
  const CASES: readonly (readonly [string, string, string])[] = [
    ['|', 'key ""', '⟨⟩'],
    ['rel|', 'key "rel"', '⟨rel⟩'],
    ['rel|ease', 'key "rel"', '⟨release⟩'],
    ['is:unresolved bro|', 'key "bro"', 'is:unresolved ⟨bro⟩'],
    ['is:unresolved |', 'key ""', 'is:unresolved ⟨⟩'],
    ['!os|', 'key "os"', '!⟨os⟩'],
    ['is:|', 'value is ""', 'is:⟨⟩'],
    ['is:un|', 'value is "un"', 'is:⟨un⟩'],
    ['is:un|resolved level:error', 'value is "un"', 'is:⟨unresolved⟩ level:error'],
    ['i|s:unresolved', 'key "i"', '⟨is:unresolved⟩'],
    ['!browser.name:Fire|', 'value browser.name "Fire"', '!browser.name:⟨Fire⟩'],
    ['title:"TypeError: x|', 'value title "TypeError: x"', 'title:⟨"TypeError: x⟩'],
    ['title:"a b" os:W|', 'value os "W"', 'title:"a b" os:⟨W⟩'],
    ['title:"say \\"hi|', 'value title "say "hi"', 'title:⟨"say \\"hi⟩'],
    ['timesSeen:>1|', 'value timesSeen ">1"', 'timesSeen:⟨>1⟩'],
    ['release:[1.0, 2|', 'value release "2"', 'release:[1.0, ⟨2⟩'],
    ['release:[1|.0, 2]', 'value release "1"', 'release:[⟨1.0⟩, 2]'],
    ['release:["a, b", c|]', 'value release "c"', 'release:["a, b", ⟨c⟩]'],
    ['release:[|', 'value release ""', 'release:[⟨⟩'],
    ['has:use|', 'name "use"', 'has:⟨use⟩'],
    ['tags[level]:w|', 'value tags[level] "w"', 'tags[level]:⟨w⟩'],
    ['tags[my tag]:a| is:new', 'value tags[my tag] "a"', 'tags[my tag]:⟨a⟩ is:new'],
    ['"my tag":a|', 'value my tag "a"', '"my tag":⟨a⟩'],
    ['https://x|', 'key "https://x"', '⟨https://x⟩'],
    ['tags[has]:x|', 'value tags[has] "x"', 'tags[has]:⟨x⟩'],
  ]
  for (const [written, seen, replaced] of CASES) {
    it(`${written} is ${seen}`, () => {
      const cursor = written.indexOf('|')
      const text = written.replace('|', '')
      const term = termAtCursor(text, cursor)
      const shown =
        term.kind === 'value'
          ? `value ${term.key.isTag ? `tags[${term.key.name}]` : term.key.name} "${term.prefix}"`
          : `${term.isName ? 'name' : 'key'} "${term.prefix}"`
      assert.equal(shown, seen)
      const { from, to } = term
      assert.equal(`${text.slice(0, from)}⟨${text.slice(from, to)}⟩${text.slice(to)}`, replaced)
    })
  }

  it('holds for any text and cursor', () => {
    const pieces = fc.constantFrom(
      'is:',
      'a',
      '"',
      '\\',
      '[',
      ']',
      ',',
      ' ',
      ':',
      '!',
      'tags[',
      '>',
      '*',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), fc.integer({ min: -3, max: 60 }), (parts, cursor) => {
        const text = parts.join('')
        const at = Math.min(text.length, Math.max(0, cursor))
        const { from, to } = termAtCursor(text, cursor)
        assert.ok(
          from >= 0 && from <= at && at <= to && to <= text.length,
          JSON.stringify({ text, from, to, at }),
        )
      }),
    )
  })
})

describe('suggested text', () => {
  it('is read back by the search as exactly the key and value', () => {
    const name = fc.string({ minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(name, fc.string({ minLength: 1, maxLength: 60, unit: 'binary' }), (tag, value) => {
        const key = keyText(tag, true)
        fc.pre(key !== undefined)
        const search = parseSearch(`${key}:${valueText(value)}`)
        assert.equal(search.length, 1)
        const [term] = search
        assert.ok(term?.kind === 'filter')
        assert.equal(term.key.name, tag)
        assert.equal(term.operator, '=')
        assert.deepEqual(term.values, [{ parts: [value] }])
      }),
    )
  })

  const KEYS: readonly (readonly [string, boolean, string | undefined])[] = [
    ['release', false, 'release'],
    ['release', true, 'tags[release]'],
    ['has', true, 'tags[has]'],
    ['browser.name', true, 'browser.name'],
    ['my tag', true, 'tags[my tag]'],
    ['a]b', true, undefined],
  ]
  for (const [name, isTag, written] of KEYS) {
    it(`${isTag ? 'the tag' : 'the field'} ${name} is written ${written ?? 'not at all'}`, () => {
      assert.equal(keyText(name, isTag), written)
    })
  }
})
