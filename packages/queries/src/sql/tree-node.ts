/** A line of `EXPLAIN AST`, and what belongs to it. */
import { SqlRefused } from './sql-refused.ts'

export type TreeNode = { readonly depth: number; readonly kind: string; readonly value: string }

const LINE = /^( *)([A-Za-z:]+)(?: (.*?))??(?: \(alias (.*)\))?(?: \(children \d+\))?$/
const NAME = /^[\p{L}\p{N}_ .@/:-]+$/u

/** Throws `SqlRefused` for a name that could be read as another line. */
export function treeNode(line: string): TreeNode {
  const [, spaces = '', kind = '', value = ''] = LINE.exec(line) ?? []
  if (kind === '' || (kind !== 'Literal' && value !== '' && !NAME.test(value)))
    throw new SqlRefused('a name in this statement has letters that are not offered', {
      hint: 'Names have letters, digits, spaces and _.',
    })
  return { depth: spaces.length, kind, value }
}

/** Of a function its own, two levels below it: in between is the list. */
export function argumentsOf(nodes: readonly TreeNode[], index: number): readonly TreeNode[] {
  const depth = nodes[index]?.depth ?? 0
  const own: TreeNode[] = []
  for (let at = index + 1; at < nodes.length; at++) {
    const node = nodes[at] as TreeNode
    if (node.depth <= depth) break
    if (node.depth === depth + 2) own.push(node)
  }
  return own
}
