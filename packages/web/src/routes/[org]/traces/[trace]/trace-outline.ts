/** The children of each line: spans by start, equal siblings as one group, gaps in between. Pure. */
import { hasFlag, type TraceRows } from '../../../../parts/trace/packed-trace.ts'

export type OutlineItem =
  | { readonly kind: 'span'; readonly row: number; readonly startMs: number }
  | { readonly kind: 'group'; readonly group: SpanGroup; readonly startMs: number }
  | { readonly kind: 'gap'; readonly gap: Gap; readonly startMs: number }
  | { readonly kind: 'left-out'; readonly row: number; readonly spans: number; readonly startMs: number }

export type SpanGroup = {
  /** Its first line: names the group. */
  readonly id: number
  readonly rows: readonly number[]
  readonly op: string
  /** With `…` where the names differ. */
  readonly name: string
  readonly totalMs: number
  readonly lastsMs: number
  /** Sequential spans of a database: one query could fetch them all. */
  readonly isNPlusOne: boolean
}

export type Gap = {
  readonly row: number
  readonly fromMs: number
  readonly lengthMs: number
  readonly isBare: boolean
}

export type TraceTree = {
  readonly rows: TraceRows
  /** By line; of the trace itself under -1. */
  readonly below: ReadonlyMap<number, readonly OutlineItem[]>
  /** Spans whose parent is missing; they have a line of their own. */
  readonly orphans: readonly OutlineItem[]
  /** Group in which a line is folded away. */
  readonly groupOf: ReadonlyMap<number, SpanGroup>
}

/** Fewer are read as quickly as a group is opened. */
const MIN_GROUP = 5
const DATABASE = /^(?:db|cache|redis|sql|mongodb?)(?:$|\.)/

type Extras = { readonly gaps: readonly Gap[]; readonly leftOut: readonly (readonly [number, number])[] }

export function traceTree(rows: TraceRows, { gaps, leftOut }: Extras): TraceTree {
  const childrenOf = new Map<number, number[]>()
  const orphanRows: number[] = []
  for (let row = 0; row < rows.count; row++) {
    const parent = rows.parents[row] ?? -1
    if (parent < 0 && hasFlag(rows, row, 'missing-parent')) {
      orphanRows.push(row)
      continue
    }
    const siblings = childrenOf.get(parent)
    if (siblings) siblings.push(row)
    else childrenOf.set(parent, [row])
  }
  const groupOf = new Map<number, SpanGroup>()
  const below = new Map<number, OutlineItem[]>()
  for (const [parent, children] of childrenOf) below.set(parent, grouped(rows, children, groupOf))
  const orphans = grouped(rows, orphanRows, groupOf)
  const itemsOf = (row: number): OutlineItem[] => {
    const items = below.get(row) ?? []
    below.set(row, items)
    return items
  }
  const withGaps = new Set<number>()
  for (const gap of gaps) {
    itemsOf(gap.row).push({ kind: 'gap', gap, startMs: gap.fromMs })
    withGaps.add(gap.row)
  }
  for (const row of withGaps) itemsOf(row).sort((a, b) => a.startMs - b.startMs)
  for (const [row, spans] of leftOut)
    itemsOf(row).push({ kind: 'left-out', row, spans, startMs: Number.POSITIVE_INFINITY })
  return { rows, below, orphans, groupOf }
}

/** A group takes the place of its first span. */
function grouped(
  rows: TraceRows,
  siblings: readonly number[],
  groupOf: Map<number, SpanGroup>,
): OutlineItem[] {
  const span = (row: number): OutlineItem => ({ kind: 'span', row, startMs: rows.startsMs[row] ?? 0 })
  if (siblings.length < MIN_GROUP) return siblings.map(span)
  // What has something below it is not alike until that is looked at: it keeps its line.
  const isLeaf = (row: number): boolean => (rows.ends[row] ?? 0) === row + 1
  const alike = Map.groupBy(siblings, (row) =>
    isLeaf(row)
      ? `${rows.services[row]} ${rows.ops[row]} ${shapeOfName(rows.names[row] ?? '')}`
      : `line ${row}`,
  )
  const items: OutlineItem[] = []
  for (const members of alike.values()) {
    if (members.length < MIN_GROUP) {
      for (const row of members) items.push(span(row))
      continue
    }
    const group = groupOfRows(rows, members)
    for (const row of members) groupOf.set(row, group)
    items.push({ kind: 'group', group, startMs: rows.startsMs[group.id] ?? 0 })
  }
  return items.toSorted((a, b) => a.startMs - b.startMs)
}

function groupOfRows(rows: TraceRows, members: readonly number[]): SpanGroup {
  const [id = 0] = members
  const [op = '', name = ''] = [rows.ops[id], rows.names[id]]
  const endOf = (row: number): number => (rows.startsMs[row] ?? 0) + (rows.durationsMs[row] ?? 0)
  const isSequence = members.every(
    (row, at) => at === 0 || (rows.startsMs[row] ?? 0) >= endOf(members[at - 1] ?? row),
  )
  return {
    id,
    rows: members,
    op,
    name: members.every((row) => rows.names[row] === name) ? name : shapeOfName(name),
    totalMs: members.reduce((sum, row) => sum + (rows.durationsMs[row] ?? 0), 0),
    lastsMs: members.reduce((last, row) => Math.max(last, endOf(row)), 0) - (rows.startsMs[id] ?? 0),
    isNPlusOne: isSequence && DATABASE.test(op),
  }
}

/** Names that differ only in their values have one shape: `GET /cart/17` and `GET /cart/18` are `GET /cart/…`. Pure. */

/** Ids, hashes, numbers, and texts in quotes, which a cut may have left open; a number inside a word (`utf8`, `$1`) is part of it. */
const VALUES =
  /'(?:[^'\\]|\\[^]?|'')*(?:'|$)|"(?:[^"\\]|\\[^]?)*(?:"|$)|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b(?=[0-9a-f]*\d)[0-9a-f]{16,}\b|(?<![\w$:@.])\d+(?:\.\d+)?(?![\w.])/gi
/** `IN (…, …, …)`: how many there are is a value too. */
const LISTS = /(?:…|\?|\$\d+)(?:\s*,\s*(?:…|\?|\$\d+))+/g

export const shapeOfName = (name: string): string => name.replaceAll(VALUES, '…').replaceAll(LISTS, '…')
