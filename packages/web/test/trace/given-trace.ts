/** Traces for tests: spans by id, parent, start and length, one service each unless said. */
import type { OutlineSpan, TraceError, TraceOutline } from '@sonde/queries'
import { layOutTrace, type LayOutOptions } from '../../src/parts/trace/lay-out-trace.server.ts'
import { unpackRows } from '../../src/parts/trace/packed-trace.ts'
import { traceTree } from '../../src/routes/[org]/traces/[trace]/trace-outline.ts'

export type GivenSpan = readonly [
  id: string,
  parent: string,
  startMs: number,
  durationMs: number,
  more?: Partial<OutlineSpan>,
]

export const idOf = (name: string): string => name.padStart(16, '0')

export function outlineOf(given: readonly GivenSpan[], errors: readonly TraceError[] = []): TraceOutline {
  const spans = given.map(([id, parent, startMs, durationMs, more]): OutlineSpan => ({
    projectId: 1,
    spanId: idOf(id),
    parentSpanId: parent === '' ? '' : idOf(parent),
    segmentId: '',
    isSegment: false,
    startMs,
    durationMs,
    op: 'op',
    name: id,
    status: 'ok',
    platform: 'node',
    ...more,
  }))
  const projects = new Map([1, 2].map((id) => [id, { id, slug: `project-${id}`, name: '' }]))
  return { traceId: 'a'.repeat(32), projects, spans, spanCount: spans.length, segments: [], errors }
}

export function treeOf(given: readonly GivenSpan[], options?: LayOutOptions) {
  const laidOut = layOutTrace(outlineOf(given), options)
  const rows = unpackRows(laidOut.rows)
  const gaps = laidOut.gaps.map(([row, fromMs, lengthMs, isBare]) => ({
    row,
    fromMs,
    lengthMs,
    isBare: isBare === 1,
  }))
  return { laidOut, rows, tree: traceTree(rows, { gaps, leftOut: laidOut.leftOut }) }
}
