/**
 * Mappings of ProGuard and R8: from obfuscated classes, methods and lines to those of the source.
 * https://www.guardsquare.com/manual/tools/retrace, https://r8.googlesource.com/r8/+/HEAD/doc/retrace.md
 */
import { SymbolError } from './symbol-table.ts'

export type JavaFrame = {
  readonly module: string
  readonly function: string
  readonly line: number | undefined
  readonly file: string | undefined
}

export type Mapping = {
  /** Undefined: the mapping has no such class, so it kept its name. */
  className(obfuscated: string): string | undefined
  /** The innermost inlined method first; empty: the mapping does not have the class. */
  retrace(module: string, method: string, line: number | undefined): readonly JavaFrame[]
  readonly bytes: number
}

type Member = {
  readonly start: number | undefined
  readonly end: number | undefined
  readonly originalStart: number | undefined
  readonly originalEnd: number | undefined
  /** Of another class, where it was inlined from one. */
  readonly module: string | undefined
  readonly method: string
}
type MappedClass = {
  readonly name: string
  file: string | undefined
  readonly members: Map<string, Member[]>
}

const MAX_NAME = 1_024
const MAX_INLINED = 100

/** Throws `SymbolError` when it has no class. */
export function readMapping(bytes: Uint8Array): Mapping {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const classes = new Map<string, MappedClass>()
  const files = new Map<string, string>()
  let current: MappedClass | undefined
  let size = 0
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf(0x0a, at)
    const end = newline === -1 ? text.length : newline
    const line = text.toString('utf8', at, Math.min(end, at + 8 * MAX_NAME)).trimEnd()
    at = end + 1
    const content = line.trimStart()
    if (content === '') continue
    if (content.startsWith('#')) {
      const file = sourceFileOf(content)
      if (current && file !== undefined) {
        current.file = file
        files.set(current.name, file)
      }
      continue
    }
    const arrow = content.lastIndexOf(' -> ')
    if (arrow === -1) continue
    const left = content.slice(0, arrow)
    const right = content.slice(arrow + 4)
    if (line === content && right.endsWith(':')) {
      current = { name: left.slice(0, MAX_NAME), file: undefined, members: new Map() }
      classes.set(right.slice(0, -1), current)
      size += 300 + line.length * 2
    } else if (current) {
      const member = readMember(left)
      if (!member) continue
      const known = current.members.get(right)
      if (known) known.push(member)
      else current.members.set(right, [member])
      size += 160 + line.length
    }
  }
  if (classes.size === 0) throw new SymbolError('it names no class')

  return {
    bytes: size,
    className: (obfuscated) => classes.get(obfuscated)?.name,
    retrace(module, method, line) {
      const of = classes.get(module)
      if (!of) return []
      const fileOf = (name: string): string | undefined => files.get(name) ?? fileOfClass(name)
      const frame = (name: string, original: string, at: number | undefined): JavaFrame => ({
        module: name,
        function: original,
        line: at,
        file: fileOf(name),
      })
      const members = membersAt(of.members.get(method) ?? [], line)
      if (members.length === 0) return [frame(of.name, method, line)]
      return members
        .slice(0, MAX_INLINED)
        .map((member) => frame(member.module ?? of.name, member.method, originalLine(member, line)))
    },
  }
}

/**
 * Entries of one range that follow each other are calls inlined into one another. Without a line, or where none has it, the
 * one method that all of them are of; several: the first, as nothing tells which.
 */
function membersAt(members: readonly Member[], line: number | undefined): readonly Member[] {
  if (line !== undefined && line > 0) {
    const first = members.findIndex(
      ({ start, end }) => start !== undefined && start <= line && line <= (end ?? start),
    )
    if (first !== -1) {
      const { start, end } = members[first]!
      let last = first
      while (members[last + 1]?.start === start && members[last + 1]?.end === end) last++
      return members.slice(first, last + 1)
    }
  }
  const plain = members.filter(({ start }) => start === undefined)
  return (plain.length > 0 ? plain : members).slice(0, 1).map((member) => ({ ...member, start: undefined }))
}

function originalLine(
  { start, end, originalStart, originalEnd }: Member,
  line: number | undefined,
): number | undefined {
  if (start === undefined || line === undefined) return undefined
  if (originalStart === undefined) return line
  if (originalEnd === undefined || originalEnd - originalStart !== (end ?? start) - start)
    return originalStart
  return originalStart + line - start
}

/** `1:3:void com.example.Other.method(int):10:12`; undefined: a field. */
function readMember(left: string): Member | undefined {
  const open = left.indexOf('(')
  const close = left.indexOf(')', open)
  if (open === -1 || close === -1) return undefined
  const range = /^(\d{1,9}):(\d{1,9}):/.exec(left)
  const space = left.lastIndexOf(' ', open)
  if (space === -1) return undefined
  const path = left.slice(space + 1, open).slice(0, MAX_NAME)
  const dot = path.lastIndexOf('.')
  const original = /^:(\d{1,9})(?::(\d{1,9}))?$/.exec(left.slice(close + 1))
  return {
    start: range ? Number(range[1]) : undefined,
    end: range ? Number(range[2]) : undefined,
    originalStart: original ? Number(original[1]) : undefined,
    originalEnd: original?.[2] === undefined ? undefined : Number(original[2]),
    module: dot === -1 ? undefined : path.slice(0, dot),
    method: path.slice(dot + 1),
  }
}

function sourceFileOf(comment: string): string | undefined {
  const json = comment.slice(1).trim()
  if (!json.startsWith('{') || !json.includes('"sourceFile"')) return undefined
  try {
    const { id, fileName } = JSON.parse(json) as { id?: unknown; fileName?: unknown }
    return id === 'sourceFile' && typeof fileName === 'string' ? fileName.slice(0, 255) : undefined
  } catch {
    return undefined
  }
}

/** Where the mapping does not say: `com.example.MainActivity$onCreate$1` is in MainActivity, in Kotlin as in Java. */
function fileOfClass(name: string): string | undefined {
  const simple = name.slice(name.lastIndexOf('.') + 1).split('$', 1)[0] ?? ''
  if (simple === '') return undefined
  return simple.length > 2 && simple.endsWith('Kt') ? `${simple.slice(0, -2)}.kt` : `${simple}.java`
}
