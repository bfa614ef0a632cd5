import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Frame, parseStack } from '../../src/errors/stack.ts'

const FIXTURE = join(import.meta.dirname, '../../../../fixtures/sentry-javascript/browser-stack-traces.json')
type Case = {
  readonly browser: string
  readonly name: string
  readonly error: { readonly stack: string }
  readonly expected: { readonly stacktrace?: { readonly frames: readonly Frame[] } }
}
const { cases } = JSON.parse(readFileSync(FIXTURE, 'utf8')) as { cases: Case[] }

/** What we read otherwise, with the reason. Everything else of today's browsers has to be read alike. */
const DIFFERENT: Readonly<Record<string, string>> = {
  'should parse Chrome error with webpack URLs': 'no blank before the bracket: made by a library of 2016',
  'should parse exceptions for safari-extension': 'Safari before 14 puts brackets into the address',
  'should parse exceptions for safari-web-extension': 'Safari before 14 puts brackets into the address',
  'should parse frames with async urls':
    'the word async stays in the URL; Chrome wrote this only for a while',
  'should parse webpack wrapped exceptions': 'one frame has no place, only the words of the error',
  'should truncate frames that are over 1kb': 'a line that long is a data URL and is left out',
  'should parse Firefox 3 error': 'Firefox of 2008 writes arguments',
  'should parse Firefox 7 error': 'Firefox of 2011 writes arguments',
  'should parse Firefox errors with eval URLs': 'the frame has the place of the eval, and no name',
  'should parse exceptions with eval frames in Firefox 66':
    'the frame has the place of the eval, and no name',
}

const place = ({ filename, function: name, lineno, colno }: Frame): string =>
  `${name} ${filename}:${lineno ?? ''}:${colno ?? ''}`

for (const { browser, name, error, expected } of cases.filter((one) =>
  ['chromium', 'firefox', 'safari'].includes(one.browser),
)) {
  test(`${browser} ${name.replace('should parse', 'stack:')}`, () => {
    const frames = parseStack(error.stack).map(place)
    const wanted = (expected.stacktrace?.frames ?? []).map(place)
    if (DIFFERENT[name]) assert.notDeepEqual(frames, wanted, 'is read alike now: take it off the list')
    else assert.deepEqual(frames, wanted)
  })
}

const newest = (stack: string): string => place(parseStack(stack).at(-1)!)

const LINES: readonly (readonly [what: string, line: string, place: string])[] = [
  ['a method', '    at Cart.pay (https://shop.example/a.js:1:20)', 'Cart.pay https://shop.example/a.js:1:20'],
  ['no name', '    at https://shop.example/a.js:1:20', '? https://shop.example/a.js:1:20'],
  [
    'async',
    '    at async Cart.pay (https://shop.example/a.js:1:20)',
    'Cart.pay https://shop.example/a.js:1:20',
  ],
  [
    'a constructor',
    '    at new Cart (https://shop.example/a.js:1:20)',
    'new Cart https://shop.example/a.js:1:20',
  ],
  ['native', '    at Array.map (<anonymous>)', 'Array.map <anonymous>::'],
  ['Promise.all', '    at async Promise.all (index 0)', 'Promise.all index 0::'],
  [
    'eval',
    '    at eval (eval at run (https://shop.example/a.js:5:10), <anonymous>:1:7)',
    'eval https://shop.example/a.js:5:10',
  ],
  [
    'eval in eval',
    '    at eval (eval at b (eval at c (https://shop.example/a.js:5:10)), <anonymous>:1:7)',
    'eval https://shop.example/a.js:5:10',
  ],
  [
    'wasm',
    '    at pay (https://shop.example/a.wasm:wasm-function[12]:0x1f3)',
    'pay https://shop.example/a.wasm:wasm-function[12]:0x1f3::',
  ],
  [
    'webpack-internal',
    '    at f (webpack-internal:///./src/a.js:3:9)',
    'f webpack-internal:///./src/a.js:3:9',
  ],
  ['an extension', '    at f (chrome-extension://abc/a.js:3:9)', 'f chrome-extension://abc/a.js:3:9'],
  ['a blob', '    at f (blob:https://shop.example/1b2c:3:9)', 'f blob:https://shop.example/1b2c:3:9'],
  [
    'a package version in the URL',
    '    at f (https://unpkg.com/react@18.2.0/index.js:3:9)',
    'f https://unpkg.com/react@18.2.0/index.js:3:9',
  ],
  ['Gecko', 'pay@https://shop.example/a.js:1:20', 'pay https://shop.example/a.js:1:20'],
  ['Gecko without a name', '@https://shop.example/a.js:1:20', '? https://shop.example/a.js:1:20'],
  ['Gecko async', 'async*pay@https://shop.example/a.js:1:20', 'async*pay https://shop.example/a.js:1:20'],
  ['Gecko nested', 'a/b/<@https://shop.example/a.js:1:20', 'a/b/< https://shop.example/a.js:1:20'],
  ['Gecko eval', '@https://shop.example/a.js line 5 > eval:1:7', '? https://shop.example/a.js:5:'],
  [
    'Gecko with a version',
    'f@https://unpkg.com/react@18.2.0/index.js:3:9',
    'f https://unpkg.com/react@18.2.0/index.js:3:9',
  ],
  ['Gecko extension', 'f@moz-extension://abc/a.js:3:9', 'f moz-extension://abc/a.js:3:9'],
  ['Safari native', 'map@[native code]', 'map [native code]::'],
  ['Safari native without a name', '[native code]', '? [native code]::'],
  ['Safari without a name', 'https://unpkg.com/react@18/a.js:3:9', '? https://unpkg.com/react@18/a.js:3:9'],
  ['Safari global code', 'global code@https://shop.example/:3:9', 'global code https://shop.example/:3:9'],
  [
    'Safari extension',
    'capture@safari-web-extension://3284-F4/content.js:3:9',
    'capture safari-web-extension://3284-F4/content.js:3:9',
  ],
]
for (const [what, line, wanted] of LINES)
  test(`a line of a stack: ${what}`, () => {
    assert.equal(newest(line.startsWith(' ') ? `Error: at no place\n${line}` : line), wanted)
  })

test('lines of a message are no frames', () => {
  const frames = parseStack(
    'Error: see https://a.example/b.js:1:2\nuser@host\n    at f (https://a.example/c.js:3:4)',
  )
  assert.deepEqual(frames.map(place), ['f https://a.example/c.js:3:4'])
})

test('native frames are not the app’s', () => {
  assert.deepEqual(
    parseStack('Error\n    at f (https://a.example/c.js:3:4)\n    at Array.map (<anonymous>)').map(
      (frame) => frame.in_app,
    ),
    [false, true],
  )
})

test('of a recursion the newest 50 frames are kept', () => {
  const stack = 'Error\n' + Array.from({ length: 80 }, (_, n) => `    at f${n} (a:1:2)`).join('\n')
  const frames = parseStack(stack)
  assert.deepEqual([frames.length, frames.at(-1)?.function, frames[0]?.function], [50, 'f0', 'f49'])
})

test('a line of a megabyte costs nothing', () => {
  const startedMs = performance.now()
  assert.deepEqual(parseStack(`Error\n    at f (data:text/javascript,${'('.repeat(1_000_000)}:1:2)`), [])
  assert.ok(performance.now() - startedMs < 100)
})
