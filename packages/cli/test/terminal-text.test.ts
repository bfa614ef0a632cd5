import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { table, terminalLine, terminalText } from '../src/print.ts'
import { verifyText } from '../src/sourcemaps/verify-text.ts'

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

test('only these functions write to the terminal', () => {
  const root = join(import.meta.dirname, '../src')
  const writers = globSync('**/*.ts', { cwd: root }).filter((file) =>
    /process\.std(?:out|err)\b|console\./.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.deepEqual(writers, ['print.ts'])
})

test('a long answer is printed in pieces, also when one ends within a character', () => {
  const bytes = JSON.stringify(Buffer.from(`{"a":"é${HOSTILE['C1 link']}"}\n`).toJSON().data)
  const program = `import { printed } from ${JSON.stringify(join(import.meta.dirname, '../src/print.ts'))}
    const out = printed()
    for (const byte of ${bytes}) out.write(Buffer.of(byte))
    out.end(() => process.stdout.write('end'))`
  const args = ['--input-type=module', '--eval', program]
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  const [line = '', end] = stdout.split('\n')
  assert.match(line, SHOWN)
  assert.deepEqual([JSON.parse(line), end], [{ a: `é${HOSTILE['C1 link']}` }, 'end'])
})
