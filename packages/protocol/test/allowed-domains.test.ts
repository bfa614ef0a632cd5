import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowedPage, pageOrigin, parseAllowedDomain } from '@sonde/protocol'
import * as fc from 'fast-check'

const isAllowed = (page: string, ...entries: string[]): boolean => {
  const allowed = entries.map((entry) => parseAllowedDomain(entry) ?? assert.fail(`${entry} is no entry`))
  return isAllowedPage(new URL(page), allowed)
}

const TABLE: readonly (readonly [entry: string, yes: readonly string[], no: readonly string[]])[] = [
  ['*', ['https://any.example', 'http://[::1]:3000', 'http://127.0.0.1'], []],
  [
    'shop.example',
    ['https://shop.example', 'http://shop.example', 'https://shop.example:8443'],
    ['https://www.shop.example', 'https://evilshop.example', 'https://shop.example.evil.test'],
  ],
  [
    '*.shop.example',
    ['https://shop.example', 'https://a.shop.example', 'http://a.b.shop.example:81'],
    ['https://evilshop.example', 'https://shop.example.evil.test', 'https://example'],
  ],
  ['https://shop.example', ['https://shop.example', 'https://shop.example:444'], ['http://shop.example']],
  ['https://shop.example:443/', ['https://shop.example'], ['https://shop.example:444']],
  [
    'http://*.shop.example:080',
    ['http://a.shop.example'],
    ['https://a.shop.example', 'http://shop.example:81'],
  ],
  ['localhost:5173', ['http://localhost:5173', 'https://localhost:5173'], ['http://localhost:5174']],
  ['SHOP.Example', ['https://shop.example'], []],
  ['bücher.example', ['https://xn--bcher-kva.example'], ['https://bucher.example']],
  ['[::1]:3000', ['http://[::1]:3000'], ['http://[::1]:3001']],
  ['192.0.2.7', ['http://192.0.2.7'], ['http://192.0.2.70']],
]

for (const [entry, yes, no] of TABLE) {
  test(`${entry} lets in what it says, and nothing else`, () => {
    for (const page of yes) assert.equal(isAllowed(page, entry), true, page)
    for (const page of no) assert.equal(isAllowed(page, entry), false, page)
  })
}

test('one entry of several is enough; none lets nothing in', () => {
  assert.equal(isAllowed('https://b.example', 'a.example', 'b.example'), true)
  assert.equal(isAllowed('https://b.example'), false)
})

test('what is no entry', () => {
  const wrong = ['', ' ', 'a b', 'shop.*', '*shop.example', 'a.*.example', '*.', 'ftp://a.example']
  wrong.push(
    'https://a.example/path',
    'a.example?x',
    'user@a.example',
    'a.example:99999',
    'https://',
    '*.*.example',
  )
  for (const entry of wrong) assert.equal(parseAllowedDomain(entry), undefined, entry)
})

test('the page is what Origin says, else what Referer says, and only http and https count', () => {
  assert.equal(pageOrigin('https://a.example', 'https://b.example/x')?.origin, 'https://a.example')
  assert.equal(pageOrigin(undefined, 'https://b.example/x?y')?.origin, 'https://b.example')
  assert.equal(pageOrigin('null', 'https://b.example/')?.origin, 'https://b.example')
  for (const text of [undefined, 'null', '', 'file:///x', 'chrome-extension://abc', 'https://', 'nonsense']) {
    assert.equal(pageOrigin(text, undefined), undefined)
  }
})

test('no text throws, and a page on a domain below another is let in by the tree alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.domain(), fc.domain(), (text, below, host) => {
      parseAllowedDomain(text)
      pageOrigin(text, text)
      const page = `https://${below}.${host}`
      assert.equal(isAllowed(page, `*.${host}`), true)
      assert.equal(isAllowed(page, host), false)
    }),
  )
})
