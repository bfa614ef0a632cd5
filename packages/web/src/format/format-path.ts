/** Names that are too long for their place. CSS cuts at the end; of a path the end is what tells. */

/** Keeps the end of a path: `…/checkout/cart.ts`. At most `max` characters. */
export function shortenPath(path: string, max: number): string {
  if (path.length <= max) return path
  const tail = path.slice(path.length - max + 1)
  const slash = tail.search(/[/\\]/)
  return `…${slash >= 0 && slash < tail.length / 2 ? tail.slice(slash) : tail}`
}
