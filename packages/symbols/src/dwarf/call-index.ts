/** Functions and inlined calls of a whole file by address, gathered while its units are read. */
import { createColumn, lastOverlapping } from './columns.ts'
import type { InlinedCall } from './functions.ts'

/** Images are smaller. */
const MAX_ADDRESS = 0xffffffff
const MAX_FUNCTIONS = 1_000_000
const MAX_INLINED = 2_000_000
/** Of one function, all of which are asked for each address. */
const MAX_INLINED_IN = 10_000

type Called = { readonly name: string; readonly file: number; readonly line: number }

/** `base`: what addresses in the file count from. */
export function createCalls(base: number) {
  const [starts, ends, ids] = [createColumn(), createColumn(), createColumn()]
  const origins: number[] = []
  const counts = createColumn()
  // For each: function, depth, start, end, origin, file and line of the call.
  const inlined = Array.from({ length: 7 }, createColumn)
  const isWithin = (start: number, end: number): boolean => start >= 0 && end <= MAX_ADDRESS
  return {
    func(ranges: readonly number[], origin: number): number {
      if (origins.length >= MAX_FUNCTIONS) return -1
      const id = origins.push(origin) - 1
      counts.push(0)
      for (let at = 0; at < ranges.length; at += 2) {
        const [start, end] = [ranges[at]! - base, ranges[at + 1]! - base]
        if (!isWithin(start, end) || starts.length >= MAX_FUNCTIONS) continue
        starts.push(start)
        ends.push(end)
        ids.push(id)
      }
      return id
    },
    inlined({ func, depth, ranges, origin, callLine }: InlinedCall, file: number): void {
      for (let at = 0; at < ranges.length; at += 2) {
        const [start, end] = [ranges[at]! - base, ranges[at + 1]! - base]
        if (!isWithin(start, end) || inlined[0]!.length >= MAX_INLINED) continue
        const count = counts.get(func)
        if (count >= MAX_INLINED_IN) return
        counts.set(func, count + 1)
        const line = callLine < 2 ** 31 ? callLine : 0
        ;[func, depth, start, end, origin, file, line].forEach((value, column) =>
          inlined[column]!.push(value),
        )
      }
    },
    done(nameAt: (entry: number) => string | undefined) {
      const order = Uint32Array.from({ length: starts.length }, (_, at) => at).sort(
        (a, b) => starts.get(a) - starts.get(b),
      )
      const sorted = order.map((at) => starts.get(at))
      const [of, depths, from, to, entries, files, lines] = inlined.map((column) => column.done()) as [
        Uint32Array,
        Uint32Array,
        Uint32Array,
        Uint32Array,
        Uint32Array,
        Uint32Array,
        Uint32Array,
      ]
      const firsts = new Uint32Array(origins.length + 1)
      for (let id = 0; id < origins.length; id++) firsts[id + 1] = firsts[id]! + counts.get(id)
      const next = firsts.slice()
      const byFunction = new Uint32Array(of.length)
      of.forEach((id, at) => (byFunction[next[id]!++] = at))
      let nameBytes = 0
      const names = new Map<number, string>()
      const name = (entry: number): void => {
        if (names.has(entry)) return
        const found = nameAt(entry) ?? '<unknown>'
        nameBytes += 100 + found.length
        names.set(entry, found)
      }
      for (const entry of origins) name(entry)
      for (const entry of entries) name(entry)
      return {
        bytes: starts.length * 20 + origins.length * 20 + of.length * 32 + nameBytes,
        find(address: number) {
          const found = lastOverlapping(sorted, address, (at) => ends.get(order[at]!))
          if (found === -1) return undefined
          const id = ids.get(order[found]!)
          const chain: Called[] = []
          for (let at = firsts[id]!; at < firsts[id + 1]!; at++) {
            const call = byFunction[at]!
            if (from[call]! <= address && address < to[call]!)
              chain[depths[call]!] = {
                name: names.get(entries[call]!) ?? '<unknown>',
                file: files[call]!,
                line: lines[call]!,
              }
          }
          return {
            start: sorted[found]!,
            name: names.get(origins[id]!) ?? '<unknown>',
            inlined: chain.filter((call) => call !== undefined).toReversed(),
          }
        },
      }
    },
  }
}
