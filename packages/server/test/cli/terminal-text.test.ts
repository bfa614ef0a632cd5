import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { silentLogger } from '@sonde/base'
import { openRecords } from '@sonde/stores'
import { table, terminalLine, terminalText } from '../../src/cli/print.ts'
import { verifyText } from '../../src/cli/sourcemaps/verify-text.ts'

const ESC = '\u001b'
const HOSTILE: Readonly<Record<string, string>> = {
  colour: `${ESC}[31mred${ESC}[0m`,
  clear: `${ESC}[2J${ESC}[1;1H`,
  title: `${ESC}]0;owned\u0007`,
  link: `${ESC}]8;;https://evil.example${ESC}\\click${ESC}]8;;${ESC}\\`,
  'C1 sequence': '\u009b31m',
  'C1 link': '\u009d8;;https://evil.example\u009cclick',
  back: 'safe\b\b\b\bevil\rgone\u007f',
  direction: '\u202egpj.exe\u2066\u200f\u061c',
  lines: 'a\u2028b\u2029c\u0085d',
  hidden: 'a\u200bb\ufeff\u{e0041}',
}
const SHOWN = /^[\P{C}\n\t\u200c\u200d]*$/u

test('nothing that a terminal acts on is left, and what was there can be read', () => {
  for (const [name, text] of Object.entries(HOSTILE)) assert.match(terminalText(text), SHOWN, name)
  assert.equal(terminalText(HOSTILE['colour'] ?? ''), String.raw`\u001b[31mred\u001b[0m`)
  assert.equal(terminalText('a\u{e0041}'), String.raw`a\udb40\udc41`)
  assert.equal(terminalLine('one\ntwo\tthree'), String.raw`one\u000atwo\u0009three`)
})

test('text of every script and JSON stay what they are', () => {
  for (const text of ['Größe 😀 👩‍💻', 'שלום עולם', 'می‌خواهم', 'a\nb\tc'])
    assert.equal(terminalText(text), text)
  for (const text of Object.values(HOSTILE))
    assert.deepEqual(JSON.parse(terminalText(JSON.stringify({ text }))), { text })
})

test('a cell is one line, and columns are as wide as what is shown', () => {
  const lines = table([
    ['type', 'state'],
    [`${ESC}[2J\nfaked  ok`, 'waits'],
  ]).split('\n')
  assert.equal(lines.length, 2)
  assert.equal(lines[0]?.indexOf('state'), lines[1]?.indexOf('waits'))
  const named = { file: `a${ESC}[2J\nok.js`, problems: [{ problem: 'not_checked', detail: 'b\nc' }] } as const
  const said = verifyText({ bundles: [named], publicMaps: ['d\ne'], elsewhere: [] })
  assert.ok(!said.includes(ESC) && !/^(?:ok\.js|c|e)/m.test(said))
})

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

test('only these functions write to the terminal', () => {
  const root = join(import.meta.dirname, '../../src')
  const writers = globSync('**/*.ts', { cwd: root }).filter((file) =>
    /process\.std(?:out|err)\b|console\./.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.deepEqual(writers, [join('cli', 'print.ts')])
})
