/**
 * The scopes of sources, which say what a function is called where it was written:
 * https://github.com/tc39/ecma426/blob/main/proposals/scopes.md. Of the items only original scopes are read; variables and
 * generated ranges are for debuggers.
 */
import { MapError } from './map-fields.ts'
import { COMMA, readSigned, readUnsigned, type VlqReader } from './read-vlq.ts'

export type Scope = {
  readonly startLine: number
  readonly startColumn: number
  endLine: number
  endColumn: number
  readonly name: string | null
  readonly kind: string | null
  /** A function, whatever its kind is called. */
  readonly isStackFrame: boolean
  children: Scope[]
}

const NO_CHILDREN: Scope[] = []

const START = 1
const END = 2
const HAS_NAME = 1
const HAS_KIND = 2
const IS_STACK_FRAME = 4

// A scope takes some 150 bytes, and nine letters of a file. Ten megabytes of code have about 200,000 functions.
const MAX_SCOPES = 1_000_000
/** How many more a map may have: one for all of its sections. */
export type ScopeRoom = { left: number }
export const scopeRoom = (): ScopeRoom => ({ left: MAX_SCOPES })

/** One a source, in order; undefined: nothing is known of it. @throws MapError `mappings`, `out_of_range`, `too_large` */
export function readScopes(
  text: string,
  names: readonly string[],
  room: ScopeRoom = scopeRoom(),
): (Scope | undefined)[] {
  const roots: (Scope | undefined)[] = []
  const open: Scope[] = []
  const reader: VlqReader = { text, at: 0 }
  let line = 0
  let column = 0
  let name = 0
  let kind = 0

  const countOne = (): void => {
    if (--room.left < 0) throw new MapError('too_large', `it has more than ${MAX_SCOPES} scopes`)
  }
  const isItemEnd = (): boolean => reader.at >= text.length || text.charCodeAt(reader.at) === COMMA
  const move = (lines: number, columns: number): void => {
    line += lines
    column = lines === 0 ? column + columns : columns
  }
  const begin = (): void => {
    countOne()
    const flags = readUnsigned(reader)
    // Each source begins anew.
    if (open.length === 0) line = column = 0
    move(readUnsigned(reader), readUnsigned(reader))
    if (flags & HAS_NAME) name += readSigned(reader)
    if (flags & HAS_KIND) kind += readSigned(reader)
    const scope: Scope = {
      startLine: line,
      startColumn: column,
      endLine: line,
      endColumn: column,
      name: flags & HAS_NAME ? nameOf(names, name) : null,
      kind: flags & HAS_KIND ? nameOf(names, kind) : null,
      isStackFrame: (flags & IS_STACK_FRAME) !== 0,
      children: NO_CHILDREN,
    }
    const parent = open.at(-1)
    // A list that is pushed to has room for seventeen: most have none or one.
    if (parent?.children === NO_CHILDREN) parent.children = [scope]
    else if (parent) parent.children.push(scope)
    else roots.push(scope)
    open.push(scope)
  }
  const end = (): void => {
    const scope = open.pop()
    if (!scope) throw new MapError('mappings', `scopes: an end without a beginning (position ${reader.at})`)
    move(readUnsigned(reader), readUnsigned(reader))
    scope.endLine = line
    scope.endColumn = column
  }

  while (reader.at < text.length) {
    const tag = isItemEnd() ? 0 : readUnsigned(reader)
    if (tag === START) begin()
    else if (tag === END) end()
    else if (tag === 0 && open.length === 0) {
      countOne()
      roots.push(undefined)
    }
    // Items that are not known, and fields that were added to known ones, are left out.
    while (!isItemEnd()) readUnsigned(reader)
    reader.at++
  }
  if (open.length > 0) throw new MapError('mappings', `scopes: ${open.length} have no end`)
  return roots
}

/**
 * What the innermost function around a position of a source is called; null: it has no name, undefined: no function of
 * the map is around it.
 */
export function functionNameAt(
  root: Scope | undefined,
  line: number,
  column: number,
): string | null | undefined {
  let found: string | null | undefined
  let scope = root
  while (scope && isWithin(scope, line, column)) {
    if (scope.isStackFrame) found = scope.name
    scope = lastBegun(scope.children, line, column)
  }
  return found
}

/** Of scopes beside each other, which are in order: the last that begins at or before a place. */
function lastBegun(scopes: readonly Scope[], line: number, column: number): Scope | undefined {
  let low = 0
  let high = scopes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const { startLine, startColumn } = scopes[middle]!
    if (startLine < line || (startLine === line && startColumn <= column)) low = middle + 1
    else high = middle
  }
  return scopes[low - 1]
}

function isWithin(
  { startLine, startColumn, endLine, endColumn }: Scope,
  line: number,
  column: number,
): boolean {
  if (line < startLine || (line === startLine && column < startColumn)) return false
  return line < endLine || (line === endLine && column < endColumn)
}

function nameOf(names: readonly string[], at: number): string {
  const name = names[at]
  if (name === undefined) throw new MapError('out_of_range', `scopes: name ${at} of ${names.length}`)
  return name
}
