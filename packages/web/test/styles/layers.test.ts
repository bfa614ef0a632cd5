import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const SOURCES = join(import.meta.dirname, '../../src')
const ORDER = '@layer tokens, base, parts, screens;\n'
/** Named in order by `styles/index.css`, and loaded by nothing else. */
const BEHIND_INDEX = new Set(['styles/base.css', 'styles/parts.css', 'styles/tokens.css'])

test('every style sheet says the order of the layers first: whichever a page loads first decides it', () => {
  const sheets = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.css') && !BEHIND_INDEX.has(name))
    .toSorted()
  assert.ok(sheets.length > 10)
  const silent = sheets.filter((name) => !readFileSync(join(SOURCES, name), 'utf8').includes(ORDER))
  assert.deepEqual(silent, [])
})
