/** Makes anything safe to write as JSON: bounded in depth, breadth and size, never throwing, never calling back twice. */

// A breadcrumb or extra deeper than this is read by nobody; the server cuts at 7.
const MAX_DEPTH = 3
const MAX_KEYS = 100
/** Of one string. The server cuts values at 16 KiB in all. */
export const MAX_CHARS = 4096
// Of one call, so that 100 keys of 100 keys stay small.
const MAX_NODES = 1000

export const cut = (text: string, max = MAX_CHARS): string =>
  text.length > max ? text.slice(0, max - 1) + '…' : text

/** The result shares nothing with `input`, so it may be kept: it holds no DOM node and does not change later. */
export function normalize(input: unknown, maxDepth: number = MAX_DEPTH): unknown {
  const parents: unknown[] = []
  let nodes = 0

  function visit(value: unknown, depth: number): unknown {
    try {
      if (typeof value === 'string') return cut(value)
      if (value == null || typeof value === 'boolean' || Number.isFinite(value)) return value
      if (typeof value !== 'object') return `[${label(value)}]`
      if (value instanceof Node) return `[${describeElement(value)}]`
      if (value instanceof Error) return cut(value.stack || String(value))
      if (parents.includes(value)) return '[Circular]'
      const custom = (value as { toJSON?: unknown }).toJSON
      if (typeof custom === 'function') return visit(custom.call(value), depth)
      if (depth < 1 || ++nodes > MAX_NODES) return `[${label(value)}]`
      parents.push(value)
      const result = children(value, depth)
      parents.pop()
      return result
    } catch {
      return '[Unreadable]'
    }
  }

  function children(value: object, depth: number): unknown {
    if (Array.isArray(value) || value instanceof Set)
      return [...value].slice(0, MAX_KEYS).map((item) => visit(item, depth - 1))
    const entries = value instanceof Map ? [...value] : undefined
    const result: Record<string, unknown> = {}
    for (const key of (entries ?? Object.keys(value)).slice(0, MAX_KEYS)) {
      const [name, get] = Array.isArray(key)
        ? [String(key[0]), () => key[1]]
        : [key, () => (value as Record<string, unknown>)[key]]
      try {
        result[name] = visit(get(), depth - 1)
      } catch {
        result[name] = '[Unreadable]'
      }
    }
    return result
  }
  return visit(input, maxDepth)
}

function label(value: unknown): string {
  return typeof value === 'object'
    ? (value!.constructor?.name ?? 'Object')
    : typeof value === 'function'
      ? `Function: ${value.name || 'anonymous'}`
      : `${typeof value}: ${String(value as bigint)}`
}

/** `main > button#pay.primary[name="pay"]`: what a person needs to find it, and nothing that was typed into it. */
export function describeElement(node: Node | null): string {
  const path: string[] = []
  for (let element = node as Element | null; element && path.length < 5; element = element.parentElement) {
    let part = element.nodeName.toLowerCase()
    if (element.id) part += '#' + element.id
    if (typeof element.className === 'string') part += element.className.trim().replace(/^(?=.)|\s+/g, '.')
    for (const name of ['name', 'type', 'role', 'title', 'alt', 'aria-label']) {
      const text = element.getAttribute?.(name)
      if (text) part += `[${name}="${text}"]`
    }
    path.unshift(part)
  }
  return cut(path.join(' > '), 200)
}
