import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readHeadersFile } from '../src/config/headers-file.ts'

test('headers come out of a file that nobody else may read; what is wrong with it is told without its lines', (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-headers-'))
  t.after(() => rmSync(dir, { recursive: true }))
  const file = join(dir, 'headers')
  assert.throws(() => readHeadersFile(file), /SONDE_OTLP_HEADERS_FILE.*is no file/)
  writeFileSync(file, 'authorization: Bearer a:b c\n\nx-scope:1\n', { mode: 0o600 })
  assert.deepEqual(readHeadersFile(file), { authorization: 'Bearer a:b c', 'x-scope': '1' })
  writeFileSync(file, 'x: 1\nsecret without a name\n')
  assert.throws(
    () => readHeadersFile(file),
    (error: Error) => /line 2 of/.test(error.message) && !error.message.includes('secret without'),
  )
  chmodSync(file, 0o644)
  assert.throws(() => readHeadersFile(file), /other users of this machine may read/)
})
