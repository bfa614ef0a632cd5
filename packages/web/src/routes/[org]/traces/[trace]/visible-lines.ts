/** The lines of a waterfall in order, given what is collapsed; how keys move between them; search among them. Pure. */
import type { Gap, OutlineItem, SpanGroup, TraceTree } from './trace-outline.ts'

export type Line = {
  /** Names the line while the page is open. */
  readonly key: string
  readonly depth: number
  /** Undefined: the line has no children. */
  readonly isOpen: boolean | undefined
} & (
  | { readonly kind: 'span'; readonly row: number }
  | { readonly kind: 'group'; readonly group: SpanGroup }
  | { readonly kind: 'gap'; readonly gap: Gap }
  | { readonly kind: 'left-out'; readonly row: number; readonly spans: number }
  | { readonly kind: 'orphans'; readonly spans: number }
)

export type Folds = {
  /** Lines whose subtree is folded. */
  readonly closed: ReadonlySet<number>
  /** Groups, by their first line, that are not. */
  readonly opened: ReadonlySet<number>
  readonly areOrphansClosed: boolean
}

export const NO_FOLDS: Folds = { closed: new Set(), opened: new Set(), areOrphansClosed: false }
export const ORPHANS_KEY = 'orphans'

export function visibleLines({ below, orphans }: TraceTree, folds: Folds): Line[] {
  const lines: Line[] = []
  type Open = { readonly item: OutlineItem; readonly depth: number }
  const open: Open[] = []
  const push = (items: readonly OutlineItem[], depth: number): void => {
    for (let at = items.length - 1; at >= 0; at--) {
      const item = items[at]
      if (item) open.push({ item, depth })
    }
  }
  const drain = (): void => {
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const { item, depth } = next
      if (item.kind === 'span') {
        const children = below.get(item.row)
        const isOpen = children && !folds.closed.has(item.row)
        lines.push({ kind: 'span', key: `s${item.row}`, row: item.row, depth, isOpen })
        if (isOpen) push(children, depth + 1)
      } else if (item.kind === 'group') {
        const { group } = item
        const isOpen = folds.opened.has(group.id)
        lines.push({ kind: 'group', key: `g${group.id}`, group, depth, isOpen })
        if (isOpen)
          push(
            group.rows.map((row) => ({ kind: 'span', row, startMs: 0 })),
            depth + 1,
          )
      } else if (item.kind === 'gap') {
        const { gap } = item
        const key = `p${gap.row}-${gap.fromMs}`
        lines.push({ kind: 'gap', key, gap, depth, isOpen: undefined })
      } else {
        const { row, spans } = item
        lines.push({ kind: 'left-out', key: `m${row}`, row, spans, depth, isOpen: undefined })
      }
    }
  }
  push(below.get(-1) ?? [], 0)
  drain()
  if (orphans.length > 0) {
    const isOpen = !folds.areOrphansClosed
    const spans = orphans.reduce((sum, item) => sum + (item.kind === 'group' ? item.group.rows.length : 1), 0)
    lines.push({ kind: 'orphans', key: ORPHANS_KEY, spans, depth: 0, isOpen })
    if (isOpen) push(orphans, 1)
    drain()
  }
  return lines
}

/** Folds with all ancestors of the row open. The same object when the row is visible already. */
export function unfoldedFor(tree: TraceTree, folds: Folds, row: number): Folds {
  const closed = new Set(folds.closed)
  const opened = new Set(folds.opened)
  let { areOrphansClosed } = folds
  let changes = 0
  let at = row
  for (; at >= 0; at = tree.rows.parents[at] ?? -1) {
    if (at !== row && closed.delete(at)) changes++
    const group = tree.groupOf.get(at)
    if (group && !opened.has(group.id)) {
      opened.add(group.id)
      changes++
    }
    if ((tree.rows.parents[at] ?? -1) < 0) break
  }
  if (areOrphansClosed && tree.orphans.length > 0) {
    areOrphansClosed = false
    changes++
  }
  return changes === 0 ? folds : { closed, opened, areOrphansClosed }
}

/** Lines of the trace's own depth `depth` and deeper are folded; undefined: nothing is, and no group either. */
export function foldsToDepth({ rows, groupOf }: TraceTree, depth: number | undefined): Folds {
  const closed = new Set<number>()
  const opened = new Set<number>()
  if (depth === undefined) for (const group of groupOf.values()) opened.add(group.id)
  else for (let row = 0; row < rows.count; row++) if ((rows.depths[row] ?? 0) >= depth) closed.add(row)
  return { closed, opened, areOrphansClosed: false }
}

/** Keys of a tree grid by the ARIA practices. https://www.w3.org/WAI/ARIA/apg/patterns/treegrid/ */
type KeyEffect =
  | { readonly kind: 'go'; readonly to: number }
  | { readonly kind: 'fold'; readonly isOpen: boolean }
  | { readonly kind: 'choose' }
  | { readonly kind: 'zoom' }
  | { readonly kind: 'leave' }

/** `at`: index of the current line, -1 for none. `page`: lines in sight. Undefined: the key is not ours. */
export function keyEffect(
  key: string,
  { lines, at, page }: { readonly lines: readonly Line[]; readonly at: number; readonly page: number },
): KeyEffect | undefined {
  const last = lines.length - 1
  const go = (to: number): KeyEffect => ({ kind: 'go', to: Math.min(last, Math.max(0, to)) })
  const line = lines[at]
  switch (key) {
    case 'ArrowDown':
      return go(at + 1)
    case 'ArrowUp':
      return go(at < 0 ? 0 : at - 1)
    case 'PageDown':
      return go(at + Math.max(1, page - 1))
    case 'PageUp':
      return go(at - Math.max(1, page - 1))
    case 'Home':
      return go(0)
    case 'End':
      return go(last)
    case 'ArrowRight':
      if (line?.isOpen === undefined) return undefined
      return line.isOpen ? go(at + 1) : { kind: 'fold', isOpen: true }
    case 'ArrowLeft': {
      if (!line) return undefined
      if (line.isOpen) return { kind: 'fold', isOpen: false }
      const parent = lines.findLastIndex(({ depth }, index) => index < at && depth < line.depth)
      return parent < 0 ? undefined : go(parent)
    }
    case 'Enter':
    case ' ':
      return line && { kind: 'choose' }
    case 'z':
      return line && { kind: 'zoom' }
    case 'Escape':
      return { kind: 'leave' }
    default:
      return undefined
  }
}

/** Lines whose op or name has the text, and those of `ids` (spans whose attributes have it), in the order of lines. */
export function findRows(
  tree: TraceTree,
  order: readonly number[],
  text: string,
  ids: ReadonlySet<string>,
): number[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  const { names, ops, ids: rowIds } = tree.rows
  // Of 10,000 lines most share their texts.
  const cached = new Map<string, boolean>()
  const has = (value: string): boolean => {
    let answer = cached.get(value)
    if (answer === undefined) cached.set(value, (answer = value.toLowerCase().includes(wanted)))
    return answer
  }
  return order.filter(
    (row) =>
      has(names[row] ?? '') ||
      has(ops[row] ?? '') ||
      ids.has(rowIds[row] ?? '') ||
      `${ops[row]} ${names[row]}`.toLowerCase().includes(wanted) ||
      rowIds[row] === wanted,
  )
}

/** All span lines in the order of a fully expanded waterfall. */
export const orderOfRows = (tree: TraceTree): number[] =>
  visibleLines(tree, foldsToDepth(tree, undefined)).flatMap((line) =>
    line.kind === 'span' ? [line.row] : [],
  )

/** The next match after `from` in the order of lines (or before it), and around the end. */
export function stepOfMatch(
  matches: readonly number[],
  current: number | undefined,
  by: 1 | -1,
): number | undefined {
  if (matches.length === 0) return undefined
  const at = current === undefined ? -1 : matches.indexOf(current)
  if (at < 0) return by === 1 ? matches[0] : matches.at(-1)
  return matches[(at + by + matches.length) % matches.length]
}
