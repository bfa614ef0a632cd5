import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const PACKAGE = join(import.meta.dirname, '..')
const NOT_PORTABLE = /from '(?!\.)|import\(|\bBuffer\b|\bprocess\.|\bwindow\.|\bdocument\./

test('the sources run in a browser as in Node: no imports from outside, no Buffer, no document', () => {
  const files = globSync('src/**/*.ts', { cwd: PACKAGE })
  assert.ok(files.length > 20)
  for (const file of files) {
    const code = readFileSync(join(PACKAGE, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    assert.doesNotMatch(code, NOT_PORTABLE, file)
  }
})
