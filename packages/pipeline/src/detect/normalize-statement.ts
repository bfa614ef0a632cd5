/** A statement without its values: what two calls of the same query have in common. One pass, bounded. */

// Longer ones differ in lists of values, as a rule.
const MAX_READ = 4096
const MAX_KEPT = 1000

const isSpace = (code: number): boolean => code <= 32
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isWord = (code: number): boolean =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || code > 127

/** Texts, numbers and placeholders become `?`, lists of them one `?`, spaces one space. */
export function normalizeStatement(statement: string): string {
  const text = statement.slice(0, MAX_READ)
  let out = ''
  let at = 0
  const value = (): void => {
    // `?, ?` is one list.
    if (out.endsWith('?, ')) out = out.slice(0, -2)
    else if (out.endsWith('?,')) out = out.slice(0, -1)
    else out += '?'
  }
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const char = text.charAt(at)
    if (isSpace(code)) {
      if (out !== '' && !out.endsWith(' ')) out += ' '
      at++
    } else if (char === "'") {
      at = afterText(text, at)
      value()
    } else if (
      char === '?' ||
      isDigit(code) ||
      ((char === '$' || char === ':') && isDigit(text.charCodeAt(at + 1)))
    ) {
      at++
      while (at < text.length && (isWord(text.charCodeAt(at)) || text.charAt(at) === '.')) at++
      value()
    } else if (char === '%' && text.charAt(at + 1) === 's') {
      at += 2
      value()
    } else if (isWord(code)) {
      const from = at
      while (at < text.length && isWord(text.charCodeAt(at))) at++
      out += text.slice(from, at)
    } else {
      out += char
      at++
    }
  }
  return out.trim().slice(0, MAX_KEPT)
}

/** Behind the quote that ends it; a doubled quote and one behind a backslash end nothing. */
function afterText(text: string, from: number): number {
  let at = from + 1
  while (at < text.length) {
    if (text.charAt(at) === '\\') at += 2
    else if (text.charAt(at) !== "'") at++
    else if (text.charAt(at + 1) === "'") at += 2
    else return at + 1
  }
  return text.length
}

/** An address without its query, numbers and long ids of its path as `*`. */
export function normalizeAddress(name: string): string {
  const text = name.slice(0, MAX_READ)
  const query = text.search(/[?#]/)
  const path = query < 0 ? text : text.slice(0, query)
  return path.split('/').map(withoutId).join('/').slice(0, MAX_KEPT)
}

const withoutId = (part: string): string => {
  if (part.length >= 16 && /^[0-9a-fA-F-]+$/.test(part)) return '*'
  return part !== '' && /^[0-9]+$/.test(part) ? '*' : part
}
