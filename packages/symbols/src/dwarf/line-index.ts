/** Lines of a whole file by address, gathered while its line programs run. */
import { createColumn, lastIn, lastOverlapping } from './columns.ts'
import type { LineSink } from './line-program.ts'

/** Images are smaller. */
const MAX_ADDRESS = 0xffffffff
const MAX_ROWS = 8_000_000

type Line = { readonly file: string | undefined; readonly line: number | undefined }

/** `base`: what addresses in the file count from. */
export function createLines(base: number) {
  const [addresses, files, numbers] = [createColumn(), createColumn(), createColumn()]
  const sequences: {
    readonly start: number
    readonly end: number
    readonly from: number
    readonly to: number
  }[] = []
  const paths: string[] = ['']
  const ids = new Map<string, number>([['', 0]])
  let from = 0
  let pathBytes = 0
  const drop = (): void => {
    // What a column holds beyond `from` is written over.
    kept = from
  }
  let kept = 0
  const put = (at: number, address: number, file: number, line: number): void => {
    if (at < addresses.length) {
      addresses.set(at, address)
      files.set(at, file)
      numbers.set(at, line)
    } else {
      addresses.push(address)
      files.push(file)
      numbers.push(line)
    }
  }
  let isBroken = false
  const sink: LineSink = {
    file(path) {
      const known = ids.get(path)
      if (known !== undefined) return known
      ids.set(path, paths.length)
      pathBytes += 200 + path.length * 2
      return paths.push(path) - 1
    },
    row(absolute, file, line) {
      const address = absolute - base
      // The linker threw the function away, and left its lines at 0.
      if (kept === from && absolute === 0) isBroken = true
      if (isBroken || !(address >= 0 && address < MAX_ADDRESS) || kept >= MAX_ROWS) return
      const number = line > 0 && line < 2 ** 31 ? line : 0
      const last = kept - 1
      if (kept > from && addresses.get(last) === address) put(last, address, file, number)
      else if (kept === from || files.get(last) !== file || numbers.get(last) !== number)
        put(kept++, address, file, number)
    },
    endSequence(absolute) {
      const end = absolute - base
      if (!isBroken && kept > from && addresses.get(from) < end && end <= MAX_ADDRESS) {
        sequences.push({ start: addresses.get(from), end, from, to: kept })
        from = kept
      } else drop()
      isBroken = false
    },
  }
  return {
    sink,
    done() {
      sequences.sort((a, b) => a.start - b.start)
      const starts = Uint32Array.from(sequences, ({ start }) => start)
      const [at, file, number] = [addresses.done(), files.done(), numbers.done()]
      return {
        bytes: at.byteLength * 3 + sequences.length * 80 + pathBytes,
        path: (id: number): string | undefined => paths[id] || undefined,
        find(address: number): Line {
          const none = { file: undefined, line: undefined }
          const sequence = lastOverlapping(starts, address, (each) => sequences[each]!.end)
          if (sequence === -1) return none
          const { from: first, to } = sequences[sequence]!
          const row = lastIn(at, address, first, to)
          if (row < first) return none
          return { file: paths[file[row]!] || undefined, line: number[row] || undefined }
        },
      }
    },
  }
}
