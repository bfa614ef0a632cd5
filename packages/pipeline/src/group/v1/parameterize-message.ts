/** Replaces the changing values of a message with placeholders: `user 42 not found` → `user <int> not found`. */

/**
 * What counts as a changing value inside a message, as one regular expression with a named group per
 * placeholder; the first alternative that matches at a position wins. Every repetition is bounded, so the
 * time is linear in the message. Compared with https://develop.sentry.dev/backend/application-domains/grouping/
 * by test/group/message-differences.json.
 */
const EMAIL = String.raw`(?<![\w.%+-])[\w.%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}\b`

const URL = String.raw`\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}:\/\/[^\s"'<>(){}]{0,2000}[^\s"'<>()[\]{}.,;:!?]`

// Only endings that are hardly ever a property or method name: `logger.info`, `window.name` are code.
const TLD =
  'com|net|org|edu|gov|io|co|dev|cloud|local|internal|eu|de|uk|fr|nl|pl|ru|cn|jp|kr|br|ca|au|es|se|ch|us|in|tv'
const HOSTNAME = String.raw`(?<![\w.$@-])(?:[A-Za-z0-9-]{1,63}\.){1,8}(?:${TLD}|${TLD.toUpperCase()})(?![\w(.-])(?::\d{1,5}\b)?`

const IPV4 = String.raw`(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)(?::\d{1,5}\b)?`
const GROUP16 = '[0-9a-fA-F]{1,4}'
const IPV6 =
  String.raw`(?<![\w:])(?:(?:${GROUP16}:){7}${GROUP16}|(?=[a-fA-F:]{0,39}\d)` +
  String.raw`(?:${GROUP16}(?::${GROUP16}){0,6})?::(?:${GROUP16}(?::${GROUP16}){0,6})?)(?![\w:])`

const TRACE = String.raw`\b(?:00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]|1-[0-9a-f]{8}-[0-9a-f]{24})\b`
const UUID = String.raw`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`
const SHA1 = String.raw`\b[0-9a-fA-F]{40}\b`
const MD5 = String.raw`\b[0-9a-fA-F]{32}\b`
const TOKEN = String.raw`\beyJ[\w-]{8,4000}\.[\w-]{1,4000}(?:\.[\w-]{0,1000})?`

const TIME = String.raw`(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?`
const ZONE = String.raw`(?:Z(?:\d\d:\d\d)?| ?(?:UTC|GMT)?[+-]\d\d:?\d\d| (?:UTC|GMT|[A-Z][A-Z]?[SD]T)\b)`
const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}'
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}'
const DATE =
  '(?:' +
  [
    // 2006-01-02, with time and zone
    String.raw`(?<![\w.-])\d{4}[-/]\d\d[-/]\d\d(?:(?:T| {1,2})${TIME}${ZONE}?)?(?!\d)`,
    // 20240220 11:55:33.546593, 20240220T115533Z
    String.raw`(?<![\w.-])(?:19|20)\d{6}(?: ${TIME}|T\d{6}Z?)(?!\d)`,
    // Mon, 02 Jan 2006 15:04:05 -0700; Monday, 02-Jan-06 15:04:05 MST
    String.raw`\b(?:${WEEKDAY},? )?\d{1,2}[ -]${MONTH}[ -]\d{2,4}(?:,? ${TIME}${ZONE}?)?\b`,
    // Jan 18, 2019; Mon Jan 02, 1999; Tue Feb 20 2024 22:16:36 GMT+0100 (CET); Mon Jan  2 15:04:05 2006
    String.raw`\b(?:${WEEKDAY},? )?${MONTH} {1,2}\d{1,2}(?:,? \d{4}| ${TIME} \d{4})(?: ${TIME}${ZONE}?(?: \([A-Za-z ]{1,40}\))?)?\b`,
    // 3:04PM, 15:04:05
    String.raw`(?<![\w:.])${TIME}(?: ?[AaPp][Mm]\b)?(?![\w:])`,
    String.raw`\bdatetime\.datetime\(\d{4}[^()\n]{0,80}\)`,
  ].join('|') +
  ')'

const NUMBER_START = String.raw`(?<![\w.])`
const DURATION =
  String.raw`${NUMBER_START}\d{1,20}(?:\.\d{1,20})?` +
  String.raw`(?:(?:ns|us|\u00b5s|ms|s|sec|secs|min|mins|h|hrs?|d)\b| ?(?:milliseconds?|seconds?|minutes?|hours?|days?)\b)`
const SIZE = String.raw`${NUMBER_START}\d{1,20}(?:\.\d{1,20})? ?(?:[kKMGT]i?B|bytes)\b`
const HEX =
  String.raw`\b0[xX][0-9a-fA-F]{1,256}\b` +
  String.raw`|\b(?=[a-f]{0,128}\d)(?=\d{0,128}[a-f])[0-9a-f]{8,128}\b` +
  String.raw`|\b(?=[A-F]{0,128}\d)(?=\d{0,128}[A-F])[0-9A-F]{8,128}\b`
const VERSION = String.raw`(?<![\w.])v?\d{1,9}(?:\.\d{1,9}){2,5}(?:-[0-9A-Za-z.]{1,40})?(?![\w])`
const FLOAT = String.raw`(?<![\w.-])-?\d{1,40}\.\d{1,40}(?:[eE][+-]?\d{1,4})?(?![\w])|(?<=[\w)]-)\d{1,40}\.\d{1,40}\b`

// `utf-8`, `ORA-12154` and `Minified React error #418` name something; `order-12345`, `user_12345` count something.
const INT =
  String.raw`(?<![\w.-]|React error #)-?\d{1,400}(?!\w)|(?<![A-Za-z_]-)(?<![\w])(?<!React error #)\d{1,400}(?!\w)` +
  String.raw`|(?<=[a-z]-|[A-Za-z]_)\d{3,400}(?!\w)`

const QUOTED_VALUE = String.raw`(?<==)(?:"[^"\n]{0,400}"|'[^'\n]{0,400}')`
// A quotation with a space in it is data; without one it is more often a name that matters.
const QUOTED_TEXT = String.raw`(?<=[^\w"'])(?:"[^"\n]{0,200} [^"\n]{0,200}"|'[^'\n]{0,200} [^'\n]{0,200}')(?!\w)`
const BOOL = String.raw`(?<==)(?:true|false|True|False)\b`
const PATH =
  String.raw`(?<![\w.:/<)\]])(?:~|\.{1,2})?\/(?:[\w.@+~-]{1,255}\/){1,40}[\w.@+~-]{0,255}` +
  String.raw`|\b[A-Za-z]:\\(?:[^\\\s"'<>|:*?]{1,255}\\){0,40}[^\\\s"'<>|:*?]{0,255}`

/** In order of precedence. */
const MESSAGE_PATTERNS: readonly (readonly [placeholder: string, pattern: string])[] = [
  ['url', URL],
  ['email', EMAIL],
  ['traceparent', TRACE],
  ['uuid', UUID],
  ['date', DATE],
  ['ip', `${IPV4}|${IPV6}`],
  ['hostname', HOSTNAME],
  ['sha1', SHA1],
  ['md5', MD5],
  ['token', TOKEN],
  ['quoted_str', `${QUOTED_VALUE}|${QUOTED_TEXT}`],
  ['path', PATH],
  ['duration', DURATION],
  ['size', SIZE],
  ['hex', HEX],
  ['version', VERSION],
  ['float', FLOAT],
  ['int', INT],
  ['bool', BOOL],
]

/** Long enough to tell messages apart, short enough that a message of 8,192 characters costs microseconds. */
const MAX_CHARACTERS = 1000
const MAX_LINES = 2

const COMBINED = new RegExp(
  MESSAGE_PATTERNS.map(([name, pattern]) => `(?<${name}>${pattern})`).join('|'),
  'g',
)
const PLACEHOLDERS = MESSAGE_PATTERNS.map(([name]) => `<${name}>`)
/** Every pattern needs one of these characters; most messages that are plain words have none. */
const MAY_CHANGE = /[\d@=/\\"'.:]/

export function parameterizeMessage(message: string): string {
  const head = firstLines(message)
  if (!MAY_CHANGE.test(head)) return head
  return head.replace(COMBINED, replaceMatch)
}

/** `groups` holds one entry per pattern, in their order: the patterns themselves capture nothing. */
function replaceMatch(matched: string, ...groups: readonly unknown[]): string {
  for (let at = 0; at < PLACEHOLDERS.length; at++) {
    if (groups[at] !== undefined) return PLACEHOLDERS[at] ?? matched
  }
  return matched
}

/** The first two lines with text; `...` tells that there was more. */
function firstLines(message: string): string {
  const text = message.length > MAX_CHARACTERS * 2 ? message.slice(0, MAX_CHARACTERS * 2) : message
  if (!text.includes('\n') && text.length <= MAX_CHARACTERS) return text.trim()
  const lines = text.split('\n', 50).filter((line) => line.trim() !== '')
  const kept = lines.slice(0, MAX_LINES).join('\n').trim()
  const cut = kept.slice(0, MAX_CHARACTERS)
  return cut.length < kept.length || lines.length > MAX_LINES ? `${cut}...` : cut
}
