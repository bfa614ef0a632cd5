/** Forms of attributes: how many bytes each takes, and what it says. Section 7.5.6 of https://dwarfstd.org/doc/DWARF5.pdf */
import { type Cursor, createCursor, textAt } from './cursor.ts'
import type { DwarfSections } from './sections.ts'

export type FormContext = {
  readonly sections: DwarfSections
  readonly version: number
  readonly is64: boolean
  readonly addressSize: number
  readonly strOffsetsBase: number
}

/** Behind which an index into `.debug_addr` stands. */
export const isAddressIndex = (form: number): boolean =>
  form === 0x1b || (form >= 0x29 && form <= 0x2c) || form === 0x1f01

export const DW_FORM_ADDR = 0x01
const DW_FORM_STRING = 0x08
export const DW_FORM_REF_ADDR = 0x10
const DW_FORM_SEC_OFFSET = 0x17
export const DW_FORM_IMPLICIT_CONST = 0x21
export const DW_FORM_RNGLISTX = 0x23

/** References that count from the beginning of their unit. */
export const isUnitReference = (form: number): boolean => form >= 0x11 && form <= 0x15

/** The number, index or offset; of text within the section, where it begins; of blocks 0. Throws `RangeError`. */
export function readForm(cursor: Cursor, form: number, context: FormContext, depth = 0): number {
  switch (form) {
    case DW_FORM_ADDR:
      return cursor.sized(context.addressSize)
    case 0x03:
      return block(cursor, cursor.u16())
    case 0x04:
      return block(cursor, cursor.u32())
    case 0x09:
    case 0x18:
      return block(cursor, cursor.uleb())
    case 0x0a:
      return block(cursor, cursor.u8())
    case 0x1e:
      return block(cursor, 16)
    case 0x05:
    case 0x12:
    case 0x26:
    case 0x2a:
      return cursor.u16()
    case 0x06:
    case 0x13:
    case 0x1c:
    case 0x28:
    case 0x2c:
      return cursor.u32()
    case 0x07:
    case 0x14:
    case 0x20:
    case 0x24:
      return cursor.u64()
    case DW_FORM_STRING: {
      const { at } = cursor
      cursor.skipText()
      return at
    }
    case 0x0b:
    case 0x0c:
    case 0x11:
    case 0x25:
    case 0x29:
      return cursor.u8()
    case 0x0d:
      return cursor.sleb()
    case 0x0f:
    case 0x15:
    case 0x1a:
    case 0x1b:
    case 0x22:
    case DW_FORM_RNGLISTX:
    case 0x1f01:
    case 0x1f02:
      return cursor.uleb()
    case 0x27:
    case 0x2b:
      return cursor.u8() + cursor.u16() * 256
    case 0x0e:
    case DW_FORM_SEC_OFFSET:
    case 0x1d:
    case 0x1f:
    case 0x1f20:
    case 0x1f21:
      return cursor.offset(context.is64)
    case DW_FORM_REF_ADDR:
      return context.version < 3 ? cursor.sized(context.addressSize) : cursor.offset(context.is64)
    case 0x19:
    case DW_FORM_IMPLICIT_CONST:
      return 1
    case 0x16:
      // Form of a form of a form: no compiler writes it.
      if (depth > 0) throw new RangeError('an indirect form')
      return readForm(cursor, cursor.uleb(), context, depth + 1)
    default:
      throw new RangeError(`form ${form}`)
  }
}

function block(cursor: Cursor, bytes: number): number {
  cursor.skip(bytes)
  return 0
}

/** `own`: the section that the attribute stands in. Empty: it is no text, or lies in another file. */
export function stringOf(form: number, value: number, context: FormContext, own: Buffer): string {
  const { sections, is64, strOffsetsBase } = context
  switch (form) {
    case DW_FORM_STRING:
      return textAt(own, value)
    case 0x0e:
      return textAt(sections.str, value)
    case 0x1f:
      return textAt(sections.line_str, value)
    case 0x1a:
    case 0x25:
    case 0x26:
    case 0x27:
    case 0x28:
    case 0x1f02: {
      const at = strOffsetsBase + value * (is64 ? 8 : 4)
      if (!(at + 8 <= sections.str_offsets.length + (is64 ? 0 : 4))) return ''
      return textAt(sections.str, createCursor(sections.str_offsets, at).offset(is64))
    }
    default:
      return ''
  }
}
