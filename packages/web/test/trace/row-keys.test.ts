/** Rows of the waterfall: which of them shows which line while it is scrolled. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createRowKeys } from '../../src/routes/[org]/traces/[trace]/row-keys.ts'

const windows = fc.array(
  fc.record({ from: fc.integer({ min: 0, max: 120 }), lines: fc.integer({ min: 0, max: 40 }) }),
  { maxLength: 20 },
)

describe('the rows of the lines that are shown', () => {
  test('are one for each line, and a line that stays keeps its row', () => {
    fc.assert(
      fc.property(windows, (seen) => {
        const keysOf = createRowKeys()
        let before = new Map<number, number>()
        for (const { from, lines } of seen) {
          const keys = keysOf(from, from + lines)
          assert.equal(keys.length, lines)
          assert.equal(new Set(keys).size, lines)
          const rows = new Map(keys.map((key, at) => [from + at, key]))
          for (const [line, key] of rows) if (before.has(line)) assert.equal(key, before.get(line))
          assert.deepEqual(keysOf(from, from + lines), keys)
          before = rows
        }
      }),
    )
  })

  test('are filled anew on the other side, and none is made while there are as many', () => {
    const keysOf = createRowKeys()
    assert.deepEqual(keysOf(0, 5), [0, 1, 2, 3, 4])
    assert.deepEqual(keysOf(2, 7), [2, 3, 4, 0, 1])
    assert.deepEqual(keysOf(1, 6), [1, 2, 3, 4, 0])
  })

  test('stay in their places where no line stays', () => {
    const keysOf = createRowKeys()
    keysOf(0, 5)
    keysOf(2, 7)
    assert.deepEqual(keysOf(100, 105), [2, 3, 4, 0, 1])
    assert.deepEqual(keysOf(50, 56), [2, 3, 4, 0, 1, 5])
    assert.deepEqual(keysOf(90, 93), [2, 3, 4])
  })
})
