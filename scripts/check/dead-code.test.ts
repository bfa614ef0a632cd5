import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDeadCode } from './dead-code.ts'

const manifests = new Map([
  ['packages/log', { name: '@sonde/log', private: true, exports: { '.': './src/index.ts' } }],
  ['packages/browser', { name: '@sonde/browser', exports: { '.': { '@sonde/source': './src/index.ts' } } }],
])
const check = (files: Record<string, string>): string[] =>
  checkDeadCode(new Map(Object.entries(files)), manifests)

const USER = { 'packages/log/test/a.test.ts': "import { used } from '@sonde/log'\nused()\n" }

test('what another file imports passes, also through an index', () => {
  const index = { ...USER, 'packages/log/src/used.ts': 'export function used() {}\n' }
  assert.deepEqual(check({ ...index, 'packages/log/src/index.ts': "export { used } from './used.ts'\n" }), [])
  assert.deepEqual(check({ ...index, 'packages/log/src/index.ts': "export * from './used.ts'\n" }), [])
})

test('a value that nobody imports fails, also behind `export *`', () => {
  const files = { ...USER, 'packages/log/src/used.ts': 'export function used() {}\nexport const dead = 1\n' }
  const expected = ['packages/log/src/used.ts: no other file imports dead']
  assert.deepEqual(check({ ...files, 'packages/log/src/index.ts': "export * from './used.ts'\n" }), expected)
  assert.deepEqual(
    check({ ...files, 'packages/log/src/index.ts': "export { used } from './used.ts'\n" }),
    expected,
  )
  const named = check({ ...files, 'packages/log/src/index.ts': "export { dead, used } from './used.ts'\n" })
  assert.deepEqual(named, ['packages/log/src/index.ts: no other file imports dead'])
})

test('a value that only its own file uses needs no export', () => {
  const text = 'export const MAX = 1\nexport const used = () => MAX\n'
  assert.deepEqual(check({ ...USER, 'packages/log/src/index.ts': text }), [
    'packages/log/src/index.ts: no other file imports MAX, so it needs no export',
  ])
})

test('a type may be named for the signatures of its file, one that is used nowhere fails', () => {
  const text = 'export type Shape = 1\nexport type Dead = 2\nexport const used = (shape?: Shape) => shape\n'
  assert.deepEqual(check({ ...USER, 'packages/log/src/index.ts': text }), [
    'packages/log/src/index.ts: no other file imports Dead',
  ])
})

test('a file that nothing reaches fails; one that is started by its name passes', () => {
  const files = { ...USER, 'packages/log/src/worker.ts': 'work()\n' }
  const start = (name: string) => `export const used = () => new Worker('${name}')\n`
  const index = 'packages/log/src/index.ts'
  assert.deepEqual(check({ ...files, [index]: start('./worker.ts') }), [])
  assert.deepEqual(check({ ...files, [index]: start('./other.ts') }), [
    'packages/log/src/worker.ts: nothing imports this file',
  ])
})

test('what a published package exports, and a route, have users that are not here', () => {
  const route = 'packages/web/src/routes/[org]/page.tsx'
  const text = 'export const anything = 1\nexport default 2\n'
  assert.deepEqual(check({ 'packages/browser/src/index.ts': text, [route]: text }), [])
})
