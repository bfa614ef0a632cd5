/** An upgrade that was cut anywhere is gone on with by the next start, and ends as one that was not. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { dataFolderNames, unpackDataFolder } from './data-folder.ts'

type Ended = { readonly records: object; readonly telemetry: object }

/** Early and late in either store. */
const KILLED_AT = ['records:40', 'records:300', 'telemetry:3', 'telemetry:20'] as const

void describe('an upgrade that is cut', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sonde-resume-'))
  const original = join(folder, 'data')
  let uncut: Ended
  before(() => {
    const [oldest = ''] = dataFolderNames()
    unpackDataFolder(oldest, folder)
    uncut = migrated(copyOf('uncut'))
  })
  after(() => rmSync(folder, { recursive: true }))

  it('before each of its statements in turn ends like one that was not', () => {
    const cut = migrated(copyOf('cut'), 'cut')
    assert.deepEqual(cut.records, uncut.records)
    assert.deepEqual(cut.telemetry, uncut.telemetry)
  })

  it('by kill -9 within a statement, again and again, ends like one that was not', () => {
    const dir = copyOf('killed')
    for (const at of KILLED_AT) assert.equal(migrate(dir, at).signal, 'SIGKILL', `no statement ${at}`)
    const { records, telemetry } = migrated(dir)
    assert.deepEqual(records, uncut.records)
    assert.deepEqual(telemetry, uncut.telemetry)
  })

  function copyOf(name: string): string {
    const copy = join(folder, name)
    cpSync(original, copy, { recursive: true })
    return copy
  }
})

function migrate(dataDir: string, how: string) {
  const child = join(import.meta.dirname, 'migrate-child.ts')
  return spawnSync(process.execPath, ['--conditions=@sonde/source', child, dataDir, how], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  })
}

function migrated(dataDir: string, how = 'uncut'): Ended {
  const { status, stdout, stderr } = migrate(dataDir, how)
  assert.equal(status, 0, stderr)
  return JSON.parse(stdout) as Ended
}
