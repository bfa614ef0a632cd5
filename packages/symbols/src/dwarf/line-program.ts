/**
 * Line programs of DWARF 2 to 5: which instruction is of which line. Sections 6.2 of
 * https://dwarfstd.org/doc/DWARF5.pdf and of https://dwarfstd.org/doc/DWARF4.pdf
 */
import { createCursor, type Cursor, readLength, spend, textAt, type Work } from './cursor.ts'
import { type FormContext, readForm, stringOf } from './forms.ts'
import type { DwarfSections } from './sections.ts'

export type LineSink = {
  /** Of a path its number. */
  file(path: string): number
  row(address: number, file: number, line: number): void
  /** `end`: first address behind the sequence. */
  endSequence(end: number): void
}

const MAX_FILES = 100_000
const DW_LNCT_PATH = 1
const DW_LNCT_DIRECTORY = 2

/** Numbers of its files, by their index in the program. Throws `RangeError` where it is broken. */
export function readLineProgram(
  sections: DwarfSections,
  offset: number,
  of: { readonly directory: string; readonly name: string; readonly addressSize: number },
  sink: LineSink,
  work: Work,
): readonly number[] {
  const cursor = createCursor(sections.line, offset)
  const { end, is64 } = readLength(cursor)
  const version = cursor.u16()
  if (version < 2 || version > 5) throw new RangeError(`a line program of version ${version}`)
  const addressSize = version >= 5 ? cursor.u8() : of.addressSize
  if (version >= 5) cursor.skip(1)
  const headerLength = cursor.offset(is64)
  const first = cursor.at + headerLength
  const minInstruction = cursor.u8()
  const maxOperations = version >= 4 ? Math.max(1, cursor.u8()) : 1
  cursor.skip(1)
  const lineBase = (cursor.u8() << 24) >> 24
  const lineRange = cursor.u8()
  const opcodeBase = cursor.u8()
  if (lineRange === 0) throw new RangeError('a line range of 0')
  const operands = Array.from({ length: Math.max(0, opcodeBase - 1) }, () => cursor.u8())
  const files =
    version >= 5
      ? filesOf5(
          cursor,
          { sections, version, is64, addressSize, strOffsetsBase: 0 },
          of.directory,
          sink,
          work,
        )
      : filesBefore5(cursor, of, sink, work)
  const fileAt = (index: number): number => files[index] ?? sink.file('')

  let [address, operation, file, line] = [0, 0, 1, 1]
  const advance = (by: number): void => {
    if (maxOperations === 1) address += minInstruction * by
    else {
      address += minInstruction * Math.floor((operation + by) / maxOperations)
      operation = (operation + by) % maxOperations
    }
  }
  const row = (): void => sink.row(address, fileAt(file), line)
  cursor.at = first
  while (cursor.at < end) {
    spend(work)
    const opcode = cursor.u8()
    if (opcode >= opcodeBase) {
      const adjusted = opcode - opcodeBase
      advance(Math.floor(adjusted / lineRange))
      line += lineBase + (adjusted % lineRange)
      row()
    } else if (opcode === 0) {
      const next = cursor.uleb() + cursor.at
      const kind = cursor.u8()
      if (kind === 1) {
        sink.endSequence(address)
        ;[address, operation, file, line] = [0, 0, 1, 1]
      } else if (kind === 2) {
        address = cursor.sized(Math.min(8, next - cursor.at))
        operation = 0
      }
      cursor.at = next
      if (!(next <= end)) throw new RangeError('an instruction that is too long')
    } else if (opcode === 1) row()
    else if (opcode === 2) advance(cursor.uleb())
    else if (opcode === 3) line += cursor.sleb()
    else if (opcode === 4) file = cursor.uleb()
    else if (opcode === 8) advance(Math.floor((255 - opcodeBase) / lineRange))
    else if (opcode === 9) {
      address += cursor.u16()
      operation = 0
    } else for (let left = operands[opcode - 1] ?? 0; left > 0; left--) cursor.uleb()
  }
  return files
}

function filesBefore5(
  cursor: Cursor,
  of: { readonly directory: string; readonly name: string },
  sink: LineSink,
  work: Work,
): readonly number[] {
  const directories = [of.directory]
  const text = (): string => {
    spend(work)
    const found = textAt(cursor.bytes, cursor.at)
    cursor.skipText()
    return found
  }
  for (let name = text(); name !== ''; name = text())
    if (directories.length < MAX_FILES) directories.push(joined(of.directory, name))
  // Number 0 is of nobody; the unit itself is the best guess.
  const files = [sink.file(joined(of.directory, of.name))]
  for (let name = text(); name !== ''; name = text()) {
    const directory = cursor.uleb()
    cursor.uleb()
    cursor.uleb()
    if (files.length < MAX_FILES) files.push(sink.file(joined(directories[directory] ?? '', name)))
  }
  return files
}

type Entry = { readonly path: string; readonly directory: number }

function filesOf5(
  cursor: Cursor,
  context: FormContext,
  directory: string,
  sink: LineSink,
  work: Work,
): readonly number[] {
  const directories = entriesOf5(cursor, context, work).map(({ path }) => joined(directory, path))
  return entriesOf5(cursor, context, work).map((entry) =>
    sink.file(joined(directories[entry.directory] ?? '', entry.path)),
  )
}

function entriesOf5(cursor: Cursor, context: FormContext, work: Work): readonly Entry[] {
  const formats = Array.from({ length: cursor.u8() }, () => [cursor.uleb(), cursor.uleb()] as const)
  const count = cursor.uleb()
  const entries: Entry[] = []
  // Without a format an entry takes no byte, and there could be any number of them.
  for (let at = 0; at < count && formats.length > 0; at++) {
    let [path, directory] = ['', 0]
    for (const [kind, form] of formats) {
      spend(work)
      const value = readForm(cursor, form, context)
      if (kind === DW_LNCT_PATH) path = stringOf(form, value, context, cursor.bytes)
      else if (kind === DW_LNCT_DIRECTORY) directory = value
    }
    if (entries.length < MAX_FILES) entries.push({ path, directory })
  }
  return entries
}

/** Compilers on Windows write its paths. */
function joined(directory: string, name: string): string {
  const isWhole = directory === '' || /^(?:[/\\]|[A-Za-z]:)/.test(name)
  const path = isWhole ? name : `${directory}${/[/\\]$/.test(directory) ? '' : '/'}${name}`
  return path.replaceAll('/./', '/')
}
