import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { summariseTrace } from '../../src/parts/trace/summarise-trace.server.ts'
import { labelled, slownessText, timeMarks } from '../../src/routes/[org]/traces/[trace]/trace-time.ts'
import {
  foldsToDepth,
  keyEffect,
  NO_FOLDS,
  visibleLines,
} from '../../src/routes/[org]/traces/[trace]/visible-lines.ts'
import { type GivenSpan, idOf, outlineOf, treeOf } from './given-trace.ts'

describe('keys', () => {
  const given: readonly GivenSpan[] = [
    ['root', '', 0, 9],
    ['a', 'root', 1, 3],
    ['a1', 'a', 1, 1],
    ['b', 'root', 5, 2],
  ]
  const { tree } = treeOf(given)
  const open = visibleLines(tree, NO_FOLDS)
  const closed = visibleLines(tree, foldsToDepth(tree, 0))
  const press = (key: string, at: number, lines = open) => keyEffect(key, { lines, at, page: 3 })
  const go = (to: number) => ({ kind: 'go', to })

  it('go up, down, to the ends and by pages, and stay within the lines', () => {
    assert.deepEqual(
      [press('ArrowDown', -1), press('ArrowDown', 3), press('ArrowUp', 0)],
      [go(0), go(3), go(0)],
    )
    assert.deepEqual([press('Home', 2), press('End', 0)], [go(0), go(3)])
    assert.deepEqual([press('PageDown', 0), press('PageUp', 3), press('PageUp', 1)], [go(2), go(1), go(0)])
  })

  it('fold and unfold, go in and out, and leave other keys to the page', () => {
    assert.deepEqual(
      [press('ArrowLeft', 0), press('ArrowRight', 0)],
      [{ kind: 'fold', isOpen: false }, go(1)],
    )
    assert.deepEqual(press('ArrowRight', 0, closed), { kind: 'fold', isOpen: true })
    assert.deepEqual([press('ArrowLeft', 2), press('ArrowLeft', 3)], [go(1), go(0)])
    assert.deepEqual(
      [press('ArrowRight', 2), press('ArrowLeft', -1), press('Tab', 0), press('x', 0)],
      [undefined, undefined, undefined, undefined],
    )
    assert.deepEqual(
      [press('Enter', 1)?.kind, press(' ', 1)?.kind, press('z', 1)?.kind],
      ['choose', 'choose', 'zoom'],
    )
  })
})

describe('vitals on the axis', () => {
  const vital = (name: string, value: number, atMs: number | null) => ({
    name,
    value,
    atMs,
    thresholds: [100, 200] as const,
  })

  it('share a label where they are close, with the worst of their ratings; those without a place have none', () => {
    const marks = timeMarks([
      vital('lcp', 250, 250),
      vital('fcp', 90, 240),
      vital('cls', 0.2, null),
      vital('inp', 150, 900),
    ])
    const labels = labelled({ fromMs: 0, toMs: 1_000 }, marks)
    assert.deepEqual(
      labels.map(({ text, rating }) => [text, rating]),
      [
        ['FCP 90 ms · LCP 250 ms', 'poor'],
        ['INP 150 ms', 'fair'],
      ],
    )
    assert.equal(labelled({ fromMs: 300, toMs: 1_000 }, marks).length, 1)
  })
})

describe('what is usual', () => {
  it('is told in words, as slow only beyond nineteen of twenty and clearly longer', () => {
    const usual = { p75Ms: 40, p95Ms: 80 }
    assert.deepEqual(slownessText(60, usual), { text: 'usual p75: 40 ms', isSlow: false })
    assert.deepEqual(slownessText(100, usual), {
      text: '2.5× the usual p75 (40 ms)',
      isSlow: true,
    })
    assert.equal(slownessText(3, { p75Ms: 1, p95Ms: 2 }).isSlow, false)
    assert.doesNotMatch(slownessText(900, { p75Ms: 0, p95Ms: 0 }).text, /Infinity|NaN/)
  })
})

describe('a trace in a few lines', () => {
  it('has the way to the error, what failed innermost, and what took longest', () => {
    const given: readonly GivenSpan[] = [
      ['root', '', 0, 1_000],
      ...Array.from({ length: 20 }, (_, n): GivenSpan => [`long${n}`, 'root', n, 900 - n]),
      ['call', 'root', 10, 50],
      ['here', 'call', 20, 5],
      ['failed', 'call', 30, 5, { status: 'internal_error' }],
    ]
    const summary = summariseTrace(outlineOf(given), idOf('here'))
    assert.deepEqual(
      summary.lines.map(({ name, depth, isHere, isFailed }) => [name, depth, isHere, isFailed]),
      [
        ['root', 0, false, false],
        ['long0', 1, false, false],
        ['long1', 1, false, false],
        ['long2', 1, false, false],
        ['long3', 1, false, false],
        ['call', 1, false, false],
        ['here', 2, true, false],
        ['failed', 2, false, true],
      ],
    )
    assert.deepEqual(
      [summary.failed?.name, summary.spanCount, summary.services],
      ['failed', 24, ['project-1 · node']],
    )
  })

  it('of a chain deeper than its lines has the nearest', () => {
    const chain = Array.from({ length: 5_000 }, (_, n): GivenSpan => [
      `${n}`,
      n === 0 ? '' : `${n - 1}`,
      n,
      1,
    ])
    const summary = summariseTrace(outlineOf(chain), idOf('4999'))
    assert.deepEqual(summary.lines.at(-1)?.isHere, true)
    assert.equal(summary.lines.length, 8)
  })
})
