/** DWARF of a file → the functions, inlined calls and lines at an address. Read as a whole, so that asking is cheap and cannot fail. */
import type { SymbolPlace } from '../symbol-table.ts'
import { createCalls } from './call-index.ts'
import { MAX_WORK, type Work } from './cursor.ts'
import { nameOf, readFunctions } from './functions.ts'
import { createLines } from './line-index.ts'
import { readLineProgram } from './line-program.ts'
import type { DwarfSections } from './sections.ts'
import { readUnits } from './units.ts'

export type Dwarf = {
  /**
   * `address`: relative to where the image begins. The innermost inlined call first; the last one has no `function` where
   * lines alone are known. Empty: nothing is.
   */
  lookUp(address: number): readonly DwarfPlace[]
  startOf(address: number): number | undefined
  readonly bytes: number
}
export type DwarfPlace = Omit<SymbolPlace, 'function'> & { readonly function: string | undefined }

/** `base`: what addresses in the file count from. Throws `SymbolError`. */
export function readDwarf(sections: DwarfSections, base: number): Dwarf {
  const work: Work = { left: MAX_WORK }
  const lines = createLines(base)
  const calls = createCalls(base)
  const units = readUnits(sections, work)
  // Units share programs; a file of a library that was linked many times has thousands.
  const programs = new Map<number, readonly number[]>()
  for (const unit of units) {
    let files: readonly number[] | undefined
    if (unit.lineOffset !== undefined) {
      files = programs.get(unit.lineOffset)
      if (!files) {
        files = attempt(() => readLineProgram(sections, unit.lineOffset!, unit, lines.sink, work)) ?? []
        lines.sink.endSequence(0)
        programs.set(unit.lineOffset, files)
      }
    }
    attempt(() =>
      readFunctions(
        unit,
        {
          func: calls.func,
          inlined: (call) => calls.inlined(call, files?.[call.callFile] ?? lines.sink.file('')),
        },
        work,
      ),
    )
  }
  const lineAt = lines.done()
  const callsAt = calls.done((entry) => attempt(() => nameOf(units, entry, work)))
  return {
    bytes: lineAt.bytes + callsAt.bytes,
    startOf: (address) => callsAt.find(address)?.start,
    lookUp(address) {
      let at = lineAt.find(address)
      const found = callsAt.find(address)
      if (!found)
        return at.line === undefined && at.file === undefined ? [] : [{ function: undefined, ...at }]
      const places: DwarfPlace[] = []
      for (const { name, file, line } of found.inlined) {
        places.push({ function: name, ...at })
        at = { file: lineAt.path(file), line: line || undefined }
      }
      places.push({ function: found.name, ...at })
      return places
    },
  }
}

/** Undefined: that part is broken. */
function attempt<Result>(read: () => Result): Result | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
