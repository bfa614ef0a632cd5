/** Mach-O: UUID and symbol table, of 64-bit files and of each part of a fat one. https://github.com/apple-oss-distributions/xnu/blob/main/EXTERNAL_HEADERS/mach-o/loader.h */
import { hyphened } from './debug-id.ts'
import { createNativeTable } from './native-table.ts'
import { type PlainSymbol, SymbolError, type SymbolTable } from './symbol-table.ts'

const MAGIC_64 = 0xfeedfacf
const MAGIC_32 = 0xfeedface
const FAT = 0xcafebabe
const LC_SEGMENT_64 = 0x19
const LC_SEGMENT = 0x1
const LC_SYMTAB = 0x2
const LC_UUID = 0x1b
const N_STAB = 0xe0
const N_TYPE = 0x0e
const N_SECT = 0x0e
const MAX_COMMANDS = 10_000
const MAX_SYMBOLS = 4_000_000
const MAX_PARTS = 32
const MAX_NAME = 2_048

const CPUS: Readonly<Record<number, string>> = {
  0x7: 'x86',
  0xc: 'arm',
  0x1000007: 'x86_64',
  0x100000c: 'arm64',
}

export type MachO = {
  readonly uuid: string | undefined
  readonly cpu: string
  readonly is64: boolean
  readonly text: number
  readonly symtab: readonly [offset: number, count: number, strings: number, stringsSize: number] | undefined
  readonly hasDwarf: boolean
  /** Of the segment `__DWARF`, by name without `__debug_`. */
  readonly dwarf: ReadonlyMap<string, Buffer>
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

export function isMachO(bytes: Uint8Array): boolean {
  if (bytes.length < 32) return false
  const magic = bufferOf(bytes).readUInt32LE(0)
  return magic === MAGIC_64 || magic === MAGIC_32
}

/** The parts of a fat file; undefined: it is none. Java's classes have the same magic and a version where the count is. */
export function fatParts(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const file = bufferOf(bytes)
  if (file.length < 8 || file.readUInt32BE(0) !== FAT) return undefined
  const count = file.readUInt32BE(4)
  if (count === 0 || count > MAX_PARTS || 8 + count * 20 > file.length) return undefined
  const parts: Uint8Array[] = []
  for (let at = 0; at < count; at++) {
    const offset = file.readUInt32BE(8 + at * 20 + 8)
    const part = file.subarray(offset, offset + file.readUInt32BE(8 + at * 20 + 12))
    if (isMachO(part)) parts.push(part)
  }
  return parts
}

/** Throws `SymbolError`. */
export function readMachO(bytes: Uint8Array): MachO {
  try {
    return parse(bufferOf(bytes))
  } catch (error) {
    if (error instanceof RangeError) throw new SymbolError('it ends before its tables do')
    throw error
  }
}

function parse(file: Buffer): MachO {
  if (!isMachO(file)) throw new SymbolError('it is no Mach-O file')
  const is64 = file.readUInt32LE(0) === MAGIC_64
  const count = Math.min(file.readUInt32LE(16), MAX_COMMANDS)
  let uuid: string | undefined
  let text = 0
  let hasDwarf = false
  let symtab: MachO['symtab']
  const dwarf = new Map<string, Buffer>()
  let at = is64 ? 32 : 28
  for (let command = 0; command < count; command++) {
    const kind = file.readUInt32LE(at)
    const size = file.readUInt32LE(at + 4)
    if (size < 8) throw new SymbolError('a load command of it has no size')
    if (kind === LC_UUID) uuid = hyphened(file.toString('hex', at + 8, at + 24))
    if (kind === LC_SEGMENT_64 || kind === LC_SEGMENT) {
      const name = file.toString('latin1', at + 8, at + 24).split('\0', 1)[0]
      if (name === '__TEXT')
        text = kind === LC_SEGMENT_64 ? Number(file.readBigUInt64LE(at + 24)) : file.readUInt32LE(at + 24)
      if (name === '__DWARF') {
        hasDwarf = true
        readDwarfSections(file, at, is64, dwarf)
      }
    }
    if (kind === LC_SYMTAB)
      symtab = [
        file.readUInt32LE(at + 8),
        file.readUInt32LE(at + 12),
        file.readUInt32LE(at + 16),
        file.readUInt32LE(at + 20),
      ]
    at += size
  }
  return { uuid, cpu: CPUS[file.readUInt32LE(4)] ?? 'unknown', is64, text, symtab, hasDwarf, dwarf }
}

const MAX_SECTIONS = 255

function readDwarfSections(file: Buffer, segment: number, is64: boolean, into: Map<string, Buffer>): void {
  const [first, size] = is64 ? [segment + 72, 80] : [segment + 56, 68]
  const count = Math.min(file.readUInt32LE(segment + (is64 ? 64 : 48)), MAX_SECTIONS)
  for (let at = first; at < first + count * size; at += size) {
    const name = file.toString('latin1', at, at + 16).split('\0', 1)[0]!
    const bytes = is64 ? Number(file.readBigUInt64LE(at + 40)) : file.readUInt32LE(at + 36)
    const offset = file.readUInt32LE(at + (is64 ? 48 : 40))
    // Names have 16 characters: `__debug_str_offsets` is cut.
    const short = name.replace(/^__debug_/, '')
    into.set(short === 'str_offs' ? 'str_offsets' : short, file.subarray(offset, offset + bytes))
  }
}

/** Lines of its DWARF, functions of its symbol table. Throws `SymbolError`. */
export function readMachOSymbols(bytes: Uint8Array): SymbolTable {
  const { symtab, is64, text, dwarf } = readMachO(bytes)
  const file = bufferOf(bytes)
  const symbols: PlainSymbol[] = []
  const size = is64 ? 16 : 12
  const [offset, count, strings, stringsSize] = symtab ?? [0, 0, 0, 0]
  const end = Math.min(file.length, offset + Math.min(count, MAX_SYMBOLS) * size)
  for (let at = offset; at + size <= end; at += size) {
    const type = file[at + 4]!
    if ((type & N_STAB) !== 0 || (type & N_TYPE) !== N_SECT) continue
    const address = (is64 ? Number(file.readBigUInt64LE(at + 8)) : file.readUInt32LE(at + 8)) - text
    const from = strings + file.readUInt32LE(at)
    const limit = Math.min(file.length, strings + stringsSize, from + MAX_NAME)
    if (from >= limit || address < 0) continue
    const zero = file.subarray(from, limit).indexOf(0)
    const name = file.toString('utf8', from, zero === -1 ? limit : from + zero)
    // Compilers for C put an underscore before every name.
    if (name !== '') symbols.push({ address, size: 0, name: name.startsWith('_') ? name.slice(1) : name })
  }
  return createNativeTable({
    symbols,
    base: text,
    section(name) {
      const found = dwarf.get(name)
      return found && { bytes: found, packing: 'none' }
    },
  })
}
