/** Finding a text among the lines of a trace: what the page knows at once, what the server finds when it answers. Pure. */
import type { TraceTree } from './trace-outline.ts'
import { foldsToDepth, visibleLines } from './visible-lines.ts'

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
  const known = new Map<string, boolean>()
  const has = (value: string): boolean => {
    let answer = known.get(value)
    if (answer === undefined) known.set(value, (answer = value.toLowerCase().includes(wanted)))
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

/** All lines of spans as they would stand with nothing folded. */
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
