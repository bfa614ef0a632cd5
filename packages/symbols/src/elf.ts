/** ELF: build id and symbol tables. Little-endian, 32 and 64 bits. https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html */
import { debugIdOfGuid } from './debug-id.ts'
import type { Packed } from './dwarf/sections.ts'
import { createNativeTable } from './native-table.ts'
import { type PlainSymbol, SymbolError, type SymbolTable } from './symbol-table.ts'

const SHT_SYMTAB = 2
const SHT_NOTE = 7
const SHT_NOBITS = 8
const SHF_COMPRESSED = 0x800
const ELFCOMPRESS_ZSTD = 2
const SHT_DYNSYM = 11
const PT_LOAD = 1
const PT_NOTE = 4
const STT_FUNC = 2
const NT_GNU_BUILD_ID = 3
const MAX_SECTIONS = 65_535
/** Of all symbol tables together: headers may let many point at the same bytes. */
const MAX_ENTRIES = 4_000_000
/** Of all segments and sections together. */
const MAX_NOTES = 10_000
const MAX_NAME = 2_048

type Section = {
  readonly name: number
  readonly type: number
  readonly offset: number
  readonly size: number
  readonly link: number
  readonly flags: number
}
export type Elf = {
  readonly buildId: string | undefined
  readonly cpu: string
  readonly sections: readonly Section[]
  /** Names of sections. */
  readonly names: readonly string[]
  /** Where its first segment is to be loaded. */
  readonly base: number
  readonly is64: boolean
}

const CPUS: Readonly<Record<number, string>> = {
  3: 'x86',
  40: 'arm',
  62: 'x86_64',
  183: 'arm64',
  243: 'riscv64',
}

export const isElf = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46

/** Throws `SymbolError`. */
export function readElf(bytes: Uint8Array): Elf {
  try {
    return parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
  } catch (error) {
    if (error instanceof RangeError) throw new SymbolError('it ends before its tables do')
    throw error
  }
}

function parse(file: Buffer): Elf {
  if (!isElf(file)) throw new SymbolError('it is no ELF file')
  if (file[5] !== 1) throw new SymbolError('it is big-endian, which is not read')
  const is64 = file[4] === 2
  const word = (at: number): number => (is64 ? Number(file.readBigUInt64LE(at)) : file.readUInt32LE(at))
  const cpu = CPUS[file.readUInt16LE(18)] ?? 'unknown'
  const programs = word(is64 ? 32 : 28)
  const table = word(is64 ? 40 : 32)
  const counts = is64 ? 54 : 42
  const [programSize, programCount] = [file.readUInt16LE(counts), file.readUInt16LE(counts + 2)]
  const [sectionSize, sectionCount, namesAt] = [
    file.readUInt16LE(counts + 4),
    file.readUInt16LE(counts + 6),
    file.readUInt16LE(counts + 8),
  ]
  let base: number | undefined
  let buildId: string | undefined
  const notes = { left: MAX_NOTES }
  for (let at = 0; at < programCount; at++) {
    const entry = programs + at * programSize
    const type = file.readUInt32LE(entry)
    const offset = word(entry + (is64 ? 8 : 4))
    if (type === PT_LOAD) base ??= word(entry + (is64 ? 16 : 8))
    if (type === PT_NOTE && offset < file.length)
      buildId ??= buildIdIn(file, offset, word(entry + (is64 ? 32 : 16)), notes)
  }
  const sections: Section[] = []
  for (let at = 0; at < Math.min(sectionCount, MAX_SECTIONS); at++) {
    const entry = table + at * sectionSize
    const section = {
      name: file.readUInt32LE(entry),
      type: file.readUInt32LE(entry + 4),
      offset: word(entry + (is64 ? 24 : 16)),
      size: word(entry + (is64 ? 32 : 20)),
      link: file.readUInt32LE(entry + (is64 ? 40 : 24)),
      flags: file.readUInt32LE(entry + 8),
    }
    sections.push(section)
    if (section.type === SHT_NOTE) buildId ??= buildIdIn(file, section.offset, section.size, notes)
  }
  const strings = sections[namesAt]
  const names = sections.map(({ name }) => (strings ? textAt(file, strings, name, 64) : ''))
  return { buildId, cpu, sections, names, base: base ?? 0, is64 }
}

function buildIdIn(file: Buffer, from: number, size: number, notes: { left: number }): string | undefined {
  const end = Math.min(file.length, from + size)
  for (let at = from; at + 12 <= end && notes.left > 0; notes.left--) {
    const nameSize = file.readUInt32LE(at)
    const idSize = file.readUInt32LE(at + 4)
    const id = at + 12 + ((nameSize + 3) & ~3)
    if (nameSize > 1_024 || idSize > 1_024) return undefined
    if (file.readUInt32LE(at + 8) === NT_GNU_BUILD_ID && nameSize === 4 && id + idSize <= end)
      return file.toString('hex', id, id + idSize)
    at = id + ((idSize + 3) & ~3)
  }
  return undefined
}

function textAt(file: Buffer, strings: Section, at: number, max: number): string {
  const from = strings.offset + at
  const limit = Math.min(file.length, strings.offset + strings.size, from + max)
  if (from >= limit) return ''
  const end = file.subarray(from, limit).indexOf(0)
  return file.toString('utf8', from, end === -1 ? limit : from + end)
}

export const debugIdOfBuild = (buildId: string): string => debugIdOfGuid(Buffer.from(buildId, 'hex'))

/** Lines of its DWARF; functions of `.symtab`, and of `.dynsym` where that is all. Throws `SymbolError`. */
export function readElfSymbols(bytes: Uint8Array): SymbolTable {
  const elf = readElf(bytes)
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const symbols: PlainSymbol[] = []
  const entrySize = elf.is64 ? 24 : 16
  let left = MAX_ENTRIES
  for (const table of elf.sections) {
    if (table.type !== SHT_SYMTAB && table.type !== SHT_DYNSYM) continue
    const strings = elf.sections[table.link]
    if (!strings) continue
    const end = Math.min(file.length, table.offset + table.size)
    for (let at = table.offset; at + entrySize <= end && left > 0; at += entrySize, left--) {
      const info = file[at + (elf.is64 ? 4 : 12)]!
      if ((info & 0x0f) !== STT_FUNC) continue
      const value = elf.is64 ? Number(file.readBigUInt64LE(at + 8)) : file.readUInt32LE(at + 4)
      const size = elf.is64 ? Number(file.readBigUInt64LE(at + 16)) : file.readUInt32LE(at + 8)
      if (value === 0) continue
      const name = textAt(file, strings, file.readUInt32LE(at), MAX_NAME)
      // Thumb code: the lowest bit is no part of the address.
      const address = (elf.cpu === 'arm' ? value - (value % 2) : value) - elf.base
      if (name !== '' && address >= 0) symbols.push({ address, size, name })
    }
  }
  return createNativeTable({ symbols, base: elf.base, section: (name) => debugSection(elf, file, name) })
}

/** https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.sheader.html, and `.zdebug_` of older compilers. */
function debugSection({ sections, names, is64 }: Elf, file: Buffer, name: string): Packed | undefined {
  const old = names.indexOf(`.zdebug_${name}`)
  const index = old === -1 ? names.indexOf(`.debug_${name}`) : old
  const found = sections[index]
  if (!found || found.type === SHT_NOBITS) return undefined
  const bytes = file.subarray(found.offset, found.offset + found.size)
  if (old !== -1 && bytes.toString('latin1', 0, 4) === 'ZLIB')
    return { bytes: bytes.subarray(12), packing: 'zlib' }
  if ((found.flags & SHF_COMPRESSED) === 0 || bytes.length < 24) return { bytes, packing: 'none' }
  return {
    bytes: bytes.subarray(is64 ? 24 : 12),
    packing: bytes.readUInt32LE(0) === ELFCOMPRESS_ZSTD ? 'zstd' : 'zlib',
  }
}
