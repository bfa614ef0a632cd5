import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  MINIMAP_COLUMNS,
  minimapRuns,
  placeIn,
  readWindow,
  ticksOf,
  wholeOf,
  windowAround,
  windowBetween,
  writeWindow,
} from '../../src/routes/[org]/traces/[trace]/trace-time.ts'
import { findRows, orderOfRows, stepOfMatch } from '../../src/routes/[org]/traces/[trace]/visible-lines.ts'
import { idOf, treeOf } from './given-trace.ts'

describe('the part of the time that is looked at', () => {
  it('is read from the address as it was written there, and lies within the trace', () => {
    const ms = fc.integer({ min: 0, max: 10_000_000 }).map((us) => us / 1000)
    fc.assert(
      fc.property(ms, ms, (one, other) => {
        const window = windowBetween(one, other, 5_000)
        if (!window) return
        assert.ok(window.fromMs >= 0 && window.toMs <= 5_000 && window.fromMs < window.toMs)
        assert.deepEqual(readWindow(writeWindow(window), 5_000), window)
      }),
    )
    for (const text of ['', '5', '-', '9-9', 'a-b', '0-5000', '6000-7000'])
      assert.equal(readWindow(text, 5_000), undefined, text)
    assert.deepEqual(readWindow('400-100', 5_000), { fromMs: 100, toMs: 400 })
  })

  it('around a span has room on both sides', () => {
    assert.deepEqual(windowAround(100, 50, 5_000), { fromMs: 95, toMs: 155 })
    assert.equal(placeIn({ fromMs: 100, toMs: 200 }, 150), 0.5)
  })

  it('has round times on its ruler, few enough to be read', () => {
    assert.deepEqual(ticksOf({ fromMs: 130, toMs: 560 }, 6), [200, 300, 400, 500])
    assert.deepEqual(ticksOf(wholeOf(0), 5).length > 0, true)
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1e9, noNaN: true }),
        fc.double({ min: 0.02, max: 1e9, noNaN: true }),
        (fromMs, lengthMs) => {
          const ticks = ticksOf({ fromMs, toMs: fromMs + lengthMs }, 6)
          assert.ok(ticks.length <= 7)
        },
      ),
    )
  })
})

describe('matches', () => {
  it('are stepped through in the order of lines and around the end', () => {
    assert.deepEqual(
      [stepOfMatch([4, 2, 9], 2, 1), stepOfMatch([4, 2, 9], 9, 1), stepOfMatch([4, 2, 9], 4, -1)],
      [9, 4, 9],
    )
    assert.deepEqual(
      [stepOfMatch([4, 2], undefined, 1), stepOfMatch([4, 2], 7, -1), stepOfMatch([], 1, 1)],
      [4, 2, undefined],
    )
  })

  it('are spans by op and name, by id, and those whose attributes the server found', () => {
    const { tree } = treeOf([
      ['root', '', 0, 9, { op: 'http.server', name: 'GET /cart' }],
      ['a', 'root', 0, 1, { op: 'db', name: 'SELECT' }],
      ['b', 'root', 1, 1, { op: 'db', name: 'INSERT' }],
    ])
    const find = (text: string, ids: readonly string[] = []) =>
      findRows(tree, orderOfRows(tree), text, new Set(ids))
    assert.deepEqual(
      [find('get /C'), find('db s'), find(idOf('b')), find('x', [idOf('a')])],
      [[0], [1], [2], [1]],
    )
  })
})

describe('the small picture', () => {
  it('has the longest of what lies in one place, at its depth', () => {
    const { rows } = treeOf([
      ['root', '', 0, 300, { projectId: 1 }],
      ['long', 'root', 0, 150, { projectId: 2 }],
      ['short', 'root', 10, 5, { projectId: 1 }],
    ])
    assert.deepEqual(minimapRuns(rows, 300), [
      { lane: 0, from: 0, to: MINIMAP_COLUMNS, service: 0 },
      { lane: 1, from: 0, to: MINIMAP_COLUMNS / 2 + 1, service: 1 },
    ])
  })
})
