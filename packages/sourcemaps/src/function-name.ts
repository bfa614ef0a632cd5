/** What the function around a place of generated code is called in its source. */
import type { EnclosingFunction, FunctionIndex } from './functions/function-index.ts'
import type { OriginalPosition, Source, SourceMap } from './source-map.ts'

// In which a name that a declaration gives to what its parentheses begin is looked for.
const DECLARATION = /\bfunction\s*\*?\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*(?:<[^()]*>\s*)?\(\s*/gu
const BEFORE_PARAMETERS = 200
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
  const told = map.lookUp(line, column)?.functionName
  if (told !== undefined) return told
  const around = index?.around(line, column)
  if (around === undefined) return undefined
  const declared = declaredName(map, around.parameters, contentOf)
  if (declared !== undefined) return declared
  if (around.name === undefined) return null
  const position = map.lookUp(around.name.line, around.name.column)
  // Another place's mapping says nothing of this name; minifiers keep the names of properties as they are.
  if (position?.generatedColumn !== around.name.column) return around.name.text
  return position.name ?? identifierAt(position, contentOf(position.source)) ?? around.name.text
}

/**
 * Minifiers that put a function where it is called take its name away: `function applyCoupon(cents)` is
 * `function(a){…}(b)` then. Its parameters still lead to those of the declaration.
 */
function declaredName(
  map: SourceMap,
  parameters: EnclosingFunction['parameters'],
  contentOf: (source: Source) => string | null,
): string | undefined {
  const position = parameters && map.lookUp(parameters.line, parameters.column)
  if (!position || position.generatedColumn !== parameters.column) return undefined
  const content = contentOf(position.source)
  const offset = content === null ? undefined : offsetOf(position, content)
  if (content === null || offset === undefined) return undefined
  const from = Math.max(0, offset - BEFORE_PARAMETERS)
  const around = content.slice(from, offset + BEFORE_PARAMETERS)
  for (const found of around.matchAll(DECLARATION)) {
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
