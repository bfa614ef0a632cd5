/** What people can type, or put into a link, is read at once, however it nests and quotes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseSearch, SearchError } from '@sonde/queries'
import { termAtCursor } from '../src/search/term-at-cursor.ts'

const UNITS = [
  '"',
  '\\"',
  '(',
  ')',
  '[',
  '[(',
  '!',
  '*',
  ':',
  'a:',
  'a:[',
  'a:"',
  ',',
  ' ',
  '\t',
  '\\',
  '-',
  '>=',
  'has:',
  '1d',
]
// Most of a link, and far more than a search may have.
const LENGTHS = [4_096, 16_000, 1_000_000]

for (const unit of UNITS)
  test(`a search of ${JSON.stringify(unit)}`, () => {
    const before = process.threadCpuUsage()
    for (const length of LENGTHS) {
      const text = unit.repeat(Math.floor(length / unit.length))
      try {
        parseSearch(text)
      } catch (error) {
        assert.ok(error instanceof SearchError, String(error))
      }
      if (length < 1_000_000) termAtCursor(text, text.length)
    }
    const { user, system } = process.threadCpuUsage(before)
    // A few milliseconds here.
    assert.ok(user + system < 1_000_000, `${user + system} µs`)
  })
