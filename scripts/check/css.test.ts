import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkCss } from './css.ts'

const check = (files: Record<string, string>, long: Record<string, number> = {}, shared: string[] = []) =>
  checkCss(new Map(Object.entries(files)), long, shared)

test('a style sheet over 500 lines fails, a known one may not grow, and is struck off when it is short', () => {
  const lines = (count: number) => '\n'.repeat(count - 1)
  assert.deepEqual(check({ 'a.css': lines(500) }), [])
  assert.deepEqual(check({ 'a.css': lines(501) }), ['a.css: 501 lines (at most 500)'])
  assert.deepEqual(check({ 'a.css': lines(501) }, { 'a.css': 501 }), [])
  assert.deepEqual(check({ 'a.css': lines(502) }, { 'a.css': 501 }), ['a.css: 502 lines (at most 501)'])
  assert.equal(check({ 'a.css': lines(2) }, { 'a.css': 501 }).length, 1)
})

test('a class that two files style fails; one that another file only places passes', () => {
  const button = {
    'button.css': '.button { color: red }\n@media (width < 40rem) { .button:hover { color: blue } }',
  }
  assert.deepEqual(check({ ...button, 'dialog.css': '.dialog .button { margin: 0 }' }), [])
  const twice = { ...button, 'dialog.css': '.dialog {}\np, .button { margin: 0 }' }
  assert.deepEqual(check(twice), ['.button is styled in button.css and dialog.css'])
  assert.deepEqual(check(twice, {}, ['button']), [])
  assert.deepEqual(check(button, {}, ['button']), [
    '.button is styled in one file now: take it out of SHARED_CLASSES',
  ])
})

test('a sheet of the shell that is not in the first one says the order of layers, or it would be another', () => {
  const shell = 'packages/web/src/shell'
  const first = { 'packages/web/src/styles/index.css': "@import '../shell/shell.css';" }
  assert.deepEqual(check({ ...first, [`${shell}/shell.css`]: '@layer parts {}' }), [])
  const named = { ...first, [`${shell}/bell.css`]: '@layer tokens, base, parts, screens;\n@layer parts {}' }
  assert.deepEqual(check(named), [])
  assert.match(check({ ...first, [`${shell}/bell.css`]: '@layer parts {}' }).join('\n'), /comes before/)
})
