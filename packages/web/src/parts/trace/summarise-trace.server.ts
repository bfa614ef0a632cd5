/** A trace in a few lines, for the page of an error that happened in it. Pure. */
import type { TraceOutline } from '@sonde/queries'
import { layOutTrace } from './lay-out-trace.server.ts'
import { hasFlag, type TraceRows, unpackRows } from './packed-trace.ts'

export type SummaryLine = {
  readonly id: string
  readonly depth: number
  readonly op: string
  readonly name: string
  readonly service: number
  readonly startMs: number
  readonly durationMs: number
  readonly isFailed: boolean
  /** The error happened in it. */
  readonly isHere: boolean
}
export type TraceSummary = {
  readonly spanCount: number
  readonly lengthMs: number
  /** `project · service`. */
  readonly services: readonly string[]
  /** The innermost that failed; undefined: none did. */
  readonly failed: Pick<SummaryLine, 'id' | 'op' | 'name'> | undefined
  /** Parents before what is below them; not all spans. */
  readonly lines: readonly SummaryLine[]
}

const MOST_LINES = 8

/** The way to the error's span first, then to what failed, then what took longest. */
export function summariseTrace(outline: TraceOutline, spanId: string): TraceSummary {
  const laidOut = layOutTrace(outline)
  const rows = unpackRows(laidOut.rows)
  const all = Array.from({ length: rows.count }, (_, row) => row)
  const here = laidOut.rowOf.get(spanId)
  const failed = all.filter((row) => hasFlag(rows, row, 'failed'))
  const innermost = failed.toSorted((a, b) => (rows.depths[b] ?? 0) - (rows.depths[a] ?? 0))[0]
  const byLength = all.toSorted((a, b) => (rows.durationsMs[b] ?? 0) - (rows.durationsMs[a] ?? 0))
  const shown = new Set<number>()
  for (const row of [...wayTo(rows, here), ...wayTo(rows, innermost), ...byLength])
    if (shown.size < MOST_LINES) shown.add(row)
  const lines = [...shown]
    .toSorted((a, b) => a - b)
    .map((row) => ({
      id: rows.ids[row] ?? '',
      depth: wayTo(rows, row).filter((above) => shown.has(above)).length - 1,
      op: rows.ops[row] ?? '',
      name: rows.names[row] ?? '',
      service: rows.services[row] ?? 0,
      startMs: rows.startsMs[row] ?? 0,
      durationMs: rows.durationsMs[row] ?? 0,
      isFailed: hasFlag(rows, row, 'failed'),
      isHere: row === here,
    }))
  return {
    spanCount: outline.spanCount,
    lengthMs: laidOut.lengthMs,
    services: laidOut.services
      .filter(({ spans }) => spans > 0)
      .map(({ project, name }) => (name === '' ? project : `${project} · ${name}`)),
    failed:
      innermost === undefined
        ? undefined
        : { id: rows.ids[innermost] ?? '', op: rows.ops[innermost] ?? '', name: rows.names[innermost] ?? '' },
    lines,
  }
}

/** From the row itself up, at most as many as have a line: the nearest say most. */
function wayTo({ parents }: TraceRows, row: number | undefined): number[] {
  const way: number[] = []
  for (let at = row ?? -1; at >= 0 && way.length < MOST_LINES; at = parents[at] ?? -1) way.push(at)
  return way
}
