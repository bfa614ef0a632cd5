import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { contextLines, sourceName } from '../src/index.ts'

describe('what a source is called', () => {
  const NAMES: readonly (readonly [path: string | null, name: string | undefined])[] = [
    ['src/cart.ts', 'src/cart.ts'],
    ['../../src/cart.ts', 'src/cart.ts'],
    ['./src/../src/cart.ts', 'src/cart.ts'],
    ['/srv/app/src/cart.ts', '/srv/app/src/cart.ts'],
    ['webpack://shop/./src/cart.ts', 'src/cart.ts'],
    ['webpack:///./src/cart.vue?8c1f', 'src/cart.vue'],
    ['webpack:///webpack/bootstrap', 'webpack/bootstrap'],
    ['shop/./src/cart.ts', 'src/cart.ts'],
    ['@acme/shop/./src/cart.ts', 'src/cart.ts'],
    ['././src/cart.ts', 'src/cart.ts'],
    ['webpack-internal:///./src/cart.ts', 'src/cart.ts'],
    ['turbopack:///[project]/app/[org]/page.tsx', 'app/[org]/page.tsx'],
    ['ng:///main/app.component.ts', 'main/app.component.ts'],
    ['file:///C:/app/src/cart.ts', '/C:/app/src/cart.ts'],
    ['C:\\app\\src\\cart.ts', 'C:/app/src/cart.ts'],
    ['https://cdn.example/lib.js', 'https://cdn.example/lib.js'],
    ['chrome-extension://abc/content.js', 'chrome-extension://abc/content.js'],
    ['\0vite/preload-helper.js', 'vite/preload-helper.js'],
    ['..', undefined],
    ['', undefined],
    [null, undefined],
  ]
  for (const [path, name] of NAMES) it(JSON.stringify(path), () => assert.equal(sourceName(path), name))

  it('never leads upwards', () => {
    const part = fc.constantFrom('..', '.', '', 'src', 'a b', '\0', 'webpack:', 'file:', '\\')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const path = parts.join('/')
        const name = sourceName(path)
        assert.ok(!name?.split('/').includes('..') || /^[a-z]+:\/\//.test(path), name)
      }),
    )
  })
})

describe('the lines around a place', () => {
  const content = 'one\ntwo\r\nthree\nfour\nfive'
  const options = { lines: 1, maxLength: 80 }

  it('are as many as there are', () => {
    assert.deepEqual(contextLines(content, 1, 0, options), { before: ['one'], line: 'two', after: ['three'] })
    assert.deepEqual(contextLines(content, 0, 0, options), { before: [], line: 'one', after: ['two'] })
    assert.deepEqual(contextLines(content, 4, 0, options), { before: ['four'], line: 'five', after: [] })
    assert.equal(contextLines(content, 5, 0, options), undefined)
    assert.equal(contextLines(content, -1, 0, options), undefined)
    assert.deepEqual(contextLines('', 0, 0, options), { before: [], line: '', after: [] })
  })

  it('are cut, and the place stays in its line', () => {
    const line = `${'x'.repeat(500)}HERE${'y'.repeat(500)}`
    const shown = contextLines(`${line}\n${line}`, 1, 500, { lines: 1, maxLength: 100 })
    assert.deepEqual([shown?.line.length, shown?.line.includes('HERE'), shown?.line.at(0)], [102, true, '…'])
    assert.equal(shown?.before[0], `${'x'.repeat(100)}…`)
  })

  it('are those of splitting the whole', () => {
    const text = fc
      .array(fc.constantFrom('a', '\n', '\r\n', 'b c'), { maxLength: 30 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.nat(12), fc.nat(4), (source, line, lines) => {
        const all = source.split('\n').map((each) => each.replace(/\r$/, ''))
        const shown = contextLines(source, line, 0, { lines, maxLength: 80 })
        const expected =
          all[line] === undefined
            ? undefined
            : {
                before: all.slice(Math.max(0, line - lines), line),
                line: all[line],
                after: all.slice(line + 1, line + 1 + lines),
              }
        assert.deepEqual(shown, expected)
      }),
    )
  })
})
