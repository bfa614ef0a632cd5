/** Text that every store takes: no NUL, no half of a surrogate pair. */
export function cleanText(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '') : whole
}

/** `cleanText` for every key and value; drops `__proto__` keys. Depth is bounded by the parser. */
export function cleanJson(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(cleanJson)
  const out: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) {
    const name = cleanText(key)
    if (name !== '__proto__') out[name] = cleanJson(inner)
  }
  return out
}
