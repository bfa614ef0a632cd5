/** Which statuses are right: `200-299, 301`. */
const MAX_PARTS = 20

type Range = readonly [from: number, to: number]

/** Undefined: this is no list of statuses. */
export function readStatuses(text: string): readonly Range[] | undefined {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length > MAX_PARTS) return undefined
  const ranges: Range[] = []
  for (const part of parts) {
    const [from = '', to = from, ...more] = part.split('-').map((end) => end.trim())
    if (more.length > 0 || !/^\d{3}$/.test(from) || !/^\d{3}$/.test(to)) return undefined
    const range: Range = [Number(from), Number(to)]
    if (range[0] < 100 || range[1] > 599 || range[0] > range[1]) return undefined
    ranges.push(range)
  }
  return ranges
}

export const isExpectedStatus = (text: string, status: number): boolean =>
  (readStatuses(text) ?? []).some(([from, to]) => status >= from && status <= to)
