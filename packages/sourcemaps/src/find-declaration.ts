/** Where something is declared or named, among the sources of one map. */
import type { Source } from './source-map.ts'

export type Declaration = {
  readonly source: Source
  /** From 0; undefined: the source was found by its name alone. */
  readonly line: number | undefined
}

/** With the name of what is declared. */
const DECLARATIONS = /(?<![\w$.])(?:function|class|const|let|var)\s+([A-Za-z_$][\w$]*)/g

/**
 * By the name of the file, where that is known, and by the declaration in its text. Undefined: there is none, or there are
 * several and nothing tells which. Linear in the texts of the sources.
 */
export function findDeclaration(
  sources: readonly Source[],
  /** `file` is without folders; empty: not known. */
  { name, file }: { readonly name: string; readonly file: string },
): Declaration | undefined {
  const candidates = sources.filter(({ path }) => path !== null && (file === '' || baseName(path) === file))
  const declared = candidates.flatMap((source) => {
    const line = declaredAt(source, name)
    return line === undefined ? [] : [{ source, line }]
  })
  if (declared.length === 1) return declared[0]
  // A file of that name is the one, also where its text was not uploaded.
  const [only] = candidates
  return only && candidates.length === 1 && file !== '' ? { source: only, line: undefined } : undefined
}

const baseName = (path: string): string => (path.split(/[?#]/)[0] ?? '').split(/[/\\]/).at(-1) ?? ''

function declaredAt({ content }: Source, name: string): number | undefined {
  // What is no identifier, as a page may say, is declared nowhere.
  for (const { index, 1: declared } of content?.matchAll(DECLARATIONS) ?? [])
    if (declared === name) return content!.slice(0, index).split('\n').length - 1
  return undefined
}

/**
 * Where a text is named, as a file in `url(../img/hero.jpg)`; empty: the only source. Undefined: nowhere, or in several
 * sources. Linear in their texts.
 */
export function findText(
  sources: readonly Source[],
  text: string,
): { readonly source: Source; readonly line: number } | undefined {
  const naming = sources.flatMap((source) => {
    const at = text === '' ? -1 : wordAt(source.content ?? '', text)
    return at === -1 ? [] : [{ source, line: source.content!.slice(0, at).split('\n').length - 1 }]
  })
  const [only] = sources.length === 1 ? sources : []
  return naming.length === 1 ? naming[0] : only && { source: only, line: naming[0]?.line ?? 0 }
}

/** Not the end of another name: `hero.jpg` in `superhero.jpg`. */
function wordAt(content: string, text: string): number {
  let at = content.indexOf(text)
  while (at > 0 && /[\w.-]/.test(content[at - 1]!)) at = content.indexOf(text, at + text.length)
  return at
}
