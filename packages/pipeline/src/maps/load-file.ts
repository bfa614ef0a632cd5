/** Bytes of uploaded files → what frames are read with. None of it throws: what cannot be read says why. */
import type { FrameProblem } from '@sonde/protocol/frame-problem'
import {
  createFunctionIndex,
  type FunctionIndex,
  MapError,
  readSourceMap,
  type SourceMap,
} from '@sonde/sourcemaps'

export type LoadedMap =
  | { readonly ok: true; readonly map: SourceMap }
  | { readonly ok: false; readonly problem: FrameProblem; readonly detail: string }

export type LoadedScript = { readonly functions: FunctionIndex; readonly lines: LineTable }

/** A source that was uploaded by itself. */
export type LoadedText = { readonly text: string }

/** With what it takes in memory, about. */
export type Sized<Value> = { readonly value: Value; readonly bytes: number }

const SMALL = 1024

export function loadMap(bytes: Uint8Array): Sized<LoadedMap> {
  const special = specialMap(bytes)
  if (special !== undefined) return refused('unsupported_map', special)
  try {
    const map = readSourceMap(bytes)
    return { value: { ok: true, map }, bytes: map.bytes + SMALL }
  } catch (error) {
    if (!(error instanceof MapError)) return refused('broken_map', 'it cannot be read')
    return refused(error.problem === 'too_large' ? 'too_large' : 'broken_map', error.message)
  }
}

/** The map in the last comment of a script. */
export function loadInlineMap(script: Uint8Array): Sized<LoadedMap> {
  const found = inlineMap(textOf(script))
  return found.ok ? loadMap(found.bytes) : refused('broken_map', found.detail)
}

export function loadScript(bytes: Uint8Array): Sized<LoadedScript> {
  const code = textOf(bytes)
  const functions = createFunctionIndex(code)
  const lines = createLineTable(code)
  return { value: { functions, lines }, bytes: functions.bytes + lines.bytes }
}

export function loadText(bytes: Uint8Array): Sized<LoadedText> {
  const text = textOf(bytes)
  return { value: { text }, bytes: text.length * 2 + SMALL }
}

function refused(problem: FrameProblem, detail: string): Sized<LoadedMap> {
  return { value: { ok: false, problem, detail: detail.slice(0, 300) }, bytes: SMALL }
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/**
 * Fields that only maps of React Native have: positions in them are of bytecode, or of modules that are loaded one by one.
 * Within a source's text the quotes would be escaped.
 */
const SPECIAL = [
  ['"x_facebook_sources"', 'a map of Metro (x_facebook_sources)'],
  ['"x_hermes_function_offsets"', 'a map of Hermes bytecode (x_hermes_function_offsets)'],
  ['"x_facebook_offsets"', 'a map of a RAM bundle (x_facebook_offsets)'],
] as const
const BACKSLASH = 92

function specialMap(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  for (const [field, detail] of SPECIAL)
    for (let at = text.indexOf(field); at !== -1; at = text.indexOf(field, at + 1))
      if (text[at - 1] !== BACKSLASH && isKey(text, at + field.length)) return detail
  return undefined
}

/** A text of that name is no field; only a colon makes it one. */
function isKey(text: Buffer, end: number): boolean {
  return /^\s*:/.test(text.toString('latin1', end, end + 16))
}

/** A map in its script's last comment: `//# sourceMappingURL=data:application/json;base64,…`. */

type InlineMap =
  | { readonly ok: true; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly detail: string }

const MARK = 'sourceMappingURL='
const DATA = /^data:[^,;]*((?:;[^,;]*)*),/

/** https://tc39.es/ecma426/#sec-linking-generated-code: the last one counts. */
function inlineMap(code: string): InlineMap {
  const at = code.lastIndexOf(MARK)
  const end = at === -1 ? -1 : code.slice(at).search(/[\s'"]|\*\//)
  const url = at === -1 ? '' : code.slice(at + MARK.length, end === -1 ? undefined : at + end)
  const head = DATA.exec(url.slice(0, 200))
  if (!head) return { ok: false, detail: 'its last comment holds no map' }
  const body = url.slice(head[0].length)
  if (/;base64$/i.test(head[1] ?? '')) return { ok: true, bytes: Buffer.from(body, 'base64') }
  try {
    return { ok: true, bytes: Buffer.from(decodeURIComponent(body)) }
  } catch {
    return { ok: false, detail: 'the map in its last comment is badly encoded' }
  }
}

/** Where the lines of a script begin: what is in it, and which line a character is in. */

type LineTable = {
  /** From 0, as source maps count. */
  has(line: number, column: number): boolean
  /** `character` counts UTF-16 code units from 0. Undefined: it lies behind the end. */
  at(character: number): { readonly line: number; readonly column: number } | undefined
  readonly bytes: number
}

function createLineTable(code: string): LineTable {
  const found = [0]
  for (let at = code.indexOf('\n'); at !== -1; at = code.indexOf('\n', at + 1)) found.push(at + 1)
  const starts = Uint32Array.from(found)
  const { length } = code
  // A trailing newline is counted to its line, so that a position at the very end is within it.
  const lengthOf = (line: number): number => (starts[line + 1] ?? length + 1) - 1 - (starts[line] ?? 0)
  return {
    has: (line, column) => line >= 0 && line < starts.length && column <= lengthOf(line),
    at(character) {
      if (character < 0 || character > length) return undefined
      let low = 0
      let high = starts.length - 1
      while (low < high) {
        const middle = (low + high + 1) >>> 1
        if (starts[middle]! <= character) low = middle
        else high = middle - 1
      }
      return { line: low, column: character - starts[low]! }
    },
    bytes: starts.byteLength,
  }
}
