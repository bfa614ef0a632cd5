import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { openRecords } from '@sonde/stores'

/** What `packages/cli` escapes; here it must have passed through that. */
const ESC = '\u001b'
const HOSTILE: Readonly<Record<string, string>> = {
  clear: `${ESC}[2J${ESC}[1;1H`,
  link: `${ESC}]8;;https://evil.example${ESC}\\click${ESC}]8;;${ESC}\\`,
  'C1 sequence': '\u009b31m',
  back: 'safe\b\b\b\bevil\rgone\u007f',
  direction: '\u202egpj.exe\u2066\u200f\u061c',
  lines: 'a\u2028b\u2029c\u0085d',
}
const SHOWN = /^[\P{C}\n\t\u200c\u200d]*$/u

test('`sonde dead list` prints what strangers called their items and themselves without acting on it', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'sonde-cli-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const records = await openRecords({ file: join(dir, 'records.sqlite') }, { logger: silentLogger })
  const row = { project_id: null, item_index: 0, reason: 'invalid', blob: 'dead/1', created_ms: 1 }
  for (const [index, text] of Object.values(HOSTILE).entries())
    await records.db
      .insertInto('dead_letter')
      .values({ ...row, log_position: index, item_type: text, sdk: text, detail: text })
      .execute()
  await records.close()
  const list = (...more: string[]): string => {
    const entry = join(import.meta.dirname, '../../src/sonde.ts')
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--conditions=@sonde/source', entry, 'dead', 'list', ...more],
      { env: { ...process.env, SONDE_DATA_DIR: dir }, encoding: 'utf8' },
    )
    assert.equal(stderr, '')
    return stdout
  }
  const said = list()
  assert.match(said, SHOWN)
  assert.equal(said.trimEnd().split('\n').length, 1 + Object.keys(HOSTILE).length)
  const letters = JSON.parse(list('--json')) as { itemType: string }[]
  assert.deepEqual(letters.map(({ itemType }) => itemType).toReversed(), Object.values(HOSTILE))
})

test('everything is written by the functions of the command line', () => {
  const root = join(import.meta.dirname, '../../src')
  const writers = globSync('**/*.ts', { cwd: root }).filter((file) =>
    /process\.std(?:out|err)\b|console\./.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.deepEqual(writers, [])
})
