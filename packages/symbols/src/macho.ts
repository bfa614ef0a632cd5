/** Mach-O: UUID and symbol table, of 64-bit files and of each part of a fat one. https://github.com/apple-oss-distributions/xnu/blob/main/EXTERNAL_HEADERS/mach-o/loader.h */
import { hyphened } from './debug-id.ts'
import { createPlainTable, type PlainSymbol, SymbolError, type SymbolTable } from './symbol-table.ts'

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
      if (name === '__DWARF') hasDwarf = true
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
  return { uuid, cpu: CPUS[file.readUInt32LE(4)] ?? 'unknown', is64, text, symtab, hasDwarf }
}

/** Throws `SymbolError`. */
export function readMachOSymbols(bytes: Uint8Array): SymbolTable {
  const { symtab, is64, text } = readMachO(bytes)
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
  if (symbols.length === 0) throw new SymbolError('it has no symbol table: it was stripped')
  return createPlainTable(symbols)
}
