import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDependencies, type Declared } from './dependencies.ts'

function check(files: Record<string, string>, api: Declared, root: Declared = {}): string[] {
  const manifests = new Map([
    ['', root],
    ['packages/api', { private: true, ...api }],
  ])
  return checkDependencies(new Map(Object.entries(files)), manifests)
}

const SOURCE = 'packages/api/src/a.ts'
const TEST = 'packages/api/test/a.test.ts'
const hono = { hono: '^4' }

test('what sources import is declared, types too', () => {
  assert.deepEqual(check({ [SOURCE]: "import { Hono } from 'hono/tiny'\n" }, { dependencies: hono }), [])
  const problem = ['packages/api/package.json does not declare hono, which packages/api/src/a.ts imports']
  assert.deepEqual(check({ [SOURCE]: "import type { Hono } from 'hono'\n" }, {}), problem)
  // For development is not enough where it runs, and what the root has is not the package's.
  const files = { [SOURCE]: "import 'hono'\n" }
  assert.deepEqual(check(files, { devDependencies: hono }), problem)
  assert.deepEqual(check(files, {}, { dependencies: hono }), problem)
  assert.deepEqual(check(files, { private: false, devDependencies: hono }), [])
})

test('tests may import what the root has', () => {
  const files = { [TEST]: "import 'hono'\n" }
  assert.deepEqual(check(files, {}, { devDependencies: hono }), [])
  assert.deepEqual(check(files, { devDependencies: hono }), [])
  assert.equal(check(files, {}).length, 1)
})

test('what is declared and not imported fails', () => {
  assert.deepEqual(check({ [SOURCE]: "import 'node:fs'\n" }, { dependencies: hono }), [
    'packages/api/package.json declares hono, which nothing imports',
  ])
  assert.deepEqual(check({}, {}, { devDependencies: { typescript: '7', ...hono } }), [
    './package.json declares hono, which nothing imports',
  ])
})
