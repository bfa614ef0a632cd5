import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSearch } from '@sonde/queries'
import * as fc from 'fast-check'
import { searchTerm } from '../../../src/parts/issue/issue-links.ts'

test('a tag becomes the shortest term that means it', () => {
  assert.equal(searchTerm('browser.name', 'Firefox'), 'browser.name:Firefox')
  assert.equal(searchTerm('os', 'Mac OS X'), 'os:"Mac OS X"')
  assert.equal(searchTerm('title', 'x'), 'tags[title]:x')
  assert.equal(searchTerm('my tag', 'a"b'), 'tags["my tag"]:"a\\"b"')
})

test('whatever a tag is called and says, the search finds exactly it', () => {
  const key = fc.string({ minLength: 1, maxLength: 32 }).filter((text) => !/["\]\\\s]/.test(text))
  const value = fc.string({ maxLength: 60 }).filter((text) => !/[\r\n\t]/.test(text))
  fc.assert(
    fc.property(key, value, (name, text) => {
      const terms = parseSearch(searchTerm(name, text))
      assert.equal(terms.length, 1)
      const [term] = terms
      assert.ok(term?.kind === 'filter' && term.key.name === name && !term.negated && term.operator === '=')
      assert.deepEqual(
        term.values.map(({ parts }) => parts.join('*')),
        [text],
      )
      assert.equal(term.values[0]?.parts.length, 1, 'a star in a value is no pattern')
    }),
  )
})
