import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkFiles } from './files.ts'

test('a file of 501 lines fails unless a reason stands beside its name', () => {
  const file = { path: 'packages/log/src/long.ts', text: 'x\n'.repeat(501) }
  assert.match(checkFiles([file])[0] ?? '', /at most 500/)
  assert.deepEqual(checkFiles([file], { 'packages/log/src/long.ts': 'a table' }), [])
})

test('a file or folder whose name says nothing fails', () => {
  assert.match(checkFiles([{ path: 'packages/log/src/utils.ts', text: '' }])[0] ?? '', /"utils" says nothing/)
  assert.match(
    checkFiles([{ path: 'packages/log/src/common/a.ts', text: '' }])[0] ?? '',
    /"common" says nothing/,
  )
  assert.deepEqual(checkFiles([{ path: 'packages/log/src/byte-size.ts', text: '' }]), [])
})

test('a comment between imports fails, one above them or below does not', () => {
  const problems = (text: string) => checkFiles([{ path: 'packages/log/src/a.ts', text }])
  const [first, second] = ["import { a } from 'a'\n", "import { b } from 'b'\n"]
  const comment = '/**\n * What it is.\n */\n'
  assert.match(problems(first + comment + second)[0] ?? '', /above all imports/)
  assert.deepEqual(problems(comment + first + second), [])
  assert.deepEqual(problems(first + second + comment + 'export const x = 1\n'), [])
})
