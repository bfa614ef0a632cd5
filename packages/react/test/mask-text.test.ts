import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { benignAttribute } from '../src/hydration/benign.ts'
import { maskDifference, maskText } from '../src/hydration/mask-text.ts'

describe('a text as its shape', () => {
  it('keeps what parts it, and of words and numbers their kind and a length up to four', () => {
    const shapes = [
      ['12:04:33 PM', '99:99:99 XX'],
      ['$1,299.00', '$9,999.99'],
      ['Ada Lovelace', 'Xxx Xxxxx+'],
      ['ada.lovelace@example.com', 'xxx.xxxx+@xxxx+.xxx'],
      ['+49 170 1234567', '+99 999 9999+'],
      ['Ωmega ünïté 東京', 'Xxxxx xxxx+ xx'],
      ['a\u0301', 'xx'],
      ['  a \n b ', ' x x '],
      ['😀 ok', '· xx'],
      ['', ''],
    ] as const
    for (const [text, shape] of shapes) assert.equal(maskText(text), shape, text)
  })

  it('has no letter or digit of the text, and is short', () => {
    const text = Array.from({ length: 5000 }, (_, n) => String.fromCodePoint(33 + n)).join('')
    assert.match(maskText(text), /^[^a-wyzA-WYZ0-8]{1,80}$/)
  })

  it('of two texts is of what is around the first difference, from the beginning of its word', () => {
    const [before, after] = maskDifference(
      `${'word '.repeat(99)}Friday 1`,
      `${'word '.repeat(99)}Freitag, 1.`,
    )
    assert.deepEqual([before, after], ['Xxxxx+ 9', 'Xxxxx+, 9.'])
    assert.deepEqual(maskDifference('', 'new'), ['', 'xxx'])
  })
})

it('attributes of extensions, nonces and what only looks different are nobody’s fault', () => {
  const kinds = [
    ['data-gr-ext-installed', null, '', 'extension'],
    ['cz-shortcut-listen', 'true', null, 'extension'],
    ['nonce', '', 'abc', 'nonce'],
    ['xmlns:xlink', 'http://www.w3.org/1999/xlink', null, 'xmlns'],
    ['class', 'a  b', 'a b', 'whitespace'],
    ['class', 'a b', 'b a', 'attribute_order'],
    ['class', 'a b is-hovered', 'a b', 'hover'],
    ['data-focus-visible', '', null, 'hover'],
    ['style', 'color: red; top: 0', 'color:red;top:0;', 'whitespace'],
    ['style', 'color:red', 'color:blue', undefined],
    ['class', 'light', 'dark', undefined],
    ['href', '/a b', '/a', undefined],
    ['title', null, 'x', undefined],
  ] as const
  for (const [name, before, after, kind] of kinds)
    assert.equal(benignAttribute(name, before, after), kind, `${name} ${before} ${after}`)
})
