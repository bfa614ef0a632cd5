/** docs/troubleshooting.md: what it says to run can be run, and what it names is there. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseArgs } from 'node:util'
import { OUTCOME_REASONS } from '@sonde/protocol/outcome'
import { COMMANDS } from '../../src/cli/commands.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { TROUBLES } from '../../src/doctor/troubles.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../../../docs/troubleshooting.md'), 'utf8')
const fenced = [...PAGE.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, text = '']) => text.trim().split('\n'))
const inline = [...PAGE.replaceAll(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(
  ([, code = '']) => code,
)

test('every command of Sonde that the page names is one, with options that it takes', () => {
  const named = [...fenced, ...inline]
    .map((line) => line.split(/ \\?\| /)[0] ?? '')
    .filter((line) => line.startsWith('sonde ') || line.startsWith('npx @sonde/cli '))
    .map((line) => line.replace(/^(sonde|npx @sonde\/cli) /, ''))
  assert.ok(named.length > 8)
  for (const line of named) {
    const words = line.split(' ')
    const command = COMMANDS.find((one) => one.words.every((word, at) => words[at] === word))
    assert.ok(command, `no command is called "sonde ${line}"`)
    const { options, positionals } = command
    const args = words.slice(command.words.length)
    const read = parseArgs({ args, options, allowPositionals: true, strict: true })
    assert.ok(read.positionals.length >= positionals.min && read.positionals.length <= positionals.max, line)
  }
})

test('every setting and every reason that the page names is there', () => {
  const settings = new Set<string>(Object.values(SETTINGS).map(({ name }) => name))
  for (const code of inline.filter((text) => /^SONDE_\w+$/.test(text))) assert.ok(settings.has(code), code)
  const reasons = new Set(Object.values(OUTCOME_REASONS).flatMap((of) => Object.keys(of)))
  const rows = [...PAGE.matchAll(/^\| (`\w+`(?:, `\w+`)*) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  )
  assert.ok(rows.length > 8)
  for (const name of rows.filter((row) => row !== 'rate_limited')) assert.ok(reasons.has(name), name)
})

test('shell that the page shows is that of the doctor', () => {
  const known = TROUBLES.map(({ next }) => next as string)
  for (const line of fenced.filter((text) => !/^(sonde|npx) /.test(text)))
    assert.ok(known.includes(line), line)
})
