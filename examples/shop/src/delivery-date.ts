/** On purpose: searches days one by one, far too long and on the main thread. What a slow interaction looks like. */
const SEARCH_MS = 240

export function deliveryDate(count: number): string {
  const endMs = performance.now() + SEARCH_MS
  let day = 0
  while (performance.now() < endMs) day = (day * 31 + count) % 7
  return day > 3 ? 'on Friday' : 'in three days'
}
