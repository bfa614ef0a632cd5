/** Hands out the least first; of equals the one that was pushed first. */
export type Heap<Item> = { push(item: Item): void; pop(): Item | undefined }

export function createHeap<Item>(keyOf: (item: Item) => number): Heap<Item> {
  const items: { key: number; order: number; item: Item }[] = []
  let pushed = 0
  const isBefore = (a: number, b: number): boolean => {
    const [one, other] = [items[a], items[b]]
    if (!one || !other) return false
    return one.key === other.key ? one.order < other.order : one.key < other.key
  }
  const swap = (a: number, b: number): void => {
    const [one, other] = [items[a], items[b]]
    if (!one || !other) return
    items[a] = other
    items[b] = one
  }
  return {
    push(item) {
      items.push({ key: keyOf(item), order: pushed++, item })
      for (let at = items.length - 1; at > 0;) {
        const parent = (at - 1) >> 1
        if (!isBefore(at, parent)) break
        swap(at, parent)
        at = parent
      }
    },
    pop() {
      const [first] = items
      const last = items.pop()
      if (!first || !last || items.length === 0) return first?.item
      items[0] = last
      for (let at = 0; ;) {
        const [left, right] = [2 * at + 1, 2 * at + 2]
        const least = isBefore(right, left) ? right : left
        if (!isBefore(least, at)) break
        swap(at, least)
        at = least
      }
      return first.item
    },
  }
}
