/** Makes anything safe to write as JSON: bounded in depth, breadth and size, and it never throws. */

// Deeper values are read by nobody; the server cuts at 7.
const MAX_DEPTH = 3
const MAX_KEYS = 100
/** Of one string. The server cuts values at 16 KiB in all. */
const MAX_CHARS = 4096
// Of one call, so that 100 keys of 100 keys stay small.
const MAX_NODES = 1000

export const cut = (text: string): string => (text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) + '…' : text)

/** The result shares nothing with `input`, so it may be kept: it holds no DOM node and does not change later. */
export function normalize(input: unknown, maxDepth: number = MAX_DEPTH): unknown {
  const parents: unknown[] = []
  let nodes = 0

  /** `read` is called in here, because getters and proxies may throw. */
  function visit(read: () => unknown, depth: number): unknown {
    try {
      let value = read() as { toJSON?: () => unknown; constructor: { name?: string } } | null | undefined
      if (value instanceof Node)
        return value.nodeName.toLowerCase() + ((value as Element).id ? '#' + (value as Element).id : '')
      if (typeof value?.toJSON === 'function') value = value.toJSON() as typeof value
      if (typeof value === 'function') return `[function ${(value as { name: string }).name}]`
      if (value instanceof Error) return cut(String(value))
      if (typeof value !== 'object' || !value)
        return value === undefined || value === null || typeof value === 'boolean' || Number.isFinite(value)
          ? value
          : cut(String(value))
      if (parents.includes(value)) return '[circular]'
      if (depth < 1 || ++nodes > MAX_NODES) return `[${value.constructor?.name}]`
      parents.push(value)
      const result = children(value, depth - 1)
      parents.pop()
      return result
    } catch {
      return '[unreadable]'
    }
  }

  function children(value: object, depth: number): unknown {
    const list = value instanceof Map || value instanceof Set ? [...value] : value
    if (Array.isArray(list)) return list.slice(0, MAX_KEYS).map((item) => visit(() => item, depth))
    const result: Record<string, unknown> = {}
    for (const key of Object.keys(list).slice(0, MAX_KEYS))
      result[key] = visit(() => (list as Record<string, unknown>)[key], depth)
    return result
  }
  return visit(() => input, maxDepth)
}
