import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTypeCycles } from './type-cycles.ts'

const file = (name: string, ...imports: string[]): [string, string] => [
  `packages/log/src/${name}.ts`,
  imports.map((one) => `import type { X } from './${one}.ts'\n`).join(''),
]
const cycle = new Map([file('a', 'b'), file('b', 'c'), file('c', 'b'), file('d', 'a')])

test('files that need no type of each other pass', () => {
  assert.deepEqual(checkTypeCycles(new Map([file('a', 'b', 'c'), file('b', 'c'), file('c')]), {}), [])
})

test('files that need types of each other fail, unless they are known', () => {
  assert.deepEqual(checkTypeCycles(cycle, {}), [
    "log: 1 groups of files need each other's types (0 are known):",
    'packages/log/src/b.ts ↔ packages/log/src/c.ts',
  ])
  assert.deepEqual(checkTypeCycles(cycle, { log: 1 }), [])
})

test('what is known may only become less', () => {
  assert.match(checkTypeCycles(cycle, { log: 2 })[0] ?? '', /^log: 1 groups are left: write that/)
  assert.equal(checkTypeCycles(new Map(), { log: 1 }).length, 1)
})
