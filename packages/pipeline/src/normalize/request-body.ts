/** What a request body sent as text is: parsed, its fields can be read on the screen and scrubbed by name. */
import { rawPairs } from './pairs.ts'
import { parseQuery } from './headers.ts'
import { lenientText } from './read.ts'

// Larger ones are shown only in part anyway.
const MAX_PARSED = 65_536

export type Body = { readonly body: unknown; readonly contentType?: string }

export function inferBody(text: string, contentType: string | undefined): Body {
  if (text.length > MAX_PARSED) return { body: text }
  const first = text.trimStart()[0]
  if (first === '{' || first === '[') {
    try {
      return { body: JSON.parse(text) as unknown, contentType: 'application/json' }
    } catch {
      return { body: text }
    }
  }
  const isForm = contentType === undefined || contentType === 'application/x-www-form-urlencoded'
  if (isForm && looksUrlEncoded(text))
    return { body: formOf(text), contentType: 'application/x-www-form-urlencoded' }
  return { body: text }
}

/** Strict, because prose with one `=` in it must stay prose. */
function looksUrlEncoded(text: string): boolean {
  if (!text.includes('=')) return false
  return text.split('&').every((part) => /^[\w.~%+*[\]-]+=[^\s"'<>{}]*$/.test(part))
}

/** Repeated names become lists. */
function formOf(text: string): Record<string, unknown> {
  const form: Record<string, string | string[]> = {}
  for (const [rawName, rawValue] of rawPairs(parseQuery(text))) {
    const name = lenientText(rawName) ?? ''
    const value = lenientText(rawValue) ?? ''
    if (name === '__proto__') continue
    const before = Object.hasOwn(form, name) ? form[name] : undefined
    if (before === undefined) form[name] = value
    else form[name] = Array.isArray(before) ? [...before, value] : [before, value]
  }
  return form
}
