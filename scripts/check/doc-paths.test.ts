import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkDocPaths } from './doc-paths.ts'

const THERE = new Set(['packages/log/src/index.ts', 'docs/facts.md', 'scripts/check'])
const check = (text: string): string[] =>
  checkDocPaths(new Map([['docs/operate/page.md', text]]), (path) => THERE.has(path))

test('a path that is there passes, and so does what is no path of the repository', () => {
  assert.deepEqual(check('`packages/log/src/index.ts`, `scripts/check/`, [facts](../facts.md#r1)'), [])
  assert.deepEqual(
    check('`packages/*/src`, `a/b.ts`, `docs`, `npm test`, [x](https://x.y/z), [here](#here)'),
    [],
  )
  assert.deepEqual(check('`packages/browser/dist/index.js`'), [])
})

test('a path that is gone fails, in backticks and as a link', () => {
  assert.deepEqual(check('`packages/log/src/{index,gone}.ts` and [x](../none.md)'), [
    'docs/operate/page.md: packages/log/src/gone.ts is not there',
    'docs/operate/page.md: docs/none.md is not there',
  ])
})
