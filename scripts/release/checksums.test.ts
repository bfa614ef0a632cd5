import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checksums } from './checksums.ts'

test('the list is what `sha256sum --check` reads, and finds a byte that changed', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-sums-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'server'))
  writeFileSync(join(folder, 'server', 'sonde.js'), 'one')
  writeFileSync(join(folder, 'b'), 'two')
  const list = checksums(folder)
  writeFileSync(join(folder, 'SHA256SUMS'), list)
  assert.equal(checksums(folder), list)
  const check = () => spawnSync('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: folder }).status
  assert.equal(check(), 0)
  writeFileSync(join(folder, 'server', 'sonde.js'), 'eno')
  assert.equal(check(), 1)
})
