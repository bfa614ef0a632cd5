/**
 * Where the time of transactions goes. Pure. Every moment of a transaction belongs to the innermost spans that run in it,
 * in equal parts when there are several, and to the transaction itself when none does: so the parts are the whole,
 * however spans nest, overlap, or outlast their parents.
 */
export type TimedSpan = {
  /** Which transaction it is of: the id of its root. */
  readonly segmentId: string
  readonly spanId: string
  readonly parentSpanId: string
  readonly op: string
  readonly name: string
  readonly startMs: number
  readonly durationMs: number
}
export type TimedRoot = Pick<TimedSpan, 'spanId' | 'startMs' | 'durationMs'>

export type TimeShare = {
  /** Empty with an empty name: no span ran. */
  readonly op: string
  readonly name: string
  /** Milliseconds that are its own, over all transactions. */
  readonly ownMs: number
  /** Of the time of all transactions, 0 to 1. */
  readonly share: number
  readonly spans: number
  /** Transactions in which it was. */
  readonly transactions: number
  /** The half of its spans took at most this, whatever ran inside them. */
  readonly medianMs: number
}

/** The greatest first. */
export function timeShares(roots: readonly TimedRoot[], spans: readonly TimedSpan[]): readonly TimeShare[] {
  const bySegment = Map.groupBy(spans, ({ segmentId }) => segmentId)
  const groups = new Map<string, Group>()
  let wholeMs = 0
  for (const root of roots) {
    wholeMs += Math.max(0, root.durationMs)
    const own = bySegment.get(root.spanId) ?? []
    for (const [span, ownMs] of ownTimes(root, own)) {
      const group = groupOf(groups, span)
      group.ownMs += ownMs
      if (span === undefined) continue
      group.durations.push(span.durationMs)
      group.roots.add(root.spanId)
    }
  }
  return [...groups.values()]
    .map(({ op, name, ownMs, durations, roots: within }) => ({
      op,
      name,
      ownMs,
      share: wholeMs === 0 ? 0 : ownMs / wholeMs,
      spans: durations.length,
      transactions: within.size,
      medianMs: medianOf(durations),
    }))
    .toSorted((a, b) => b.ownMs - a.ownMs || b.spans - a.spans)
}

type Group = {
  readonly op: string
  readonly name: string
  ownMs: number
  readonly durations: number[]
  readonly roots: Set<string>
}

function groupOf(groups: Map<string, Group>, span: TimedSpan | undefined): Group {
  const { op, name } = span ?? { op: '', name: '' }
  const key = JSON.stringify([op, name])
  const found = groups.get(key) ?? { op, name, ownMs: 0, durations: [], roots: new Set<string>() }
  groups.set(key, found)
  return found
}

type Edge = { readonly atMs: number; readonly span: TimedSpan; readonly isStart: boolean }

/** Own time of each span within its root; of `undefined` that of the root. They add up to the root's duration. */
function ownTimes(root: TimedRoot, spans: readonly TimedSpan[]): ReadonlyMap<TimedSpan | undefined, number> {
  const [fromMs, toMs] = [root.startMs, root.startMs + Math.max(0, root.durationMs)]
  const clip = (atMs: number): number => Math.min(toMs, Math.max(fromMs, atMs))
  const edges = spans.flatMap((span): Edge[] => [
    { atMs: clip(span.startMs), span, isStart: true },
    { atMs: clip(span.startMs + Math.max(0, span.durationMs)), span, isStart: false },
  ])
  edges.sort((a, b) => a.atMs - b.atMs)
  const own = new Map<TimedSpan | undefined, number>([
    [undefined, 0],
    ...spans.map((span) => [span, 0] as const),
  ])
  const add = (span: TimedSpan | undefined, ms: number): void => void own.set(span, (own.get(span) ?? 0) + ms)
  const running = new Map<string, Set<TimedSpan>>()
  /** How many spans run directly inside each id. */
  const inside = new Map<string, number>()
  const count = (span: TimedSpan, by: number): void =>
    void inside.set(span.parentSpanId, (inside.get(span.parentSpanId) ?? 0) + by)
  let lastMs = fromMs
  for (const { atMs, span, isStart } of [...edges, undefined].map(
    (edge) => edge ?? { atMs: toMs, span: undefined, isStart: false },
  )) {
    if (atMs > lastMs) {
      const innermost = [...running].flatMap(([id, same]) => ((inside.get(id) ?? 0) > 0 ? [] : [...same]))
      // Two that each claim to be the other's parent leave nobody innermost.
      const takers = innermost.length > 0 ? innermost : [...running.values()].flatMap((same) => [...same])
      if (takers.length === 0) add(undefined, atMs - lastMs)
      for (const taker of takers) add(taker, (atMs - lastMs) / takers.length)
      lastMs = atMs
    }
    if (span === undefined) continue
    const same = running.get(span.spanId) ?? new Set()
    if (isStart) same.add(span)
    else same.delete(span)
    if (same.size === 0) running.delete(span.spanId)
    else running.set(span.spanId, same)
    // One that is its own parent is inside nothing.
    if (span.parentSpanId !== span.spanId) count(span, isStart ? 1 : -1)
  }
  return own
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}
