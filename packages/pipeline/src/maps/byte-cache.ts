/** Keeps what was used last, up to a sum of bytes. */

export type ByteCache<Value> = {
  get(key: string): Value | undefined
  /** What was used longest ago goes; the newest stays even where it is larger than all that may be kept. */
  set(key: string, value: Value, bytes: number): void
  clear(): void
  bytes(): number
}

export function createByteCache<Value>(maxBytes: number): ByteCache<Value> {
  // A map lists its keys in the order in which they were put.
  const entries = new Map<string, { readonly value: Value; readonly bytes: number }>()
  let sum = 0
  const remove = (key: string): void => {
    sum -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  return {
    get(key) {
      const entry = entries.get(key)
      if (entry === undefined) return undefined
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, bytes) {
      remove(key)
      entries.set(key, { value, bytes })
      sum += bytes
      for (const oldest of entries.keys()) {
        if (sum <= maxBytes || oldest === key) break
        remove(oldest)
      }
    },
    clear() {
      entries.clear()
      sum = 0
    },
    bytes: () => sum,
  }
}
