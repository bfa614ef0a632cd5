import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkBoundaries, type Manifest, readTable } from './boundaries.ts'

const TABLE =
  '| package | purpose | may import |\n| --- | --- | --- |\n| `log` | x | `base` |\n| `base` | x | nothing |\n| `pipeline` | x | `base`, `log` |\n'
const manifest = (...deps: string[]): Manifest => ({
  exports: { '.': './src/index.ts' },
  dependencies: Object.fromEntries(deps.map((name) => [`@sonde/${name}`, '*'])),
})

function check(files: Record<string, string>, log = manifest('base', 'pipeline')): string[] {
  return checkBoundaries({
    files: new Map(Object.entries(files)),
    manifests: new Map([
      ['log', log],
      ['base', manifest()],
      ['pipeline', manifest('base', 'log')],
    ]),
    table: readTable(TABLE),
  })
}

test('an import that the table allows passes', () => {
  assert.deepEqual(check({ 'packages/log/src/a.ts': "import { x } from '@sonde/base'\n" }), [])
})

test('a transaction of the records that is begun past writeTransaction fails', () => {
  assert.match(
    check({ 'packages/log/src/a.ts': 'await records.transaction().execute(fn)\n' })[0] ?? '',
    /use writeTransaction/,
  )
})

test('an import that the table does not allow fails', () => {
  assert.match(
    check({ 'packages/log/src/a.ts': "import { x } from '@sonde/pipeline'\n" })[0] ?? '',
    /log may not import pipeline/,
  )
})

test('an import deeper than the exports fails', () => {
  assert.match(
    check({ 'packages/log/src/a.ts': "import '@sonde/base/src/clock.ts'\n" })[0] ?? '',
    /not among the exports/,
  )
})

test('an import that package.json does not declare fails', () => {
  assert.match(
    check({ 'packages/log/src/a.ts': "export { x } from '@sonde/base'\n" }, manifest())[0] ?? '',
    /not a dependency/,
  )
})

test('a published package may declare for development what is built into it, a private one may not', () => {
  const files = { 'packages/log/src/a.ts': "export { x } from '@sonde/base'\n" }
  const devDependencies = { '@sonde/base': '*' }
  assert.deepEqual(check(files, { ...manifest(), devDependencies }), [])
  assert.equal(check(files, { ...manifest(), devDependencies, private: true }).length, 1)
})

test('an import over several lines and a dynamic one are seen', () => {
  const text = "import {\n  x,\n} from '@sonde/pipeline'\nconst y = await import('@sonde/pipeline')\n"
  assert.equal(check({ 'packages/log/src/a.ts': text }).length, 2)
})

test('a cycle between files fails, a type-only one does not', () => {
  const a = "import { b } from './b.ts'\n"
  assert.match(
    check({ 'packages/log/src/a.ts': a, 'packages/log/src/b.ts': "import { a } from './a.ts'\n" })[0] ?? '',
    /cycle/,
  )
  assert.deepEqual(
    check({ 'packages/log/src/a.ts': a, 'packages/log/src/b.ts': "import type { a } from './a.ts'\n" }),
    [],
  )
})

test('a frozen grouping version that imports living code fails', () => {
  const text = "import { x } from '../../normalize/frames.ts'\n"
  assert.match(check({ 'packages/pipeline/src/group/v1/frames.ts': text })[0] ?? '', /frozen grouping/)
})

test('a frozen grouping version may be made of those before it', () => {
  const at = (version: string, from: string) => {
    const text = `import { x } from '../${from}/frames.ts'\n`
    return check({
      [`packages/pipeline/src/group/${version}/group.ts`]: text,
      [`packages/pipeline/src/group/${from}/frames.ts`]: 'export const x = 1\n',
    }).join('\n')
  }
  assert.doesNotMatch(at('v2', 'v1'), /frozen grouping/)
  assert.match(at('v1', 'v2'), /frozen grouping/)
})

test('a package that the table does not know fails', () => {
  assert.match(check({ 'packages/extra/src/a.ts': '' })[0] ?? '', /not in the table/)
})

test('a path into another package fails', () => {
  assert.match(check({ 'packages/log/src/a.ts': "import '../../base/src/clock.ts'\n" })[0] ?? '', /by path/)
})

test('a type is held to the table and to package.json too', () => {
  const files = { 'packages/log/src/a.ts': "import type { x } from '@sonde/pipeline'\n" }
  assert.match(check(files)[0] ?? '', /log may not import pipeline/)
  const base = { 'packages/log/src/a.ts': "import { type x } from '@sonde/base'\n" }
  assert.match(check(base, manifest())[0] ?? '', /not a dependency/)
})

test('tests may use the harness of all, and nothing else outside of their package', () => {
  const testOf = (from: string): string[] => check({ 'packages/log/test/a.test.ts': `import '${from}'\n` })
  assert.deepEqual(testOf('../../../tests/harness/engines.ts'), [])
  assert.equal(testOf('../../../tests/e2e/chromium.ts').length, 1)
})
