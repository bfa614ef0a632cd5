import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readModule } from './modules.ts'

const brief = (code: string) =>
  readModule('a.ts', code).imports.map(({ from, isType, names }) => [from, isType, names?.join() ?? '*'])

test('imports are told apart by what is left of them when the program runs', () => {
  assert.deepEqual(brief("import { a, type B } from 'x'"), [['x', false, 'a,B']])
  assert.deepEqual(brief("import type { B } from 'x'"), [['x', true, 'B']])
  assert.deepEqual(brief("import { type B } from 'x'"), [['x', true, 'B']])
  assert.deepEqual(brief("import type {} from 'x'"), [['x', true, '']])
  assert.deepEqual(brief("import 'x'"), [['x', false, '']])
  assert.deepEqual(brief("import d, * as all from 'x'"), [['x', false, '*']])
  assert.deepEqual(brief("export { a as b } from 'x'"), [['x', false, 'a']])
  assert.deepEqual(brief("export * from 'x'"), [['x', false, '*']])
  assert.deepEqual(brief("const a = await import('x')"), [['x', false, '*']])
})

test('an import in a text or a comment is none', () => {
  assert.deepEqual(brief("const snippet = `\nimport { a } from 'x'\nawait import('y')\n` // import 'z'"), [])
})
