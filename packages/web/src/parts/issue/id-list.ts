/** Ids as a short text: what an undo carries through the page. Runs of neighbours and small steps cost little. */

/** `3,4,5,9` → `3-2.4`: steps from the id before in base 36, `-` and how many follow without a gap. */
export function writeIds(ids: readonly number[]): string {
  const sorted = [...new Set(ids)].toSorted((a, b) => a - b)
  const parts: string[] = []
  let last = 0
  for (let index = 0; index < sorted.length;) {
    const start = sorted[index] ?? 0
    let run = 0
    while (sorted[index + run + 1] === start + run + 1) run++
    parts.push((start - last).toString(36) + (run === 0 ? '' : `-${run.toString(36)}`))
    last = start + run
    index += run + 1
  }
  return parts.join('.')
}

/** Undefined for text that `writeIds` did not write, and for more ids than `max`. */
export function readIds(text: string, max: number): number[] | undefined {
  const ids: number[] = []
  let last = 0
  for (const part of text === '' ? [] : text.split('.')) {
    const match = /^([0-9a-z]{1,10})(?:-([0-9a-z]{1,5}))?$/.exec(part)
    if (!match) return undefined
    const start = last + Number.parseInt(match[1] ?? '', 36)
    const run = match[2] === undefined ? 0 : Number.parseInt(match[2], 36)
    if (start <= last || !Number.isSafeInteger(start) || ids.length + run + 1 > max) return undefined
    for (let id = start; id <= start + run; id++) ids.push(id)
    last = start + run
  }
  return ids
}
