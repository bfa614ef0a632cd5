/** Shapes of entries: their tag, whether others stand within, their attributes and forms. Section 7.5.3 of DWARF 5. */
import { createCursor, spend, type Work } from './cursor.ts'
import { DW_FORM_IMPLICIT_CONST } from './forms.ts'

export type Shape = {
  readonly tag: number
  readonly hasChildren: boolean
  /** Three for each: attribute, form, the value where it stands here. */
  readonly attributes: readonly number[]
}
export type Shapes = ReadonlyMap<number, Shape>

/** Throws `RangeError`. */
export function readShapes(section: Buffer, offset: number, work: Work): Shapes {
  const shapes = new Map<number, Shape>()
  const cursor = createCursor(section, offset)
  for (let code = cursor.uleb(); code !== 0; code = cursor.uleb()) {
    const tag = cursor.uleb()
    const hasChildren = cursor.u8() !== 0
    const attributes: number[] = []
    for (;;) {
      spend(work)
      const [name, form] = [cursor.uleb(), cursor.uleb()]
      const value = form === DW_FORM_IMPLICIT_CONST ? cursor.sleb() : 0
      if (name === 0 && form === 0) break
      attributes.push(name, form, value)
    }
    shapes.set(code, { tag, hasChildren, attributes })
  }
  return shapes
}
