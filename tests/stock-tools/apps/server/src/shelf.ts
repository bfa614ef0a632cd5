const SHELVES = new Map<string, string>([['tea', 'A4']])

/** Where a thing lies in the store. */
export function shelfOf(sku: string): string {
  const shelf = SHELVES.get(sku)
  if (shelf === undefined) {
    throw new Error(`no shelf holds ${sku}`)
  }
  return shelf
}
