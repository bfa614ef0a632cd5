/** The regular expressions in a source file, from its syntax tree: what looks like one in a text or comment is none. */
import { parseAst } from 'rolldown/parseAst'

export type FoundRegex = {
  readonly path: string
  readonly line: number
  readonly source: string
  readonly flags: string
}
/** Made when the program runs, of what only then is known. */
export type BuiltRegex = { readonly path: string; readonly line: number; readonly code: string }

export type Regexes = { readonly literal: readonly FoundRegex[]; readonly built: readonly BuiltRegex[] }

type Node = {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

export function findRegexes(path: string, text: string): Regexes {
  const literal: FoundRegex[] = []
  const built: BuiltRegex[] = []
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path), (node) => {
    const place = { path, line: lineAt(node.start) }
    const { regex, callee } = node as { regex?: { pattern: string; flags: string }; callee?: unknown }
    if (node.type === 'Literal' && regex)
      literal.push({ ...place, source: regex.pattern, flags: regex.flags })
    if (!isRegExp(callee)) return
    const given = node['arguments'] as readonly Node[]
    const source = given[0] && constantText(given[0])
    const flags = given[1] ? constantText(given[1]) : ''
    if (source === undefined || flags === undefined)
      built.push({ ...place, code: text.slice(node.start, node.end) })
    else literal.push({ ...place, source, flags })
  })
  return { literal, built }
}

/** `RegExp(…)`, `new RegExp(…)`, also of `globalThis`. */
function isRegExp(callee: unknown): boolean {
  const { type, name, property } = (callee ?? {}) as {
    type?: string
    name?: string
    property?: { name?: string }
  }
  return (
    (type === 'Identifier' && name === 'RegExp') ||
    (type === 'MemberExpression' && property?.name === 'RegExp')
  )
}

function constantText(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  const { quasis, expressions } = node as {
    quasis?: readonly { value: { cooked: string } }[]
    expressions?: unknown[]
  }
  return node.type === 'TemplateLiteral' && expressions?.length === 0 ? quasis?.[0]?.value.cooked : undefined
}

function visit(value: unknown, see: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, see)
  else if (typeof value === 'object' && value !== null) {
    if ('type' in value) see(value as Node)
    for (const each of Object.values(value)) visit(each, see)
  }
}
