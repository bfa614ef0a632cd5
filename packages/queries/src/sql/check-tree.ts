/**
 * The second wall: the tree that the engine's own parser makes (`EXPLAIN AST`). Nothing runs for it. Only kinds of nodes
 * that are known are let through, so what a later version brings is refused until somebody looks at it.
 */
import { isOfferedFunction } from './offered-functions.ts'
import { notOffered } from './check-tokens.ts'
import { checkGrowth } from './check-growth.ts'
import { SqlRefused } from './sql-refused.ts'
import { argumentsOf, type TreeNode, treeNode } from './tree-node.ts'

const NODES: ReadonlySet<string> = new Set([
  'Asterisk',
  'ColumnsExceptTransformer',
  'ColumnsListMatcher',
  'ColumnsRegexpMatcher',
  'ColumnsReplaceTransformer',
  'ColumnsReplaceTransformer::Replacement',
  'ColumnsTransformerList',
  'ArrayJoin',
  'ExpressionList',
  'Function',
  'Identifier',
  'InterpolateElement',
  'Literal',
  'OrderByElement',
  'QualifiedAsterisk',
  'QualifiedColumnsListMatcher',
  'QualifiedColumnsRegexpMatcher',
  'SampleRatio',
  'SelectIntersectExceptQuery',
  'SelectQuery',
  'SelectWithUnionQuery',
  'Subquery',
  'TableExpression',
  'TableIdentifier',
  'TableJoin',
  'TablesInSelectQuery',
  'TablesInSelectQueryElement',
  'WindowDefinition',
  'WindowListElement',
  'WithElement',
])

const IN = /^(?:not|global|globalNot)?(?:null)?in/i

/** The engine takes the first FORMAT for the query's own: it is ours, and the only one. */
const TREE_FORMAT = 'JSONCompact'
export const treeStatement = (sql: string): string => `EXPLAIN AST ${sql} FORMAT ${TREE_FORMAT}`

/** Throws `SqlRefused`. `lines`: the answer to `treeStatement`, one node each, its depth as spaces. */
export function checkTree(lines: readonly string[]): void {
  const nodes = lines.map(treeNode)
  if (nodes[0]?.kind !== 'SelectWithUnionQuery') throw new SqlRefused('only a SELECT can be run')
  // Behind the list of queries stand only FORMAT, INTO OUTFILE and the like.
  const [, ...behind] = nodes.filter(({ depth }) => depth === 1)
  if (behind.length !== 1 || behind[0]?.value !== TREE_FORMAT || nodes.at(-1) !== behind[0])
    throw new SqlRefused('nothing may follow the query', { hint: 'Leave out FORMAT and INTO OUTFILE.' })
  for (const [index, node] of nodes.entries()) {
    if (!NODES.has(node.kind)) throw new SqlRefused(`${spoken(node.kind)} is not offered`)
    if (node.kind === 'TableIdentifier' && !/^[^.]+$/.test(node.value)) throw otherTable(node.value)
    if (node.kind === 'Function') checkFunction(nodes, index)
  }
  checkGrowth(
    nodes.flatMap(({ kind, value }, index) =>
      kind === 'Function' ? [{ name: value, args: argumentsOf(nodes, index) }] : [],
    ),
  )
}

function checkFunction(nodes: readonly TreeNode[], index: number): void {
  const { value: name } = nodes[index] as TreeNode
  if (nodes[index - 1]?.kind === 'TableExpression')
    throw new SqlRefused(`the table function "${name}" is not offered`)
  // The parser's own form of a cast; nobody could have written it, the first wall refuses the name.
  const isCast = /^_?cast$/i.test(name)
  if (!isCast && !isOfferedFunction(name)) throw notOffered(name)
  const second = argumentsOf(nodes, index)[1]
  // `x IN table` reads a table that is no node of its own.
  if (IN.test(name) && second?.kind === 'Identifier' && second.value.includes('.'))
    throw otherTable(second.value)
  if (!isCast) return
  if (second?.kind !== 'Literal' || /aggregatefunction/i.test(second.value))
    throw new SqlRefused('CAST needs the name of a type', { hint: "For example CAST(x, 'Float64')." })
}

const otherTable = (name: string): SqlRefused =>
  new SqlRefused(`the table "${name}" is not offered`, {
    hint: 'Tables are named alone, without a database.',
  })

const SPOKEN: ReadonlyMap<string, string> = new Map([
  ['Set', 'SETTINGS'],
  ['ColumnsApplyTransformer', 'APPLY'],
  ['QueryParameter', 'a parameter in braces'],
])
const spoken = (kind: string): string => SPOKEN.get(kind) ?? `${kind} in a statement`
