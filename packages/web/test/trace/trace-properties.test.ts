/** Whatever senders say of parents and times, the waterfall has every span once, and is made in linear time. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { hasFlag, packRows, unpackRows } from '../../src/parts/trace/packed-trace.ts'
import {
  findRows,
  foldsToDepth,
  NO_FOLDS,
  orderOfRows,
  unfoldedFor,
  visibleLines,
} from '../../src/routes/[org]/traces/[trace]/visible-lines.ts'
import { type GivenSpan, outlineOf, treeOf } from './given-trace.ts'

const name = fc.integer({ min: 0, max: 25 }).map((n) => String.fromCharCode(97 + n))
/** Few ids, so that parents are missing, repeated, one's own and in circles. */
const anySpan = fc.tuple(
  name,
  fc.oneof(name, fc.constant('')),
  fc.integer({ min: 0, max: 10_000_000 }),
  fc.integer({ min: 0, max: 5_000 }),
  fc.record({
    projectId: fc.constantFrom(1, 2),
    op: fc.constantFrom('db', 'http.client', 'http.server'),
    status: fc.constantFrom('ok', 'internal_error'),
    isSegment: fc.boolean(),
    name: fc.constantFrom('SELECT 1', 'SELECT 2', 'GET /'),
  }),
) as fc.Arbitrary<GivenSpan>
const anyTrace = fc.array(anySpan, { minLength: 1, maxLength: 60 })

const numbers = (to: number): number[] => Array.from({ length: to }, (_, at) => at)

describe('any trace', () => {
  it('is shown with every span exactly once, below its parent or at the top', () => {
    fc.assert(
      fc.property(anyTrace, (given) => {
        const { rows, tree } = treeOf(given)
        assert.deepEqual(
          rows.ids.toSorted(),
          outlineOf(given)
            .spans.map(({ spanId }) => spanId)
            .toSorted(),
        )
        const shown = orderOfRows(tree)
        assert.deepEqual(
          shown.toSorted((a, b) => a - b),
          numbers(rows.count),
        )
        for (const row of shown) {
          const parent = rows.parents[row] ?? -1
          assert.ok(parent < row, 'parents come first')
          assert.ok(parent < 0 || row < (rows.ends[parent] ?? 0))
          if (hasFlag(rows, row, 'missing-parent')) assert.equal(parent, -1)
        }
      }),
    )
  })

  it('stands in the order of time, whatever the order in which its spans came', () => {
    const bush = fc
      .array(fc.nat(), { minLength: 1, maxLength: 40 })
      .map((parents) =>
        parents.map((parent, n): GivenSpan => [`${n}`, n === 0 ? '' : `${parent % n}`, n, 50 - n]),
      )
    const shuffled = bush.chain((given) =>
      fc.tuple(
        fc.constant(given),
        fc.shuffledSubarray([...given], { minLength: given.length, maxLength: given.length }),
      ),
    )
    fc.assert(
      fc.property(shuffled, ([given, mixed]) => {
        const [{ rows }, other] = [treeOf(given), treeOf(mixed)]
        assert.deepEqual(rows.ids, other.rows.ids)
        assert.deepEqual(rows.parents, other.rows.parents)
      }),
    )
  })

  it('of which few can be shown shows those with their parents, and counts what it leaves out', () => {
    fc.assert(
      fc.property(anyTrace, fc.integer({ min: 1, max: 40 }), (given, maxRows) => {
        const { rows, laidOut } = treeOf(given, { maxRows })
        assert.equal(rows.count, Math.min(maxRows, given.length))
        const whole = treeOf(given).rows
        const roots = numbers(whole.count).filter((row) => (whole.parents[row] ?? -1) < 0).length
        const left = laidOut.leftOut.reduce((sum, [, spans]) => sum + spans, 0)
        // What stands below a root that is not shown itself is below nothing.
        if (roots <= maxRows) assert.equal(rows.count + left, given.length)
        else assert.ok(rows.count + left <= given.length)
      }),
    )
  })

  it('waits for stretches that do not overlap and fill its longest root', () => {
    fc.assert(
      fc.property(anyTrace, (given) => {
        const { laidOut, rows } = treeOf(given)
        const waited = laidOut.critical.reduce((sum, [, , lengthMs]) => sum + lengthMs, 0)
        const longest = numbers(rows.count)
          .filter((row) => (rows.parents[row] ?? -1) < 0)
          .reduce((most, row) => Math.max(most, rows.durationsMs[row] ?? 0), 0)
        assert.ok(Math.abs(waited - longest) < 0.5, `${waited} of ${longest} ms`)
        const sorted = laidOut.critical.toSorted((a, b) => a[1] - b[1] || a[2] - b[2])
        for (const [at, [, fromMs]] of sorted.entries()) {
          const before = sorted[at - 1]
          if (before) assert.ok(before[1] + before[2] <= fromMs + 0.01)
        }
      }),
    )
  })

  it('shows a line when it is asked for, whatever was folded', () => {
    fc.assert(
      fc.property(anyTrace, fc.nat(), fc.nat({ max: 3 }), (given, wanted, depth) => {
        const { tree, rows } = treeOf(given)
        const row = wanted % rows.count
        for (const folds of [NO_FOLDS, { ...foldsToDepth(tree, depth), areOrphansClosed: true }]) {
          const lines = visibleLines(tree, unfoldedFor(tree, folds, row))
          assert.equal(lines.filter((line) => line.kind === 'span' && line.row === row).length, 1)
        }
      }),
    )
  })

  it('finds what has the text, in the order of lines', () => {
    fc.assert(
      fc.property(anyTrace, (given) => {
        const { tree, rows } = treeOf(given)
        const order = orderOfRows(tree)
        const found = findRows(tree, order, 'sELECT', new Set())
        assert.deepEqual(
          found,
          order.filter((row) => rows.names[row]?.startsWith('SELECT')),
        )
        assert.deepEqual(findRows(tree, order, 'nowhere', new Set([rows.ids[0] ?? ''])).length > 0, true)
      }),
    )
  })

  it('travels packed without losing a microsecond', () => {
    const row = fc.record({
      id: fc.constantFrom('00000000000000aa', 'ffffffffffffffff'),
      parent: fc.constant(-1),
      startMs: fc.integer({ min: -1e9, max: 1e12 }).map((us) => us / 1000),
      durationMs: fc.integer({ min: 0, max: 1e9 }).map((us) => us / 1000),
      name: fc.string(),
      op: fc.string(),
      service: fc.nat({ max: 9 }),
      flags: fc.nat({ max: 127 }),
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), (given) => {
        const rows = unpackRows(packRows(given))
        assert.deepEqual(
          given.map((_, at) => [
            rows.ids[at],
            rows.names[at],
            rows.ops[at],
            rows.startsMs[at],
            rows.durationsMs[at],
            rows.flags[at],
          ]),
          given.map((one) => [one.id, one.name, one.op, one.startMs, one.durationMs, one.flags]),
        )
      }),
    )
  })
})

describe('a large trace', () => {
  const COUNT = 50_000
  const shapes: Readonly<Record<string, (n: number) => string>> = {
    'a chain': (n) => (n === 0 ? '' : `${n - 1}`),
    'a bush': (n) => (n === 0 ? '' : '0'),
    'a binary tree': (n) => (n === 0 ? '' : `${(n - 1) >> 1}`),
    'one circle': (n) => `${(n + 1) % COUNT}`,
    orphans: () => 'gone',
    roots: () => '',
  }
  for (const [shape, parentOf] of Object.entries(shapes)) {
    it(`that is ${shape} is cut to 10,000 lines and laid out`, () => {
      // Deeper is longer: what is to be shown first is furthest from the root.
      const given = Array.from({ length: COUNT }, (_, n): GivenSpan => [`${n}`, parentOf(n), n, n])
      const { rows, tree } = treeOf(given)
      assert.equal(rows.count, 10_000)
      assert.equal(orderOfRows(tree).length, 10_000)
    })
  }
})
