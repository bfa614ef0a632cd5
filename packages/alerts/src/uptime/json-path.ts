/**
 * A place in a JSON document: `data.items[0].state`, or `["a key.with dots"]`. Own members alone, no wildcards: what a check
 * compares is one value.
 */
const MAX_STEPS = 20

/** Undefined: this is no such path. Linear in its length. */
export function readJsonPath(text: string): readonly (string | number)[] | undefined {
  const steps: (string | number)[] = []
  let at = text.startsWith('$') ? 1 : 0
  while (at < text.length) {
    if (steps.length >= MAX_STEPS) return undefined
    if (text[at] === '[') {
      const isKey = text[at + 1] === '"'
      const end = text.indexOf(isKey ? '"]' : ']', at + (isKey ? 2 : 1))
      if (end < 0) return undefined
      const inside = text.slice(at + (isKey ? 2 : 1), end)
      if (!isKey && !/^\d{1,9}$/.test(inside)) return undefined
      steps.push(isKey ? inside : Number(inside))
      at = end + (isKey ? 2 : 1)
      continue
    }
    if (text[at] === '.') at++
    else if (steps.length > 0 || at > 0) return undefined
    let end = at
    while (end < text.length && text[end] !== '.' && text[end] !== '[') end++
    if (end === at) return undefined
    steps.push(text.slice(at, end))
    at = end
  }
  return steps.length === 0 ? undefined : steps
}

/** Undefined: nothing is there. */
export function valueAt(document: unknown, path: readonly (string | number)[]): unknown {
  let value = document
  for (const step of path) {
    if (typeof step === 'number' ? !Array.isArray(value) : typeof value !== 'object' || value === null)
      return undefined
    if (!Object.hasOwn(value as object, step)) return undefined
    value = (value as Record<string | number, unknown>)[step]
  }
  return value
}

/** As people write a value: texts as they are, everything else as JSON. */
export const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
