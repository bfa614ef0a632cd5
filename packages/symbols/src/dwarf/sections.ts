/** The sections of an ELF or Mach-O file that hold its DWARF, unpacked. Bounded in sum. */
import { inflateSync, zstdDecompressSync } from 'node:zlib'
import { SymbolError } from '../symbol-table.ts'

const NAMES = [
  'info',
  'abbrev',
  'line',
  'str',
  'line_str',
  'str_offsets',
  'addr',
  'ranges',
  'rnglists',
] as const
export type DwarfSections = { readonly [name in (typeof NAMES)[number]]: Buffer }

export type Packed = { readonly bytes: Buffer; readonly packing: 'none' | 'zlib' | 'zstd' }

/** Debug sections shrink to a third: more than this does not come from the 64 MiB that are read of a file. */
const MAX_UNPACKED = 192 * 1024 * 1024

/** `find`: by name without `.debug_`. Undefined: the file has no line tables. Throws `SymbolError`. */
export function dwarfSections(find: (name: string) => Packed | undefined): DwarfSections | undefined {
  if (!find('line')) return undefined
  let left = MAX_UNPACKED
  const read = (name: string): Buffer => {
    const found = find(name)
    if (!found) return Buffer.alloc(0)
    if (found.packing === 'none') return found.bytes
    try {
      const unpack = found.packing === 'zlib' ? inflateSync : zstdDecompressSync
      const bytes = unpack(found.bytes, { maxOutputLength: Math.max(1, left) })
      left -= bytes.length
      return bytes
    } catch {
      throw new SymbolError(`its section .debug_${name} cannot be unpacked`)
    }
  }
  return Object.fromEntries(NAMES.map((name) => [name, read(name)])) as DwarfSections
}
