/**
 * The chunks that webpack's runtime loads: the function that makes a file name of a chunk's id, `r.u=e=>…`, read and not run.
 * It concatenates texts, the id, and tables by id; what else stands there (conditions, calls) ends the reading.
 */

/** Of the runtime; a site of thousands of chunks has tables of some ten thousand characters. */
const MAX_FUNCTION = 512 * 1024
const MAX_CHUNKS = 10_000

const NAME_FUNCTION =
  /\.u\s{0,9}=\s{0,9}(?:\(?\s{0,9}([\w$]{1,60})\s{0,9}\)?\s{0,9}=>|function\s{0,9}\(\s{0,9}([\w$]{1,60})\s{0,9}\)\s{0,9}\{\s{0,9}return(?![\w$]))/g
/** `r.p="/"`; or, found out by the page: `r.p=e`, `r.p=e+"../"`, the folder that the runtime came from or one above. */
const PUBLIC_PATH = /\.p\s*=\s*(?:[\w$]+\s*\+\s*)?(?:"([^"\\]*)"|'([^'\\]*)')/g

/** `n.e(537)`: loads a chunk. Where no table has the ids, they are known from this alone. */
const LOADS = /\.e\(\s*(?:(\d{1,10})|"([\w$./-]{1,200})"|'([\w$./-]{1,200})')\s*\)/g

/** What a file name is put together of. `table`: by id; `orId`: the id itself where the table lacks it. */
type Part =
  | { readonly text: string }
  | { readonly id: true }
  | { readonly table: ReadonlyMap<string, string>; readonly orId: boolean }

export type WebpackChunks = {
  /** Where its files lie, relative to the runtime; undefined: in the folder that the runtime came from. */
  readonly publicPath: string | undefined
  /** Relative to that. */
  readonly files: readonly string[]
}

/** Undefined: the script has no such function, or one that cannot be read without running it. */
export function webpackChunks(code: string): WebpackChunks | undefined {
  for (const found of code.matchAll(NAME_FUNCTION)) {
    const start = found.index + found[0].length
    const reader = createReader(code.slice(start, start + MAX_FUNCTION), found[1] ?? found[2] ?? '')
    const parts = reader.sum()
    // Literal texts after conditions (`e===1?"a.js":…`) are files too; what is left is a sum or nothing.
    if (parts === undefined) continue
    const files = namesOf(parts, code)
    if (files.length > 0) return { publicPath: publicPathOf(code), files: [...reader.literals, ...files] }
  }
  return undefined
}

function publicPathOf(code: string): string | undefined {
  const found = [...code.matchAll(PUBLIC_PATH)].at(-1)
  return found?.[1] ?? found?.[2]
}

/** One name for each id: those of the tables, or, without any, those that the script itself loads. */
function namesOf(parts: readonly Part[], code: string): string[] {
  const ids = new Set<string>()
  if (!parts.some((part) => 'table' in part))
    for (const [, number, double, single] of code.matchAll(LOADS)) ids.add(number ?? double ?? single ?? '')
  // The table that every name needs decides; one with `||e` renames some of the ids.
  const needed = parts.flatMap((part) => ('table' in part && !part.orId ? [part.table] : []))
  const tables = needed.length > 0 ? needed : parts.flatMap((part) => ('table' in part ? [part.table] : []))
  for (const table of tables) for (const id of table.keys()) ids.add(id)
  return [...ids].slice(0, MAX_CHUNKS).flatMap((id) => {
    const texts = parts.map((part) =>
      'text' in part ? part.text : 'id' in part ? id : (part.table.get(id) ?? (part.orId ? id : undefined)),
    )
    return texts.includes(undefined) ? [] : [texts.join('')]
  })
}

/** Reads from the beginning of `text`, each character a bounded number of times. `id`: the name of the parameter. */
function createReader(text: string, id: string) {
  const literals: string[] = []
  let at = 0

  function take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at
    const found = pattern.exec(text) ?? undefined
    if (found) at += found[0].length
    return found
  }

  function quoted(): string | undefined {
    const found = take(/\s*(?:"([^"\\\n]*)"|'([^'\\\n]*)')/y)
    return found && (found[1] ?? found[2])
  }

  /** `{27:"8d1f","main-cart":"77aa"}`, after the brace. */
  function table(): ReadonlyMap<string, string> | undefined {
    const entries = new Map<string, string>()
    while (!take(/\s*\}/y)) {
      const key = take(/\s*([\w$]+)\s*:/y)?.[1] ?? keyOf()
      const value = key === undefined ? undefined : quoted()
      if (key === undefined || value === undefined || entries.size > MAX_CHUNKS) return undefined
      entries.set(key, value)
      take(/\s*,/y)
    }
    return entries
  }

  function keyOf(): string | undefined {
    const key = quoted()
    return key !== undefined && take(/\s*:/y) ? key : undefined
  }

  const isId = (): boolean => take(/\s*([\w$]+)/y)?.[1] === id

  function term(): Part | undefined {
    const literal = quoted()
    if (literal !== undefined) return { text: literal }
    const opened = take(/\s*((?:\(\s*)*)(\{?)/y)
    const depth = (opened?.[1]?.split('(').length ?? 1) - 1
    if (opened?.[2] !== '{') return depth === 0 && isId() ? { id: true } : undefined
    const read = table()
    let open = depth
    while (open > 0 && take(/\s*\)/y)) open--
    if (read === undefined || !take(/\s*\[/y) || !isId() || !take(/\s*\]/y)) return undefined
    const orId = take(/\s*\|\|/y) !== undefined
    if (orId && !isId()) return undefined
    for (; open > 0; open--) if (!take(/\s*\)/y)) return undefined
    return { table: read, orId }
  }

  /** `e===361?"a.js":`, which some chunks have before the sum. */
  function condition(): boolean {
    const before = at
    if (take(/\s*[\w$"]+\s*={2,3}\s*[\w$"]+\s*\?/y)) {
      const literal = quoted()
      if (literal !== undefined && take(/\s*:/y)) {
        literals.push(literal)
        return true
      }
    }
    at = before
    return false
  }

  function sum(): readonly Part[] | undefined {
    while (literals.length < MAX_CHUNKS && condition());
    const parts: Part[] = []
    do {
      const part = term()
      if (part === undefined) return undefined
      parts.push(part)
    } while (take(/\s*\+/y))
    return parts
  }

  return { sum, literals }
}
