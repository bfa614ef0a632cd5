/** What the function around a place of generated code is called in its source. */
import type { FunctionIndex } from './functions/function-index.ts'
import type { OriginalPosition, SourceMap } from './source-map.ts'

const IDENTIFIER = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy

/**
 * From the scopes of the map where it has them; else from where the function's name stands in the generated code, which the
 * map leads to the name in the source. Null: it has no name. Undefined: the place is in no function.
 */
export function functionName(
  map: SourceMap,
  index: FunctionIndex | undefined,
  line: number,
  column: number,
): string | null | undefined {
  const told = map.lookUp(line, column)?.functionName
  if (told !== undefined) return told
  const around = index?.around(line, column)
  if (around === undefined) return undefined
  if (around.name === undefined) return null
  const position = map.lookUp(around.name.line, around.name.column)
  // Another place's mapping says nothing of this name; minifiers keep the names of properties as they are.
  if (position?.generatedColumn !== around.name.column) return around.name.text
  return position.name ?? identifierAt(position) ?? around.name.text
}

function identifierAt({ source, line, column }: OriginalPosition): string | undefined {
  const { content } = source
  if (content === null) return undefined
  let at = 0
  for (let number = 0; number < line; number++) {
    at = content.indexOf('\n', at) + 1
    if (at === 0) return undefined
  }
  IDENTIFIER.lastIndex = at + column
  return IDENTIFIER.exec(content)?.[0]
}
