/** Which of the rows in the document shows which line, while the lines that are shown change. */

/**
 * Returns the keys of the rows for the lines `from` to `to`, in order. A line that stays keeps its row; a row that leaves on one
 * side is filled anew on the other, which takes less than making one. Where no line stays, no row moves: each is filled anew in
 * its place. Asked again for the same lines it answers the same.
 */
export function createRowKeys(): (from: number, to: number) => readonly number[] {
  let keys: readonly number[] = []
  let firstLine = 0
  let made = 0
  return (from, to) => {
    const kept = keys.filter((_, at) => at + firstLine >= from && at + firstLine < to)
    const free = keys.filter((key) => !kept.includes(key))
    while (kept.length + free.length < to - from) free.push(made++)
    // Nothing is taken for a number below 0.
    const before = free.splice(0, kept.length && firstLine - from)
    keys = [...before, ...kept, ...free].slice(0, to - from)
    firstLine = from
    return keys
  }
}
