/** Units of `.debug_info`: their headers and first entries, and how an entry of them is read. Section 7.5.1 of DWARF 5. */
import { readShapes, type Shape, type Shapes } from './abbreviations.ts'
import { createCursor, type Cursor, readLength, spend, type Work } from './cursor.ts'
import { type FormContext, isAddressIndex, DW_FORM_IMPLICIT_CONST, readForm, stringOf } from './forms.ts'
import type { DwarfSections } from './sections.ts'

export type Unit = FormContext & {
  /** Where its header begins in `.debug_info`, its first entry, and what follows it. */
  readonly start: number
  readonly first: number
  readonly end: number
  readonly shapes: Shapes
  readonly addrBase: number
  readonly rnglistsBase: number
  readonly lowPc: number
  /** Undefined: it has no line program. */
  readonly lineOffset: number | undefined
  readonly directory: string
  readonly name: string
}

export const AT = {
  name: 0x03,
  stmtList: 0x10,
  lowPc: 0x11,
  highPc: 0x12,
  compDir: 0x1b,
  abstractOrigin: 0x31,
  specification: 0x47,
  ranges: 0x55,
  callFile: 0x58,
  callLine: 0x59,
  linkageName: 0x6e,
  strOffsetsBase: 0x72,
  addrBase: 0x73,
  rnglistsBase: 0x74,
  mipsLinkageName: 0x2007,
  gnuAddrBase: 0x2133,
} as const

const UT_TYPE = 2
const UT_SKELETON = 4
const UT_SPLIT_COMPILE = 5
const UT_SPLIT_TYPE = 6
const MAX_UNITS = 500_000

/** Attributes of one entry: form and value by attribute. */
export type Attributes = ReadonlyMap<number, readonly [form: number, value: number]>

/** `wanted` undefined: all of them. */
export function readAttributes(
  cursor: Cursor,
  { attributes }: Shape,
  context: FormContext,
  work: Work,
  wanted?: ReadonlySet<number>,
): Attributes {
  const found = new Map<number, readonly [number, number]>()
  for (let at = 0; at < attributes.length; at += 3) {
    spend(work)
    const [name, form] = [attributes[at]!, attributes[at + 1]!]
    const value = form === DW_FORM_IMPLICIT_CONST ? attributes[at + 2]! : readForm(cursor, form, context)
    if (!wanted || wanted.has(name)) found.set(name, [form, value])
  }
  return found
}

export function skipAttributes(
  cursor: Cursor,
  { attributes }: Shape,
  context: FormContext,
  work: Work,
): void {
  spend(work, attributes.length / 3)
  for (let at = 1; at < attributes.length; at += 3)
    if (attributes[at] !== DW_FORM_IMPLICIT_CONST) readForm(cursor, attributes[at]!, context)
}

/** Units that hold code, in their order. One that cannot be read ends the list where nothing tells how long it is. */
export function readUnits(sections: DwarfSections, work: Work): readonly Unit[] {
  const units: Unit[] = []
  const shapes = new Map<number, Shapes>()
  const { info } = sections
  for (let at = 0; at + 11 <= info.length && units.length < MAX_UNITS;) {
    spend(work)
    let end: number
    try {
      ;({ end } = readLength(createCursor(info, at)))
    } catch {
      break
    }
    try {
      const unit = readUnit(sections, at, shapes, work)
      if (unit) units.push(unit)
    } catch (error) {
      // One unit of a kind that is not known is no reason to know nothing of the others.
      if (!(error instanceof RangeError)) throw error
    }
    at = end
  }
  return units
}

function readUnit(
  sections: DwarfSections,
  start: number,
  known: Map<number, Shapes>,
  work: Work,
): Unit | undefined {
  const cursor = createCursor(sections.info, start)
  const { end, is64 } = readLength(cursor)
  const version = cursor.u16()
  if (version < 2 || version > 5) return undefined
  const type = version >= 5 ? cursor.u8() : 1
  const early = version >= 5 ? cursor.u8() : 0
  const shapesAt = cursor.offset(is64)
  const addressSize = version >= 5 ? early : cursor.u8()
  if (addressSize !== 4 && addressSize !== 8) return undefined
  if (type === UT_TYPE || type === UT_SPLIT_TYPE) return undefined
  if (type === UT_SKELETON || type === UT_SPLIT_COMPILE) cursor.skip(8)
  let shapes = known.get(shapesAt)
  if (!shapes) known.set(shapesAt, (shapes = readShapes(sections.abbrev, shapesAt, work)))
  const first = cursor.at
  const shape = shapes.get(cursor.uleb())
  if (!shape) return undefined
  const context = { sections, version, is64, addressSize, strOffsetsBase: 0 }
  const root = readAttributes(cursor, shape, context, work)
  const number = (...names: readonly number[]): number | undefined => {
    for (const name of names) {
      const found = root.get(name)
      if (found) return found[1]
    }
    return undefined
  }
  // Without them the tables begin behind their headers, as in split files.
  const header = is64 ? 16 : 8
  const withBases = {
    ...context,
    strOffsetsBase: number(AT.strOffsetsBase) ?? (version >= 5 ? header : 0),
    addrBase: number(AT.addrBase, AT.gnuAddrBase) ?? header,
    rnglistsBase: number(AT.rnglistsBase) ?? 0,
  }
  const text = (name: number): string => {
    const found = root.get(name)
    return found ? stringOf(found[0], found[1], withBases, sections.info) : ''
  }
  const low = root.get(AT.lowPc)
  return {
    ...withBases,
    start,
    first,
    end,
    shapes,
    lowPc: low ? (addressOf(withBases, low) ?? 0) : 0,
    lineOffset: number(AT.stmtList),
    directory: text(AT.compDir),
    name: text(AT.name),
  }
}

/** Undefined: it stands in a table that the file does not have. */
export function addressOf(
  { sections, addressSize, addrBase }: FormContext & { readonly addrBase: number },
  [form, value]: readonly [form: number, value: number],
): number | undefined {
  return isAddressIndex(form) ? addressAt(sections.addr, addrBase, addressSize, value) : value
}

export function addressAt(table: Buffer, base: number, size: number, index: number): number | undefined {
  const at = base + index * size
  return at + size <= table.length ? createCursor(table, at).sized(size) : undefined
}
