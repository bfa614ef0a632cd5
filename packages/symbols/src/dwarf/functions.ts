/** Functions and inlined calls of `.debug_info`: where they lie, what they are called, from which line they were called. */
import { createCursor, spend, type Work } from './cursor.ts'
import { DW_FORM_REF_ADDR, isUnitReference, stringOf } from './forms.ts'
import { rangesOf } from './ranges.ts'
import { AT, type Attributes, readAttributes, skipAttributes, type Unit } from './units.ts'

export type FunctionSink = {
  /** A number for what follows; `origin`: of the entry that it is called by. */
  func(ranges: readonly number[], origin: number): number
  inlined(call: InlinedCall): void
}
export type InlinedCall = {
  readonly func: number
  /** 0: it stands in the function itself. */
  readonly depth: number
  readonly ranges: readonly number[]
  readonly origin: number
  /** Number in the unit's line program. */
  readonly callFile: number
  readonly callLine: number
}

const TAG_SUBPROGRAM = 0x2e
const TAG_INLINED = 0x1d
const MAX_DEPTH = 1_000
const MAX_HOPS = 8
const OF_FUNCTIONS: ReadonlySet<number> = new Set([
  AT.lowPc,
  AT.highPc,
  AT.ranges,
  AT.callFile,
  AT.callLine,
  AT.abstractOrigin,
])
const NONE: Attributes = new Map()

/** Throws `RangeError` where the unit is broken; what was found before counts. */
export function readFunctions(unit: Unit, sink: FunctionSink, work: Work): void {
  const { info } = unit.sections
  const cursor = createCursor(info, unit.first)
  // Of the entries that the cursor stands within: their function and how deep it was inlined.
  const within: { readonly func: number; readonly depth: number }[] = []
  while (cursor.at < unit.end) {
    spend(work)
    const origin = cursor.at
    const code = cursor.uleb()
    if (code === 0) {
      within.pop()
      if (within.length === 0) return
      continue
    }
    const shape = unit.shapes.get(code)
    if (!shape) throw new RangeError('an entry of no known shape')
    const isFunction = shape.tag === TAG_SUBPROGRAM
    const isInlined = shape.tag === TAG_INLINED
    const attributes =
      isFunction || isInlined ? readAttributes(cursor, shape, unit, work, OF_FUNCTIONS) : NONE
    if (attributes === NONE) skipAttributes(cursor, shape, unit, work)
    let place = within.at(-1) ?? { func: -1, depth: 0 }
    if (isFunction) {
      const ranges = rangesOf(attributes, unit, work)
      place = { func: ranges.length > 0 ? sink.func(ranges, origin) : -1, depth: 0 }
    } else if (isInlined && place.func !== -1) {
      const { func, depth } = place
      const ranges = rangesOf(attributes, unit, work)
      const called = referenceOf(attributes, AT.abstractOrigin, unit) ?? origin
      const [callFile, callLine] = [
        attributes.get(AT.callFile)?.[1] ?? 0,
        attributes.get(AT.callLine)?.[1] ?? 0,
      ]
      if (ranges.length > 0) sink.inlined({ func, depth, ranges, origin: called, callFile, callLine })
      place = { func, depth: depth + 1 }
    }
    if (shape.hasChildren) {
      if (within.length >= MAX_DEPTH) throw new RangeError('entries within entries without end')
      within.push(place)
    } else if (within.length === 0) return
  }
}

const OF_NAMES: ReadonlySet<number> = new Set([
  AT.name,
  AT.linkageName,
  AT.mipsLinkageName,
  AT.specification,
  AT.abstractOrigin,
])

/** As the linker knows it, else as the source writes it, looked for where the entry points at. `units` ascend. */
export function nameOf(units: readonly Unit[], entry: number, work: Work): string | undefined {
  let at: number | undefined = entry
  let plain: string | undefined
  for (let hops = 0; at !== undefined && hops < MAX_HOPS; hops++) {
    const unit = unitAt(units, at)
    if (!unit) break
    const cursor = createCursor(unit.sections.info, at)
    const shape = unit.shapes.get(cursor.uleb())
    if (!shape) break
    const attributes = readAttributes(cursor, shape, unit, work, OF_NAMES)
    const text = (name: number): string | undefined => {
      const found = attributes.get(name)
      const value = found && stringOf(found[0], found[1], unit, unit.sections.info)
      return value === '' ? undefined : value
    }
    const linked = text(AT.linkageName) ?? text(AT.mipsLinkageName)
    if (linked !== undefined) return linked
    plain ??= text(AT.name)
    at = referenceOf(attributes, AT.specification, unit) ?? referenceOf(attributes, AT.abstractOrigin, unit)
  }
  return plain
}

function referenceOf(attributes: Attributes, name: number, unit: Unit): number | undefined {
  const found = attributes.get(name)
  if (!found) return undefined
  const [form, value] = found
  if (form === DW_FORM_REF_ADDR) return value
  return isUnitReference(form) ? unit.start + value : undefined
}

function unitAt(units: readonly Unit[], offset: number): Unit | undefined {
  let low = 0
  let high = units.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (units[middle]!.start <= offset) low = middle + 1
    else high = middle
  }
  const found = units[low - 1]
  return found && offset >= found.first && offset < found.end ? found : undefined
}
