/**
 * Second try for a text that `JSON.parse` refused. Outside strings `NaN`, `Infinity` and `-Infinity` (Python's
 * `json.dumps` writes them) become text; inside strings raw control characters are escaped. Linear in the length.
 */
const LITERALS = ['-Infinity', 'Infinity', 'NaN']

export function repairJson(text: string): string {
  const out: string[] = []
  let from = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === 0x5c) at++
      else if (code === 0x22) inString = false
      else if (code < 0x20) {
        out.push(text.slice(from, at), escapeControl(code))
        from = at + 1
      }
    } else if (code === 0x22) inString = true
    else if (code === 0x4e || code === 0x49 || code === 0x2d) {
      const literal = LITERALS.find((word) => text.startsWith(word, at))
      if (literal === undefined) continue
      out.push(text.slice(from, at), `"${literal}"`)
      at += literal.length - 1
      from = at + 1
    } else if (code === 0) {
      out.push(text.slice(from, at))
      from = at + 1
    }
  }
  out.push(text.slice(from))
  return out.join('')
}

function escapeControl(code: number): string {
  return code === 0 ? '' : `\\u${code.toString(16).padStart(4, '0')}`
}
