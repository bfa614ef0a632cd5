/**
 * Breakpad symbol files, as `dump_syms` writes them: functions, lines, inlined calls, public symbols.
 * https://chromium.googlesource.com/breakpad/breakpad/+/HEAD/docs/symbol_files.md
 * Read once from front to back; a line that is none is left out.
 */
import { lastAtMost, type SymbolPlace, type SymbolTable, SymbolError } from './symbol-table.ts'

type Inline = {
  readonly depth: number
  readonly callLine: number
  readonly callFile: number
  readonly origin: number
  /** Pairs of start and end (exclusive). */
  readonly ranges: readonly number[]
}
type Func = {
  readonly start: number
  readonly end: number
  readonly name: string
  /** Of its line records. */
  readonly from: number
  to: number
  inlines: Inline[] | undefined
}

const NEWLINE = 0x0a
/** Deeper inlining is of no compiler. */
const MAX_DEPTH = 64
const MAX_INLINES = 10_000
/** Of a name in a template library. */
const MAX_NAME = 2_048

/** Throws `SymbolError` where the first line is not that of a symbol file. */
export function readBreakpad(bytes: Uint8Array): SymbolTable {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (text.toString('latin1', 0, 7) !== 'MODULE ') throw new SymbolError('it does not begin with MODULE')
  const files = new Map<number, string>()
  const origins = new Map<number, string>()
  const funcs: Func[] = []
  const publics: { readonly start: number; readonly name: string }[] = []
  const lineStarts: number[] = []
  const lineEnds: number[] = []
  const lineFacts: number[] = []
  let func: Func | undefined
  let namesBytes = 0
  const named = (name: string): string => {
    namesBytes += name.length + 48
    return name
  }

  for (let at = 0; at < text.length;) {
    const found = text.indexOf(NEWLINE, at)
    const end = found === -1 ? text.length : found
    // One line is no longer than its name and some addresses.
    const line = text.toString('utf8', at, Math.min(end, at + 4 * MAX_NAME)).trimEnd()
    at = end + 1
    const space = line.indexOf(' ')
    const kind = space === -1 ? line : line.slice(0, space)
    if (kind === 'FILE' || kind === 'INLINE_ORIGIN') {
      const [id, name] = numberAndRest(line, space + 1)
      if (id !== undefined) (kind === 'FILE' ? files : origins).set(id, named(name))
    } else if (kind === 'FUNC') {
      const [fields, name] = hexFields(withoutMark(line, 5), 3)
      const [start, size] = fields
      if (start === undefined || size === undefined) continue
      const from = lineStarts.length
      func = { start, end: start + size, name: named(name), from, to: from, inlines: undefined }
      funcs.push(func)
    } else if (kind === 'PUBLIC') {
      func = undefined
      const [[start], name] = hexFields(withoutMark(line, 7), 2)
      if (start !== undefined) publics.push({ start, name: named(name) })
    } else if (kind === 'INLINE') {
      const inline = func && readInline(line)
      if (func && inline && (func.inlines?.length ?? 0) < MAX_INLINES) (func.inlines ??= []).push(inline)
    } else if (func && kind !== 'MODULE' && kind !== 'INFO' && kind !== 'STACK') {
      const [start = Number.NaN, size = Number.NaN, number = Number.NaN, file = Number.NaN] = lineRecord(line)
      if (!(start + size + number + file >= 0)) continue
      lineStarts.push(start)
      lineEnds.push(start + size)
      lineFacts.push(number, file)
      func.to = lineStarts.length
    }
  }

  funcs.sort((a, b) => a.start - b.start)
  publics.sort((a, b) => a.start - b.start)
  const funcStarts = Float64Array.from(funcs, ({ start }) => start)
  const publicStarts = Float64Array.from(publics, ({ start }) => start)
  const starts = Float64Array.from(lineStarts)
  const ends = Float64Array.from(lineEnds)
  const facts = Float64Array.from(lineFacts)
  // Writers sort them within a function; who does not is searched one by one.
  const unsorted = new Set<Func>()
  for (const each of funcs)
    for (let at = each.from + 1; at < each.to; at++)
      if (starts[at]! < starts[at - 1]!) {
        unsorted.add(each)
        break
      }

  const funcAt = (address: number): Func | undefined => {
    const found = funcs[lastAtMost(funcStarts, address)]
    return found && address < found.end ? found : undefined
  }
  const lineAt = (
    of: Func,
    address: number,
  ): { readonly file: string | undefined; readonly line: number | undefined } => {
    let at = -1
    if (unsorted.has(of)) {
      for (let each = of.from; each < of.to; each++)
        if (starts[each]! <= address && address < ends[each]!) at = each
    } else at = lastAtMost(starts, address, of.from, of.to)
    if (at === -1 || address >= ends[at]!) return { file: undefined, line: undefined }
    return { line: facts[at * 2] || undefined, file: files.get(facts[at * 2 + 1]!) }
  }

  return {
    lacksLines: undefined,
    bytes: starts.byteLength * 4 + funcs.length * 120 + publics.length * 64 + namesBytes * 2,
    startOf: (address) => funcAt(address)?.start ?? publics[lastAtMost(publicStarts, address)]?.start,
    lookUp(address) {
      const of = funcAt(address)
      if (!of) {
        const found = publics[lastAtMost(publicStarts, address)]
        // A function that lies between the public symbol and the address ends its reach.
        const before = funcs[lastAtMost(funcStarts, address)]
        if (!found || (before && before.start > found.start)) return []
        return [{ function: found.name, file: undefined, line: undefined }]
      }
      const places: SymbolPlace[] = []
      let at = lineAt(of, address)
      const calls = inlinesAt(of, address)
      for (const { origin, callFile, callLine } of calls.toReversed()) {
        places.push({ function: origins.get(origin) ?? '<unknown>', ...at })
        at = { file: files.get(callFile), line: callLine || undefined }
      }
      places.push({ function: of.name, ...at })
      return places
    },
  }
}

/** The outermost call first. */
function inlinesAt({ inlines = [] }: Func, address: number): readonly Inline[] {
  const found: Inline[] = []
  for (const inline of inlines)
    for (let at = 0; at < inline.ranges.length; at += 2)
      if (inline.ranges[at]! <= address && address < inline.ranges[at + 1]!) {
        found[inline.depth] = inline
        break
      }
  return found.filter((inline) => inline !== undefined)
}

/** `INLINE depth call_line call_file origin [address size]…`; numbers are decimal, addresses hexadecimal. */
function readInline(line: string): Inline | undefined {
  const [, depth, callLine, callFile, origin, ...rest] = line.split(' ')
  const numbers = [depth, callLine, callFile, origin].map(decimal)
  const [ofDepth, ofLine, ofFile, ofOrigin] = numbers
  if (ofDepth === undefined || ofLine === undefined || ofFile === undefined || ofOrigin === undefined)
    return undefined
  if (ofDepth >= MAX_DEPTH) return undefined
  const ranges: number[] = []
  for (let at = 0; at + 1 < rest.length; at += 2) {
    const start = hex(rest[at])
    const size = hex(rest[at + 1])
    if (start === undefined || size === undefined) return undefined
    ranges.push(start, start + size)
  }
  return { depth: ofDepth, callLine: ofLine, callFile: ofFile, origin: ofOrigin, ranges }
}

function lineRecord(line: string): readonly (number | undefined)[] {
  const fields = line.split(' ', 5)
  if (fields.length !== 4) return []
  return [hex(fields[0]), hex(fields[1]), decimal(fields[2]), decimal(fields[3])]
}

/** `m`: several symbols have the address. */
const withoutMark = (line: string, from: number): string =>
  line.startsWith('m ', from) ? line.slice(from + 2) : line.slice(from)

function hexFields(text: string, count: number): readonly [readonly (number | undefined)[], string] {
  const fields: (number | undefined)[] = []
  let at = 0
  for (let field = 0; field < count; field++) {
    const end = text.indexOf(' ', at)
    if (end === -1) {
      fields.push(hex(text.slice(at)))
      return [fields, '<unnamed>']
    }
    fields.push(hex(text.slice(at, end)))
    at = end + 1
  }
  return [fields, text.slice(at, at + MAX_NAME) || '<unnamed>']
}

function numberAndRest(line: string, from: number): readonly [number | undefined, string] {
  const end = line.indexOf(' ', from)
  return end === -1
    ? [undefined, '']
    : [decimal(line.slice(from, end)), line.slice(end + 1, end + 1 + MAX_NAME)]
}

const hex = (text: string | undefined): number | undefined =>
  text !== undefined && /^[0-9a-fA-F]{1,13}$/.test(text) ? Number.parseInt(text, 16) : undefined
const decimal = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
