import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hasFlag } from '../../src/parts/trace/packed-trace.ts'
import { shapeOfName } from '../../src/routes/[org]/traces/[trace]/trace-outline.ts'
import { foldsToDepth, NO_FOLDS, visibleLines } from '../../src/routes/[org]/traces/[trace]/visible-lines.ts'
import { type GivenSpan, idOf, treeOf } from './given-trace.ts'

const criticalOf = (given: readonly GivenSpan[]): readonly (readonly [string, number, number])[] => {
  const { laidOut, rows } = treeOf(given)
  return laidOut.critical
    .map(([row, fromMs, lengthMs]) => [rows.names[row] ?? '', fromMs, lengthMs] as const)
    .toSorted((a, b) => a[1] - b[1])
}

describe('the critical path', () => {
  it('goes through the last to end, then the last before that one began; each counts for what it did alone', () => {
    assert.deepEqual(
      criticalOf([
        ['root', '', 0, 100],
        ['early', 'root', 0, 30],
        ['beside', 'root', 5, 60],
        ['last', 'root', 70, 30],
        ['inner', 'last', 75, 20],
        ['short root', '', 90, 11],
      ]),
      [
        ['root', 0, 5],
        ['beside', 5, 60],
        ['root', 65, 5],
        ['last', 70, 5],
        ['inner', 75, 20],
        ['last', 95, 5],
      ],
    )
  })

  it('of parallel children has the slowest only', () => {
    const path = criticalOf([
      ['root', '', 0, 100],
      ['a', 'root', 10, 80],
      ['b', 'root', 10, 50],
      ['c', 'root', 12, 77],
    ])
    assert.deepEqual(
      path.map(([name]) => name),
      ['root', 'a', 'root'],
    )
  })

  it('does not wait for what outlives its parent', () => {
    const path = criticalOf([
      ['root', '', 0, 100],
      ['awaited', 'root', 0, 40],
      ['fire and forget', 'root', 50, 400],
    ])
    assert.deepEqual(path, [
      ['awaited', 0, 40],
      ['root', 40, 60],
    ])
    const { rows } = treeOf([
      ['root', '', 0, 100],
      ['late', 'root', 50, 400],
    ])
    assert.deepEqual([hasFlag(rows, 0, 'outlives'), hasFlag(rows, 1, 'outlives')], [false, true])
  })
})

describe('clocks of services', () => {
  const HOUR_MS = 3_600_000
  const call = { op: 'http.client' }
  const server = (more = {}) => ({ projectId: 2, op: 'http.server', isSegment: true, ...more })

  it('that are hours apart are shifted into the call, with all below them', () => {
    const { laidOut, rows } = treeOf([
      ['page', '', 1_000, 500],
      ['call', 'page', 1_100, 100, call],
      ['server', 'call', 1_110 + 2 * HOUR_MS, 80, server()],
      ['query', 'server', 1_120 + 2 * HOUR_MS, 20, { projectId: 2 }],
    ])
    assert.deepEqual([...rows.startsMs], [0, 100, 110, 120])
    assert.deepEqual(laidOut.shifts, [[2, -2 * HOUR_MS]])
    assert.equal(laidOut.lengthMs, 500)
  })

  it('that agree are left alone, and so is a queue that is worked off later', () => {
    const { laidOut } = treeOf([
      ['page', '', 0, 500],
      ['call', 'page', 100, 100, call],
      ['server', 'call', 101, 98, server()],
      ['publish', 'page', 300, 2, { op: 'queue.publish' }],
      ['consume', 'publish', 60_000, 10, server({ projectId: 2, platform: 'python', op: 'queue.process' })],
    ])
    assert.deepEqual([laidOut.shifts, laidOut.lengthMs], [[], 60_010])
  })

  it('of one service are shifted alike, so that its spans keep their distances', () => {
    const { rows } = treeOf([
      ['page', '', 0, 500],
      ['one', 'page', 100, 100, call],
      ['two', 'page', 210, 100, call],
      ['server one', 'one', 5_120, 60, server()],
      ['server two', 'two', 5_235, 40, server()],
    ])
    const starts = Object.fromEntries(rows.names.map((name, row) => [name, rows.startsMs[row]]))
    assert.deepEqual([starts['server one'], starts['server two']], [120, 235])
  })

  it('of which one runs ahead by milliseconds are shifted as little as the call needs', () => {
    const { rows, laidOut } = treeOf([
      ['call', '', 100, 50, call],
      ['server', 'call', 90, 70, server()],
    ])
    assert.deepEqual([laidOut.shifts, [...rows.startsMs]], [[[1, 10]], [0, 0]])
  })
})

describe('gaps', () => {
  it('are times in which no child ran, named with where and how long', () => {
    const { laidOut, tree } = treeOf([
      ['root', '', 0, 1_000],
      ['a', 'root', 0, 200],
      ['b', 'root', 100, 200],
      ['c', 'root', 700, 290],
      ['leaf', 'c', 700, 290],
    ])
    assert.deepEqual(laidOut.gaps, [[0, 300, 400, 0]])
    assert.deepEqual(
      visibleLines(tree, NO_FOLDS).map((line) => line.kind),
      ['span', 'span', 'span', 'gap', 'span', 'span'],
    )
  })

  it('are none where a longer child still runs', () => {
    const { laidOut } = treeOf([
      ['root', '', 0, 1_000],
      ['long', 'root', 0, 600],
      ['within', 'root', 100, 50],
      ['next', 'root', 600, 400],
    ])
    assert.deepEqual(laidOut.gaps, [])
  })

  it('of a service that sent its root only say that', () => {
    const { laidOut } = treeOf([['root', '', 0, 1_000, { isSegment: true }]])
    assert.deepEqual(laidOut.gaps, [[0, 0, 1_000, 1]])
  })
})

describe('groups', () => {
  const queries = (count: number, step: number): GivenSpan[] =>
    Array.from({ length: count }, (_, n) => [
      `q${n}`,
      'root',
      n * step,
      10,
      { op: 'db', name: `SELECT * FROM item WHERE id = ${n}` },
    ])

  it('are equal siblings with their count, and in a row from a database an N+1', () => {
    const { tree } = treeOf([['root', '', 0, 1_000], ...queries(47, 12), ['other', 'root', 500, 20]])
    const lines = visibleLines(tree, NO_FOLDS)
    assert.deepEqual(
      lines.map(({ kind }) => kind),
      ['span', 'group', 'span', 'gap'],
    )
    const [, group] = lines
    assert.ok(group?.kind === 'group')
    const { name, rows, totalMs, isNPlusOne } = group.group
    assert.deepEqual(
      [name, rows.length, totalMs, isNPlusOne],
      ['SELECT * FROM item WHERE id = …', 47, 470, true],
    )
    assert.equal(visibleLines(tree, foldsToDepth(tree, undefined)).length, lines.length + 47)
  })

  it('that ran at the same time are no N+1, and four are no group', () => {
    const parallel = treeOf([['root', '', 0, 1_000], ...queries(10, 1)]).tree
    const [, group] = visibleLines(parallel, NO_FOLDS)
    assert.ok(group?.kind === 'group' && !group.group.isNPlusOne)
    const few = treeOf([['root', '', 0, 1_000], ...queries(4, 12)]).tree
    assert.ok(visibleLines(few, NO_FOLDS).every(({ kind }) => kind !== 'group'))
  })

  it('have no span below which something stands: it keeps its line', () => {
    const deep: GivenSpan = ['inner', 'q3', 37, 1]
    const { tree } = treeOf([['root', '', 0, 100], ...queries(9, 12), deep])
    const kinds = visibleLines(tree, NO_FOLDS).map((line) =>
      line.kind === 'group' ? line.group.rows.length : line.kind,
    )
    assert.deepEqual(kinds, ['span', 8, 'span', 'span'])
  })

  it('look through values only', () => {
    for (const [name, shape] of [
      ['GET /cart/17', 'GET /cart/…'],
      ["SELECT * FROM t WHERE a = 'x''y' AND b = 1.5", 'SELECT * FROM t WHERE a = … AND b = …'],
      ['SELECT $1, utf8mb4, v2 FROM t2', 'SELECT $1, utf8mb4, v2 FROM t2'],
      ['WHERE id IN ($1, $2, $3)', 'WHERE id IN (…)'],
      ['GET /u/0b1c2d3e-0000-4000-8000-0123456789ab/x', 'GET /u/…/x'],
      ['GET http://10.0.0.1:8080/a', 'GET http://10.0.0.1:8080/a'],
      ['deadbeefdeadbeef1', '…'],
    ] as const)
      assert.equal(shapeOfName(name), shape)
  })
})

describe('broken traces', () => {
  it('list spans whose parent is not there under one line of their own', () => {
    const { tree } = treeOf([
      ['root', '', 0, 10],
      ['a', 'gone', 1, 2],
      ['below', 'a', 1, 1],
      ['b', 'lost', 3, 2],
    ])
    const lines = visibleLines(tree, NO_FOLDS)
    assert.deepEqual(
      lines.map((line) => [line.kind, line.depth]),
      [
        ['span', 0],
        ['orphans', 0],
        ['span', 1],
        ['span', 2],
        ['span', 1],
      ],
    )
    assert.equal(visibleLines(tree, { ...NO_FOLDS, areOrphansClosed: true }).length, 2)
  })

  it('say of a circle, and of an id that came twice, that they are', () => {
    const { rows } = treeOf([
      ['a', 'b', 0, 10],
      ['b', 'a', 1, 5],
      ['root', '', 0, 1],
      ['root', '', 0, 1],
    ])
    const flagged = (flag: 'cycle' | 'duplicate-id') =>
      rows.ids.filter((_, row) => hasFlag(rows, row, flag)).map((id) => id.replace(/^0+/, ''))
    assert.deepEqual([flagged('cycle').length, flagged('duplicate-id')], [1, ['root']])
  })
})

describe('a part of a trace', () => {
  it('is a span with what is below it, in its own time', () => {
    const given: readonly GivenSpan[] = [
      ['root', '', 0, 1_000],
      ['a', 'root', 100, 200],
      ['a1', 'a', 150, 100],
      ['b', 'root', 400, 200],
    ]
    const { rows, laidOut } = treeOf(given, { root: idOf('a') })
    assert.deepEqual(
      [rows.names, [...rows.parents], [...rows.startsMs]],
      [
        ['a', 'a1'],
        [-1, 0],
        [0, 50],
      ],
    )
    assert.deepEqual([laidOut.beginMs, laidOut.lengthMs], [100, 200])
    assert.equal(treeOf(given, { root: 'nowhere' }).rows.count, 4)
  })

  it('that is left out is counted below what is shown, and failures are shown first', () => {
    const { rows, laidOut } = treeOf(
      [
        ['root', '', 0, 1_000],
        ['long', 'root', 0, 900],
        ['short', 'root', 950, 1],
        ['failed', 'short', 950, 0, { status: 'internal_error' }],
        ['x', 'long', 0, 5],
        ['y', 'x', 0, 4],
      ],
      { maxRows: 4 },
    )
    assert.deepEqual(rows.names, ['root', 'long', 'short', 'failed'])
    assert.deepEqual(laidOut.leftOut, [[1, 2]])
  })
})
