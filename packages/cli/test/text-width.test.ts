import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { agoText, lengthMs, momentText } from '../src/client/time-text.ts'
import { cutText, fittedTable, textWidth } from '../src/text-width.ts'

const COLUMNS = [{ head: 'id' }, { head: 'title', isFlexible: true }, { head: 'n', isNumber: true }] as const

test('letters of East Asia and emoji take two columns, marks none of their own', () => {
  assert.deepEqual(
    ['abc', '漢字', 'ハロー', '😀', 'é', '👩‍💻'].map((text) => textWidth(text)),
    [3, 4, 6, 2, 1, 2],
  )
  assert.equal(cutText('漢字漢字', 5), '漢字…')
  assert.equal(cutText('short', 5), 'short')
})

test('a table fits the terminal as long as what may give way is wide enough', () => {
  const rows = fc.array(
    fc.tuple(fc.string({ maxLength: 8 }), fc.string({ unit: 'grapheme', maxLength: 80 }), fc.nat()),
  )
  fc.assert(
    fc.property(rows, fc.integer({ min: 45, max: 100 }), (texts, width) => {
      const cells = texts.map(([id, title, n]) => [id.replaceAll(/[^a-z]/g, 'x'), title, String(n)])
      for (const line of fittedTable(COLUMNS, cells, width).split('\n')) assert.ok(textWidth(line) <= width)
    }),
  )
})

test('nothing is cut where nobody looks, and a cell stays one line', () => {
  const long = 'x'.repeat(500)
  const [, line = '', ...more] = fittedTable(COLUMNS, [['1', `${long}\n\u001b[2J`, '7']], undefined).split(
    '\n',
  )
  assert.deepEqual(more, [])
  assert.ok(line.includes(long))
  assert.ok(line.includes(String.raw`\u000a\u001b[2J`))
})

test('times are how long ago, and the moment with its zone', () => {
  const nowMs = Date.UTC(2026, 0, 31, 12, 0, 0)
  const at = (ms: number) => new Date(nowMs - ms).toISOString()
  assert.deepEqual(
    [0, 4_000, 61_000, 3 * 3_600_000, 50 * 3_600_000, -90_000].map((ms) => agoText(at(ms), nowMs)),
    ['now', '4s ago', '1min ago', '3h ago', '2d ago', 'in 1min'],
  )
  assert.equal(momentText(at(61_000), nowMs), '2026-01-31 11:58:59 UTC (1min ago)')
  assert.deepEqual([agoText(null), momentText('nonsense')], ['-', '-'])
  assert.deepEqual(['90s', '30m', '2h', '1w', '', '-1m'].map(lengthMs), [
    90_000,
    1_800_000,
    7_200_000,
    undefined,
    undefined,
    undefined,
  ])
})
