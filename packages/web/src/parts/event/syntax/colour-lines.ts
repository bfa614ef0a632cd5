/**
 * Cuts lines of code into coloured pieces: comments, strings, numbers, keywords. Lines come from the middle of a file,
 * so what began before the first line is not known; what begins within them goes on over the next ones.
 */
import type { Block, Language } from './languages.ts'

export type PieceKind = 'comment' | 'string' | 'number' | 'keyword'
export type Piece = { readonly text: string; readonly kind: PieceKind | undefined }

/** One list per line; joined, the texts of a line are the line. Linear in the length of the text. */
export function colourLines(lines: readonly string[], language: Language | undefined): Piece[][] {
  if (!language) return lines.map((text) => (text === '' ? [] : [{ text, kind: undefined }]))
  let inside: Block | undefined
  return lines.map((line) => {
    const coloured = colourLine(line, language, inside)
    inside = coloured.inside
    return coloured.pieces
  })
}

function colourLine(line: string, language: Language, before: Block | undefined) {
  const pieces: Piece[] = []
  const add = (text: string, kind: PieceKind | undefined): void => {
    const last = pieces.at(-1)
    if (text === '') return
    // Neighbours of one colour are one piece: fewer elements on the page.
    if (last && last.kind === kind) pieces[pieces.length - 1] = { text: last.text + text, kind }
    else pieces.push({ text, kind })
  }
  let inside = before
  let at = 0
  while (at < line.length) {
    if (inside) {
      const end = closeOf(line, at, inside)
      add(line.slice(at, end ?? line.length), inside.kind)
      if (end === undefined) break
      at = end
      inside = undefined
      continue
    }
    language.tokens.lastIndex = at
    const found = language.tokens.exec(line)
    if (!found) {
      add(line.slice(at), undefined)
      break
    }
    add(line.slice(at, found.index), undefined)
    const [text] = found
    at = found.index + text.length
    const { b, c, s, n } = found.groups ?? {}
    if (b !== undefined) {
      inside = language.blocks.find(({ open }) => open === b)
      add(text, inside?.kind)
    } else add(text, kindOf(c, s, n) ?? (language.keywords.has(text) ? 'keyword' : undefined))
  }
  return { pieces, inside }
}

function kindOf(c: string | undefined, s: string | undefined, n: string | undefined): PieceKind | undefined {
  if (c !== undefined) return 'comment'
  if (s !== undefined) return 'string'
  return n === undefined ? undefined : 'number'
}

/** Behind the end of the block; undefined when it goes on in the next line. */
function closeOf(line: string, from: number, { close, kind }: Block): number | undefined {
  for (let at = line.indexOf(close, from); at >= 0; at = line.indexOf(close, at + 1)) {
    if (kind === 'comment' || line[at - 1] !== '\\') return at + close.length
  }
  return undefined
}
