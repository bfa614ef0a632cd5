import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTestHooks } from './test-hooks.ts'

const of = (text: string, path = 'packages/log/test/embedded/a.test.ts') => checkTestHooks([{ path, text }])

test('a hook outside of a describe fails, also in a file that tests import', () => {
  for (const hook of ['before', 'after', 'beforeEach', 'afterEach']) {
    const text = `import { ${hook} } from 'node:test'\n\n${hook}(() => open())\n`
    assert.match(of(text)[0] ?? '', new RegExp(`a\\.test\\.ts:3: ${hook} outside`))
    assert.match(of(`void ${text.split('\n')[2]}`)[0] ?? '', new RegExp(`:1: ${hook} outside`))
  }
  assert.equal(of('after(close)\n', 'packages/web/test/house.tsx').length, 1)
})

test('one in a describe passes, and one in a file that has a process to itself by its suite', () => {
  assert.deepEqual(of("describe('a log', () => {\n  before(() => open())\n})\n"), [])
  assert.deepEqual(of('before(() => open())\n', 'tests/e2e/a.test.ts'), [])
  assert.deepEqual(of('const beforeIt = before(1)\nafterwards()\n'), [])
})
