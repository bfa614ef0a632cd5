/** What an ELF or a Mach-O file tells: lines and inlined calls of its DWARF, functions of its symbol table where that is silent. */
import { type Dwarf, readDwarf } from './dwarf/read-dwarf.ts'
import { dwarfSections, type Packed } from './dwarf/sections.ts'
import { createPlainTable, type PlainSymbol, SymbolError, type SymbolTable } from './symbol-table.ts'

type Parts = {
  readonly symbols: readonly PlainSymbol[]
  /** By name without `.debug_`. */
  readonly section: (name: string) => Packed | undefined
  /** What addresses in the DWARF count from. */
  readonly base: number
}

/** Throws `SymbolError` where it has neither. */
export function createNativeTable({ symbols, section, base }: Parts): SymbolTable {
  const plain = createPlainTable(symbols)
  let dwarf: Dwarf | undefined
  let lacksLines = plain.lacksLines
  try {
    const sections = dwarfSections(section)
    if (sections) {
      dwarf = readDwarf(sections, base)
      lacksLines = undefined
    }
  } catch (error) {
    if (!(error instanceof SymbolError)) throw error
    lacksLines = error.message
  }
  if (!dwarf) {
    if (symbols.length > 0) return { ...plain, lacksLines }
    throw new SymbolError(
      lacksLines === plain.lacksLines ? 'it has no symbol table: it was stripped' : lacksLines!,
    )
  }
  const { lookUp, startOf, bytes } = dwarf
  return {
    lacksLines,
    bytes: plain.bytes + bytes,
    startOf: (address) => startOf(address) ?? plain.startOf(address),
    lookUp(address) {
      const [known] = plain.lookUp(address)
      const places = lookUp(address)
      if (places.length === 0) return known ? [known] : []
      return places.map((place) => ({ ...place, function: place.function ?? known?.function ?? '<unknown>' }))
    },
  }
}
