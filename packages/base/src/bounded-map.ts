/** A memory with an end: what was set longest ago goes first. For caches whose keys a stranger may invent. */
export type BoundedMap<Key, Value> = {
  get(key: Key): Value | undefined
  /** Setting a key again makes it the youngest. */
  set(key: Key, value: Value): void
  clear(): void
}

export function createBoundedMap<Key, Value>(maxEntries: number): BoundedMap<Key, Value> {
  const entries = new Map<Key, Value>()
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key) // so that `set` moves it to the end: Map order is eviction order
      entries.set(key, value)
      const oldest = entries.keys().next()
      if (entries.size > maxEntries && !oldest.done) entries.delete(oldest.value)
    },
    clear: () => entries.clear(),
  }
}
