/**
 * The second wall: the tree that the engine's own parser makes (`EXPLAIN AST`). Nothing runs for it. Only kinds of nodes
 * that are known are let through, so what a later version brings is refused until somebody looks at it.
 */
import { notOffered } from './check-tokens.ts'
import { isOfferedFunction } from './offered-functions.ts'
import { SqlRefused } from './sql-refused.ts'

/**
 * The third wall: what the engine's analyzer made of the names (`EXPLAIN QUERY TREE`), in the database of the console. All
 * tables that would be read have to be views of that database, whatever they are called in the statement.
 */
const TABLE = /^ *TABLE id: \d+,(?: alias: [^,]*,)? table_name: (.*)$/
const FUNCTION = /^ *FUNCTION id: \d+, function_name: ([^,]+),/

/** What the analyzer puts in for what was written; they read nothing either. */
const ADDED: ReadonlySet<string> = new Set(['_CAST', '__scalarSubqueryResult', 'nothing', 'nothingUInt64'])

/** Throws `SqlRefused`. */
export function checkResolved(lines: readonly string[], database: string, tables: ReadonlySet<string>): void {
  for (const line of lines) {
    if (/^ *TABLE_FUNCTION /.test(line)) throw new SqlRefused('table functions are not offered')
    if (/^ *TABLE (?!EXPRESSION)/.test(line)) {
      const named = TABLE.exec(line)?.[1]?.split(' ')[0]?.split(',')[0] ?? ''
      const isOurs = named.startsWith(`${database}.`) && tables.has(named.slice(database.length + 1))
      if (!isOurs && named !== 'system.one') throw new SqlRefused('a table in this statement is not offered')
    }
    const name = FUNCTION.exec(line)?.[1]
    if (name !== undefined && !isOfferedFunction(name) && !ADDED.has(name)) throw notOffered(name)
  }
}

/** A line of `EXPLAIN AST`, and what belongs to it. */
type TreeNode = { readonly depth: number; readonly kind: string; readonly value: string }

const LINE = /^( *)([A-Za-z:]+)(?: (.*?))??(?: \(alias (.*)\))?(?: \(children \d+\))?$/
const NAME = /^[\p{L}\p{N}_ .@/:-]+$/u

/** Throws `SqlRefused` for a name that could be read as another line. */
function treeNode(line: string): TreeNode {
  const [, spaces = '', kind = '', value = ''] = LINE.exec(line) ?? []
  if (kind === '' || (kind !== 'Literal' && value !== '' && !NAME.test(value)))
    throw new SqlRefused('a name in this statement has letters that are not offered', {
      hint: 'Names have letters, digits, spaces and _.',
    })
  return { depth: spaces.length, kind, value }
}

/** Of a function its own, two levels below it: in between is the list. */
function argumentsOf(nodes: readonly TreeNode[], index: number): readonly TreeNode[] {
  const depth = nodes[index]?.depth ?? 0
  const own: TreeNode[] = []
  for (let at = index + 1; at < nodes.length; at++) {
    const node = nodes[at] as TreeNode
    if (node.depth <= depth) break
    if (node.depth === depth + 2) own.push(node)
  }
  return own
}

// Functions whose answer is as large as an argument says. The analyzer computes constants while it looks for names, on one
// row, where the engine never looks at its clock: so how large is read in the parser's tree, before anything computes.
// Memory and the wall clock of the console hold behind it; this says at once, and in words, what they would say late.

/** Of one function. Texts and lists that a person looks at are shorter. */
const MOST = 10_000
/** Of all in one statement, multiplied: each may stand inside another, also by a name that WITH gave it. */
const MOST_TOGETHER = 1_000_000

type Growth = {
  /** Which arguments say it; all where none is named. */
  readonly at?: number
  /** What is inside is repeated; otherwise the answer has this size, whatever is inside. */
  readonly multiplies: boolean
}

const pads: Growth = { at: 1, multiplies: false }
const GROWING: ReadonlyMap<string, Growth> = new Map([
  ['repeat', { at: 1, multiplies: true }],
  ['range', { multiplies: true }],
  ['arraywithconstant', { at: 0, multiplies: true }],
  ['arrayresize', { at: 1, multiplies: true }],
  ['ngrams', { at: 1, multiplies: true }],
  ['space', { at: 0, multiplies: false }],
  ...['leftpad', 'leftpadutf8', 'lpad', 'rightpad', 'rightpadutf8', 'rpad', 'tofixedstring'].map(
    (name) => [name, pads] as const,
  ),
])

type SizedCall = { readonly name: string; readonly args: readonly TreeNode[] }

/** Throws `SqlRefused`. */
function checkGrowth(calls: readonly SizedCall[]): void {
  let together = 1
  let padded = 1
  for (const { name, args } of calls) {
    const growth = GROWING.get(name.toLowerCase())
    if (!growth) continue
    const sizes = (growth.at === undefined ? args : args.slice(growth.at, growth.at + 1)).map(sizeOf)
    const size = Math.max(1, ...sizes)
    // Also for NaN, and for a call without the argument.
    if (sizes.length === 0 || !sizes.every((each) => each <= MOST))
      throw new SqlRefused(`${name} needs its size as a number of at most ${MOST.toLocaleString('en')}`, {
        hint: 'Write the number itself.',
      })
    if (growth.multiplies) together *= size
    else padded = Math.max(padded, size)
  }
  if (together * padded > MOST_TOGETHER)
    throw new SqlRefused('together the functions of this statement would make too much', {
      hint: `The sizes they are given, multiplied, are at most ${MOST_TOGETHER.toLocaleString('en')}.`,
    })
}

/** NaN for everything that is no number written out. */
function sizeOf({ kind, value }: TreeNode): number {
  const digits =
    kind === 'Literal' ? /^(?:U?Int\d+|Float64)_(-?[\d.]+(?:e[+-]?\d+)?)$/.exec(value)?.[1] : undefined
  return digits === undefined ? Number.NaN : Math.abs(Number(digits))
}

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
