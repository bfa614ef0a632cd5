/** Where the code of an entry lies: one piece, or a list of them. Sections 2.17.3 and 7.25 of DWARF 5, 2.17.3 of DWARF 4. */
import { createCursor, spend, type Work } from './cursor.ts'
import { DW_FORM_ADDR, DW_FORM_RNGLISTX, isAddressIndex } from './forms.ts'
import { addressAt, addressOf, AT, type Attributes, type Unit } from './units.ts'

const MAX_RANGES = 10_000

/** Pairs of start and end (exclusive); empty: it has no code. What lies at 0 was thrown away by the linker. */
export function rangesOf(attributes: Attributes, unit: Unit, work: Work): readonly number[] {
  const low = attributes.get(AT.lowPc)
  const high = attributes.get(AT.highPc)
  const list = attributes.get(AT.ranges)
  const found: number[] = []
  const add = (start: number | undefined, end: number | undefined): void => {
    if (start !== undefined && end !== undefined && start > 0 && start < end && found.length < 2 * MAX_RANGES)
      found.push(start, end)
  }
  if (low && high) {
    const start = addressOf(unit, low)
    const isAddress = high[0] === DW_FORM_ADDR || isAddressIndex(high[0])
    const end = isAddress ? addressOf(unit, high) : start === undefined ? undefined : start + high[1]
    add(start, end)
  } else if (list) {
    if (unit.version >= 5) readRnglist(unit, list, add, work)
    else readRanges(unit, list[1], add, work)
  }
  return found
}

type Add = (start: number | undefined, end: number | undefined) => void

function readRanges({ sections, addressSize, lowPc }: Unit, offset: number, add: Add, work: Work): void {
  const cursor = createCursor(sections.ranges, offset)
  const newBase = addressSize === 8 ? 2 ** 64 : 2 ** 32 - 1
  let base = lowPc
  for (;;) {
    spend(work)
    const [start, end] = [cursor.sized(addressSize), cursor.sized(addressSize)]
    if (start === 0 && end === 0) return
    if (start >= newBase) base = end
    else add(base + start, base + end)
  }
}

function readRnglist(unit: Unit, [form, value]: readonly [number, number], add: Add, work: Work): void {
  const { sections, addressSize, addrBase, rnglistsBase, is64 } = unit
  const width = is64 ? 8 : 4
  const at =
    form === DW_FORM_RNGLISTX
      ? rnglistsBase + createCursor(sections.rnglists, rnglistsBase + value * width).offset(is64)
      : value
  const cursor = createCursor(sections.rnglists, at)
  const indexed = (): number | undefined => addressAt(sections.addr, addrBase, addressSize, cursor.uleb())
  const plus = (start: number | undefined, by: number): number | undefined =>
    start === undefined ? undefined : start + by
  let base = unit.lowPc
  for (;;) {
    spend(work)
    switch (cursor.u8()) {
      case 0:
        return
      case 1:
        base = indexed() ?? 0
        break
      case 2:
        add(indexed(), indexed())
        break
      case 3: {
        const start = indexed()
        add(start, plus(start, cursor.uleb()))
        break
      }
      case 4:
        add(base + cursor.uleb(), base + cursor.uleb())
        break
      case 5:
        base = cursor.sized(addressSize)
        break
      case 6:
        add(cursor.sized(addressSize), cursor.sized(addressSize))
        break
      case 7: {
        const start = cursor.sized(addressSize)
        add(start, start + cursor.uleb())
        break
      }
      default:
        throw new RangeError('a range of a kind that is not known')
    }
  }
}
