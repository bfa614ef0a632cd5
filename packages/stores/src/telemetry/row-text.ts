/**
 * Values as `TabSeparated` reads them (https://clickhouse.com/docs/interfaces/formats/TabSeparated). Half a surrogate
 * pair may stand in a text: writing it as UTF-8 makes it the replacement character.
 */

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
  "'": "\\'",
}
const escapeOf = (char: string): string => ESCAPES[char] as string

// eslint-disable-next-line no-control-regex
const SPECIAL = /[\\\t\n\r\0]/
// eslint-disable-next-line no-control-regex
const ALL_SPECIAL = /[\\\t\n\r\0]/g
const CONTROLS = ['\t', '\n', '\r', '\0']
// From here on five searches for one character each are faster than one for any of them.
const LONG = 200

export function escapeText(text: string): string {
  if (text.length < LONG) return SPECIAL.test(text) ? text.replace(ALL_SPECIAL, escapeOf) : text
  if (CONTROLS.some((char) => text.includes(char))) return text.replace(ALL_SPECIAL, escapeOf)
  // JSON text has no raw control characters, so this is what payloads come to.
  return text.includes('\\') ? text.replaceAll('\\', '\\\\') : text
}

/** What `escapeText` was given. */
export const unescapeText = (text: string): string =>
  text.includes('\\') ? text.replace(/\\(.)/g, (_, char: string) => UNESCAPED[char] ?? char) : text
const UNESCAPED: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', '0': '\0' }

export const listText = (list: readonly string[]): string => `[${list.map(quoted).join(',')}]`

export const numberListText = (list: readonly number[]): string => `[${list.map(numberText).join(',')}]`

export function mapText(map: Readonly<Record<string, string>>): string {
  let text = ''
  for (const key of Object.keys(map)) text += `${text && ','}${quoted(key)}:${quoted(map[key] ?? '')}`
  return `{${text}}`
}

/** Attributes that are texts, and those that are numbers, each as a map of its own. */
type Attributes = Readonly<Record<string, string | number>>
export function stringsText(attributes: Attributes): string {
  let text = ''
  for (const key of Object.keys(attributes)) {
    const value = attributes[key]
    if (typeof value === 'string') text += `${text && ','}${quoted(key)}:${quoted(value)}`
  }
  return `{${text}}`
}
export function numbersText(attributes: Attributes): string {
  let text = ''
  for (const key of Object.keys(attributes)) {
    const value = attributes[key]
    if (typeof value === 'number') text += `${text && ','}${quoted(key)}:${numberText(value)}`
  }
  return `{${text}}`
}

// JavaScript's `1e+21` is read too, but `NaN` must not become a duration.
export const numberText = (value: number): string => (Number.isFinite(value) ? String(value) : '0')
export const countText = (value: number): string =>
  Number.isInteger(value) ? String(value) : numberText(Math.round(value))

// eslint-disable-next-line no-control-regex
const SPECIAL_IN_QUOTES = /[\\'\t\n\r\0]/
// eslint-disable-next-line no-control-regex
const ALL_SPECIAL_IN_QUOTES = /[\\'\t\n\r\0]/g
function quoted(text: string): string {
  return `'${SPECIAL_IN_QUOTES.test(text) ? text.replace(ALL_SPECIAL_IN_QUOTES, escapeOf) : text}'`
}

// DateTime64 ends with 2299, DateTime (outcomes.minute) in February 2106; both begin at 1970 for us.
const LAST_MS = Date.UTC(2106, 0, 1)
const storableMs = (ms: number): number =>
  Number.isFinite(ms) ? Math.min(LAST_MS, Math.max(0, Math.floor(ms))) : 0

/** Ten digits of seconds: fewer are read as a calendar date (`1970` is a year). */
export const secondText = (ms: number): string => secondsOf(storableMs(ms))
const secondsOf = (storable: number): string => String(Math.floor(storable / 1000)).padStart(10, '0')

export function milliText(ms: number): string {
  const storable = storableMs(ms)
  return `${secondsOf(storable)}.${threeDigits(storable % 1000)}`
}

/** To the microsecond: spans within one millisecond keep their order. */
export function microText(ms: number): string {
  const micros = Number.isFinite(ms) ? Math.round((ms - Math.floor(ms)) * 1000) : 0
  return milliText(ms) + threeDigits(Math.min(micros, 999))
}

const threeDigits = (below1000: number): string => String(1000 + below1000).slice(1)
