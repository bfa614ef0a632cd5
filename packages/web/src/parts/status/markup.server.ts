/** HTML and XML of pages that are for everybody: without React, so without a script. Every value is escaped unless it is `Markup`. */

/** Text that is markup already. Only this file makes it. */
export type Markup = { readonly markup: string }
type Value = string | number | Markup | undefined | false | readonly (Markup | undefined | false)[]

/** As a template tag. */
export function markup(texts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const built = texts.reduce((before, text, index) => before + shown(values[index - 1]) + text)
  return { markup: built }
}

function shown(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return 'markup' in value ? value.markup : value.map(shown).join('')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
// What XML 1.0 cannot hold at all: https://www.w3.org/TR/xml/#charsets
// oxlint-disable-next-line no-control-regex -- control characters are what is taken out
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(NOT_IN_XML, '')
    .replaceAll(/[&<>"']/g, (char) => ESCAPES[char] ?? char)
