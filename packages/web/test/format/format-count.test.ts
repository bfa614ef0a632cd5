import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { countOf, formatBytes, formatCount, formatExact, formatShare } from '../../src/format/format-count.ts'

test('counts are short and keep three digits at most', () => {
  const table: [number, string][] = [
    [0, '0'],
    [999, '999'],
    [1_000, '1k'],
    [1_049, '1k'],
    [12_345, '12.3k'],
    [99_940, '99.9k'],
    [99_950, '100k'],
    [999_499, '999k'],
    [999_500, '1M'],
    [4_560_000, '4.6M'],
    [999_500_000, '1B'],
  ]
  for (const [count, text] of table) assert.equal(formatCount(count), text)
})

test('no count looks like the next unit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), (count) => {
      const text = formatCount(count)
      assert.ok(text.length <= 5, `${count} became ${text}`)
      assert.ok(!/^1000[kM]/.test(text), `${count} became ${text}`)
    }),
  )
})

test('exact numbers have separators and lose nothing', () => {
  assert.equal(formatExact(1_234_567), '1,234,567')
  fc.assert(
    fc.property(fc.nat(), (count) => {
      assert.equal(Number(formatExact(count).replaceAll(',', '')), count)
    }),
  )
})

test('one event, many events', () => {
  assert.equal(countOf(1, 'event'), '1 event')
  assert.equal(countOf(0, 'event'), '0 events')
  assert.equal(countOf(12_345, 'entry', 'entries'), '12.3k entries')
})

test('sizes are in decimal units', () => {
  assert.deepEqual([830, 6_600, 1_200_000].map(formatBytes), ['830 B', '6.6 kB', '1.2 MB'])
})

test('a share is 0 or 100 only when it is', () => {
  assert.deepEqual(
    [formatShare(0, 9), formatShare(9, 9), formatShare(1, 1_000), formatShare(999, 1_000), formatShare(1, 3)],
    ['0%', '100%', '<1%', '>99%', '33%'],
  )
  assert.equal(formatShare(1, 0), '0%')
})
