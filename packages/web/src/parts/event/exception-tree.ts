/**
 * How the exceptions of an event hang together. SDKs send a list, innermost cause first; newer ones number them and
 * name the parent, so that an exception group has several children
 * (https://develop.sentry.dev/sdk/foundations/transport/event-payloads/exception/). Pure.
 */
import type { Exception } from '@sonde/protocol/event'

export type Relation = 'thrown' | 'cause' | 'context' | 'member'

export type ListedException = {
  readonly exception: Exception
  readonly relation: Relation
  /** 0 for what was thrown and its causes; one more for the members of a group. */
  readonly depth: number
  readonly isGroup: boolean
  /** Position in what is shown: part of its fragment. */
  readonly number: number
}

type Node = { readonly exception: Exception; readonly relation: Relation; readonly children: Node[] }

/** In reading order: what was thrown, its causes and members below it. Every exception is there once. */
export function listExceptions(exceptions: readonly Exception[]): ListedException[] {
  const listed: ListedException[] = []
  const visit = ({ exception, relation, children }: Node, depthBefore: number): void => {
    const depth = depthBefore + (relation === 'member' ? 1 : 0)
    const isGroup = children.some((child) => child.relation === 'member')
    listed.push({ exception, relation, depth, isGroup, number: listed.length })
    for (const child of children) visit(child, depth)
  }
  for (const root of treeOf(exceptions)) visit(root, 0)
  return listed
}

function treeOf(exceptions: readonly Exception[]): Node[] {
  const numbered = new Map<number, Node>()
  for (const exception of exceptions) {
    const id = exception.mechanism?.exception_id
    if (id === undefined || numbered.has(id)) return chainOf(exceptions)
    numbered.set(id, { exception, relation: relationOf(exception, exceptions), children: [] })
  }
  const roots: Node[] = []
  for (const [id, node] of [...numbered].toSorted(([a], [b]) => a - b)) {
    const parentId = node.exception.mechanism?.parent_id
    // A parent is numbered before its children; anything else could be a circle.
    const parent = parentId !== undefined && parentId < id ? numbered.get(parentId) : undefined
    if (parent) parent.children.push(node)
    else roots.push(roots.length === 0 ? { ...node, relation: 'thrown' } : node)
  }
  return roots
}

function relationOf({ mechanism }: Exception, all: readonly Exception[]): Relation {
  const source = mechanism?.source ?? ''
  if (source === '__context__') return 'context'
  if (source === '__cause__' || source === 'cause') return 'cause'
  const parent = all.find(({ mechanism: other }) => other?.exception_id === mechanism?.parent_id)
  return parent?.mechanism?.is_exception_group ? 'member' : 'cause'
}

/** Without numbers each is the cause of the one behind it in the list. */
const chainOf = (exceptions: readonly Exception[]): Node[] =>
  exceptions.toReversed().map((exception, index) => ({
    exception,
    relation: index === 0 ? 'thrown' : exception.mechanism?.source === '__context__' ? 'context' : 'cause',
    children: [],
  }))

/** What stands over an exception: its type, or its text where it has none. */
export function exceptionName({ type, value, module }: Exception): string {
  if (type !== undefined && type !== '') return type
  const text = value?.split('\n')[0]?.trim() ?? ''
  if (text !== '') return text.length > 200 ? `${text.slice(0, 200)}…` : text
  return module ?? 'Exception'
}
