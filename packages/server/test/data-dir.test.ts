import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { dataDirPart, openDataDir } from '../src/data-dir.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

test('a folder of an older version is closed to others with all that lies in it, but nothing outside of it', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'sonde-dir-'))
  const before = process.umask(0o022)
  t.after(() => {
    process.umask(before)
    rmSync(root, { recursive: true, force: true })
  })
  const dir = join(root, 'data')
  mkdirSync(join(dir, 'log', 'deep'), { recursive: true })
  const files = [
    join(dir, 'records.sqlite'),
    join(dir, 'log', '.hidden'),
    join(dir, 'log', 'deep', 'segment'),
  ]
  for (const file of files) writeFileSync(file, '')
  writeFileSync(join(root, 'outside'), '')
  symlinkSync(join(root, 'outside'), join(dir, 'link'))
  assert.equal(dataDirPart(dir).state, 'degraded')
  openDataDir(dir, silentLogger)
  for (const folder of [dir, join(dir, 'log'), join(dir, 'log', 'deep')]) assert.equal(modeOf(folder), '700')
  for (const file of files) assert.equal(modeOf(file), '600')
  assert.equal(modeOf(join(root, 'outside')), '644')
  assert.equal(dataDirPart(dir).state, 'ok')
  writeFileSync(join(dir, 'later'), '')
  assert.equal(modeOf(join(dir, 'later')), '600')
  chmodSync(join(dir, 'records.sqlite'), 0o640)
  assert.equal(dataDirPart(dir).state, 'degraded')
})
