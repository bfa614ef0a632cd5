/** Turns a stored trace into what its screen is sent. Pure. */
import type { TraceOutline } from '@sonde/queries'
import { criticalPath, type CriticalShare, criticalShares, traceGaps } from './critical-path.server.ts'
import { type PackedRows, packRows, ROW_FLAGS } from './packed-trace.ts'
import { type PlacedSpan, placeSpans, type Service } from './place-spans.server.ts'

export type LaidOutTrace = {
  /** Unix milliseconds. */
  readonly beginMs: number
  readonly lengthMs: number
  readonly rows: PackedRows
  readonly services: readonly (Service & { readonly spans: number })[]
  /** Times after the begin in which the trace waited for a line and for nothing below it: `[row, fromMs, lengthMs]`. */
  readonly critical: readonly Stretch[]
  readonly shares: readonly CriticalShare[]
  /** `[row, fromMs, lengthMs, isBare]`. */
  readonly gaps: readonly (readonly [...Stretch, isBare: 0 | 1])[]
  /** `[row, how many below it are not shown]`. */
  readonly leftOut: readonly (readonly [row: number, spans: number])[]
  /** Lines whose clock was off, the topmost of each subtree: `[row, shiftMs]`. */
  readonly shifts: readonly (readonly [row: number, shiftMs: number])[]
  /** Line of each id; of equal ids the first. */
  readonly rowOf: ReadonlyMap<string, number>
}
type Stretch = readonly [row: number, fromMs: number, lengthMs: number]

const OK: ReadonlySet<string> = new Set(['', 'ok', 'unknown', 'cancelled'])
const isFailedStatus = (status: string): boolean => !OK.has(status)
/** What a browser scrolls easily; the rest opens per span. */
const MAX_ROWS = 10_000
const MAX_SHARES = 5

export type LayOutOptions = {
  /** Only this span and what is below it; ignored when it is not there. */
  readonly root?: string | undefined
  readonly maxRows?: number
}

export function layOutTrace(
  outline: TraceOutline,
  { root, maxRows = MAX_ROWS }: LayOutOptions = {},
): LaidOutTrace {
  const placed = placeSpans(outline)
  const subtree = root === undefined ? undefined : findSpan(placed.roots, root)
  const roots = subtree ? [asRoot(subtree)] : placed.roots
  const stretches = criticalPath(roots)
  const waitedFor = new Set(stretches.map(({ node }) => node))
  const all = inOrder(roots)
  const withErrors = new Set(outline.errors.map(({ spanId }) => spanId))
  const failed = new Set(all.filter(({ span }) => withErrors.has(span.spanId) || isFailedStatus(span.status)))
  const { isShown, leftOut } = chooseSpans(roots, [failed, waitedFor], maxRows)
  const shown = all.filter(isShown)
  const indexes = new Map(shown.map((node, row) => [node, row]))
  const rowOf = new Map<string, number>()
  for (const [row, { span }] of shown.entries()) if (!rowOf.has(span.spanId)) rowOf.set(span.spanId, row)
  const beginMs = all.reduce((least, { startMs }) => Math.min(least, startMs), Number.POSITIVE_INFINITY)
  const endMs = all.reduce((last, node) => Math.max(last, node.endMs), Number.NEGATIVE_INFINITY)
  const lengthMs = all.length === 0 ? 0 : endMs - beginMs
  const stretchOf = (node: PlacedSpan, fromMs: number, toMs: number): Stretch[] => {
    const row = indexes.get(node)
    return row === undefined ? [] : [[row, micros(fromMs - beginMs), micros(toMs - fromMs)]]
  }
  const counts = new Map<number, number>()
  for (const { service } of all) counts.set(service, (counts.get(service) ?? 0) + 1)
  return {
    beginMs: all.length === 0 ? 0 : beginMs,
    lengthMs,
    rows: packRows(
      shown.map((node) => ({
        id: node.span.spanId,
        parent: node.parent ? (indexes.get(node.parent) ?? -1) : -1,
        startMs: node.startMs - beginMs,
        durationMs: node.span.durationMs,
        name: node.span.name,
        op: node.span.op,
        service: node.service,
        flags: flagsOf(node, waitedFor.has(node)),
      })),
    ),
    services: placed.services.map((service, at) => ({ ...service, spans: counts.get(at) ?? 0 })),
    critical: stretches.flatMap(({ node, fromMs, toMs }) => stretchOf(node, fromMs, toMs)),
    shares: criticalShares(stretches, MAX_SHARES),
    gaps: traceGaps(roots, lengthMs).flatMap(({ node, fromMs, toMs, isBare }) =>
      stretchOf(node, fromMs, toMs).map((stretch) => [...stretch, isBare ? 1 : 0] as const),
    ),
    leftOut: [...leftOut].flatMap(([node, spans]) => {
      const row = indexes.get(node)
      return row === undefined ? [] : [[row, spans] as const]
    }),
    shifts: shown.flatMap((node, row) =>
      node.shiftMs === (node.parent?.shiftMs ?? 0) || node.shiftMs === 0
        ? []
        : [[row, micros(node.shiftMs)] as const],
    ),
    rowOf,
  }
}

/** Microseconds are what is stored; floating point has more digits. */
const micros = (ms: number): number => Math.round(ms * 1000) / 1000

const findSpan = (roots: readonly PlacedSpan[], id: string): PlacedSpan | undefined =>
  inOrder(roots).find(({ span }) => span.spanId === id)

/** A copy of the subtree without a parent. */
function asRoot(node: PlacedSpan): PlacedSpan {
  const copies = new Map<PlacedSpan, PlacedSpan>()
  for (const each of inOrder([node])) {
    const parent = each.parent && copies.get(each.parent)
    const copy: PlacedSpan = { ...each, parent, children: [] }
    copies.set(each, copy)
    parent?.children.push(copy)
  }
  return copies.get(node) ?? node
}

/** Rounding of times is no outliving. */
const OUTLIVES_BY_MS = 1

function flagsOf({ span, defect, parent, endMs }: PlacedSpan, isCritical: boolean): number {
  return (
    (isFailedStatus(span.status) ? ROW_FLAGS.failed : 0) |
    (isCritical ? ROW_FLAGS.critical : 0) |
    (defect === undefined ? 0 : ROW_FLAGS[defect]) |
    (span.isSegment ? ROW_FLAGS.segment : 0) |
    (parent !== undefined && endMs > parent.endMs + OUTLIVES_BY_MS ? ROW_FLAGS.outlives : 0)
  )
}

/** How many of the spans below one that is shown are not, by the span under which they are left out. */
type LeftOut = ReadonlyMap<PlacedSpan, number>
type ChosenSpans = { readonly isShown: (node: PlacedSpan) => boolean; readonly leftOut: LeftOut }

/**
 * Roots, then each of `first` in turn (what failed, what was waited for), then what took longest; each with all its
 * ancestors, as long as they fit. At most `most` are shown.
 */
function chooseSpans(
  roots: readonly PlacedSpan[],
  first: readonly ReadonlySet<PlacedSpan>[],
  most: number,
): ChosenSpans {
  const all = inOrder(roots)
  if (all.length <= most) return { isShown: () => true, leftOut: new Map() }
  const shown = new Set<PlacedSpan>()
  // A chain whose deepest spans are the longest would be walked again and again.
  let steps = all.length * STEPS_A_SPAN
  const take = (node: PlacedSpan): void => {
    const way: PlacedSpan[] = []
    for (let at: PlacedSpan | undefined = node; at && !shown.has(at); at = at.parent) {
      way.push(at)
      if (--steps < 0 || shown.size + way.length > most) return
    }
    for (const one of way) shown.add(one)
  }
  for (const nodes of [roots, ...first, all]) {
    for (const node of [...nodes].toSorted((a, b) => b.span.durationMs - a.span.durationMs)) {
      if (shown.size >= most || steps < 0) break
      take(node)
    }
  }
  for (const node of all)
    if (shown.size < most && (node.parent === undefined || shown.has(node.parent))) shown.add(node)
  return { isShown: (node) => shown.has(node), leftOut: countLeftOut(all, shown) }
}

const STEPS_A_SPAN = 20

/** `all`: parents first, so that omitted ancestors are counted already. */
function countLeftOut(all: readonly PlacedSpan[], shown: ReadonlySet<PlacedSpan>): LeftOut {
  const leftOut = new Map<PlacedSpan, number>()
  const aboves = new Map<PlacedSpan, PlacedSpan>()
  for (const node of all) {
    if (shown.has(node) || !node.parent) continue
    const above = shown.has(node.parent) ? node.parent : aboves.get(node.parent)
    if (!above) continue
    aboves.set(node, above)
    leftOut.set(above, (leftOut.get(above) ?? 0) + 1)
  }
  return leftOut
}

/** Parents before their children, children by start. */
function inOrder(roots: readonly PlacedSpan[]): PlacedSpan[] {
  const order: PlacedSpan[] = []
  const open = roots.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    order.push(node)
    for (let at = node.children.length - 1; at >= 0; at--) {
      const child = node.children[at]
      if (child) open.push(child)
    }
  }
  return order
}
