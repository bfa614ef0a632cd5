/** What the function around a place of generated code is called in its source. */
import type { CodePlace, FunctionIndex } from './functions/function-index.ts'
import type { OriginalPosition, Source, SourceMap } from './source-map.ts'

// In which a name that a declaration gives to what its parentheses begin is looked for.
const DECLARATION =
  /\b(?:async\s+)?function\s*\*?\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*(?:<[^()]*>\s*)?\(\s*/gu
const AROUND_DECLARATION = 200
const IDENTIFIER = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy

/**
 * From the scopes of the map where it has them; else from where the function's name stands in the generated code, which the
 * map leads to the name in the source. Null: it has no name. Undefined: the place is in no function. `contentOf`: where the
 * text of a source lies that the map does not have.
 */
export function functionName(
  map: SourceMap,
  index: FunctionIndex | undefined,
  line: number,
  column: number,
  contentOf: (source: Source) => string | null = ({ content }) => content,
): string | null | undefined {
  const reported = map.lookUp(line, column)?.functionName
  if (reported !== undefined) return reported
  const around = index?.around(line, column)
  if (around === undefined) return undefined
  const declared = declaredName(map, around.begins, contentOf)
  if (declared !== undefined) return declared
  if (around.name === undefined) return null
  const position = map.lookUp(around.name.line, around.name.column)
  // Another place's mapping says nothing of this name; minifiers keep the names of properties as they are.
  if (position?.generatedColumn !== around.name.column) return around.name.text
  return position.name ?? identifierAt(position, contentOf(position.source)) ?? around.name.text
}

/**
 * Minifiers that put a function where it is called take its name away: `function applyCoupon(cents)` is
 * `function(a){…}(b)` then. Its beginning, or its parameters, still lead to the declaration.
 */
function declaredName(
  map: SourceMap,
  begins: readonly CodePlace[],
  contentOf: (source: Source) => string | null,
): string | undefined {
  for (const { line, column } of begins) {
    const position = map.lookUp(line, column)
    const content = position?.generatedColumn === column ? contentOf(position.source) : null
    const name = position && content !== null ? declarationAt(position, content) : undefined
    if (name !== undefined) return name
  }
  return undefined
}

function declarationAt(position: OriginalPosition, content: string): string | undefined {
  const offset = offsetOf(position, content)
  if (offset === undefined) return undefined
  const from = Math.max(0, offset - AROUND_DECLARATION)
  for (const found of content.slice(from, offset + AROUND_DECLARATION).matchAll(DECLARATION)) {
    const start = from + found.index
    if (start <= offset && offset <= start + found[0].length) return found[1]
  }
  return undefined
}

function identifierAt(position: OriginalPosition, content: string | null): string | undefined {
  const offset = content === null ? undefined : offsetOf(position, content)
  if (content === null || offset === undefined) return undefined
  IDENTIFIER.lastIndex = offset
  return IDENTIFIER.exec(content)?.[0]
}

function offsetOf({ line, column }: OriginalPosition, content: string): number | undefined {
  let at = 0
  for (let number = 0; number < line; number++) {
    at = content.indexOf('\n', at) + 1
    if (at === 0) return undefined
  }
  return at + column
}
