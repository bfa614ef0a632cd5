/** The fields of a source map, checked as ECMA-426 says. A map that breaks them is refused: half of one misleads. */

// The JSON object of a map, whatever its bytes are.

/** Why a source map is refused. What somebody reads stands in `detail`. */
export const MAP_PROBLEMS = [
  /** More bytes than may be read at once. */
  'too_large',
  /** No JSON object: truncated, an HTML error page, another file. */
  'not_json',
  'version',
  /** A field is missing or of another type than ECMA-426 says. */
  'field',
  /** `mappings` ends within a number, has letters that are none of base64, or too many or few numbers. */
  'mappings',
  /** A number points outside of `sources` or `names`, below 0 or above 2³¹−1. */
  'out_of_range',
  /** Sections that overlap, are out of order or within each other, or lie at another address. */
  'sections',
] as const
export type MapProblem = (typeof MAP_PROBLEMS)[number]

export class MapError extends Error {
  readonly problem: MapProblem
  constructor(problem: MapProblem, detail: string) {
    super(detail)
    this.problem = problem
  }
}

export const MAX_MAP_BYTES = 256 * 1024 * 1024
// Servers once put it before JSON so that a page could not run it as a script; the standard says to skip it.
const GUARD = /^\)\]\}'[^\n]*\n/

/** @throws MapError `too_large`, `not_json` */
export function readJson(bytes: Uint8Array): JsonObject {
  if (bytes.length > MAX_MAP_BYTES)
    throw new MapError('too_large', `${bytes.length} bytes; at most ${MAX_MAP_BYTES} are read`)
  checkStructure(bytes)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new MapError('not_json', 'it is no UTF-8')
  }
  let map: unknown
  try {
    map = JSON.parse(text.replace(GUARD, ''))
  } catch (error) {
    const begins = JSON.stringify(text.slice(0, 20))
    throw new MapError('not_json', `${(error as Error).message.slice(0, 100)}; it begins with ${begins}`)
  }
  if (!isObject(map)) throw new MapError('not_json', 'it is no JSON object')
  return map
}

/**
 * How much JSON wants to become: `[[],[],…]` takes thirteen times its bytes, `[{},{},…]` twenty. Told from the bytes before
 * anything is made of them, so that a file of some hundred megabytes cannot take the process with it.
 */
const QUOTE = 34
const COMMA = 44
const OPEN_BRACKET = 91
const BACKSLASH = 92
const OPEN_BRACE = 123

/** Lists, objects and what is in them. At up to 180 bytes each 360 MB; a map of 50 MB has some hundred thousand. */
const MAX_VALUES = 2_000_000

/** Bytes that are no JSON are left to who reads it. @throws MapError `too_large` */
function checkStructure(bytes: Uint8Array): void {
  // Fewer bytes have fewer values.
  if (bytes.length <= MAX_VALUES) return
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = stringEnd(bytes, at + 1)
    else if ((byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) && ++values > MAX_VALUES)
      throw new MapError('too_large', `it has more than ${MAX_VALUES} values`)
  }
}

/** Of the closing quote. Texts are nearly all of a map: the engine looks for the quotes. */
function stringEnd(bytes: Uint8Array, from: number): number {
  let end = bytes.indexOf(QUOTE, from)
  while (end !== -1) {
    let before = end - 1
    while (before >= from && bytes[before] === BACKSLASH) before--
    // An even number of backslashes escape each other.
    if ((end - before) % 2 === 1) return end
    end = bytes.indexOf(QUOTE, end + 1)
  }
  return bytes.length
}

export type JsonObject = { readonly [name: string]: unknown }

export type PlainFields = {
  readonly sources: readonly (string | null)[]
  readonly contents: readonly (string | null)[]
  readonly names: readonly string[]
  readonly mappings: string
  readonly ignored: ReadonlySet<number>
  readonly scopes: string | undefined
}

export type Section = {
  readonly line: number
  readonly column: number
  readonly map: JsonObject
  /** Where the next one begins; undefined: it is the last. */
  readonly end?: { readonly line: number; readonly column: number } | undefined
}

/** @throws MapError `field` */
export function plainFields(map: JsonObject): PlainFields {
  const sources = listOf(map, 'sources', isTextOrNull, 'texts or null')
  const { sourceRoot, mappings } = map
  optionalText(map, 'sourceRoot')
  if (typeof mappings !== 'string') throw new MapError('field', 'mappings is no text')
  const root = typeof sourceRoot === 'string' ? sourceRoot : ''
  const slash = root === '' || root.endsWith('/') ? '' : '/'
  return {
    sources: sources.map((source) => (source === null ? null : root + slash + source)),
    contents:
      map['sourcesContent'] === undefined ? [] : listOf(map, 'sourcesContent', isTextOrNull, 'texts or null'),
    names: map['names'] === undefined ? [] : listOf(map, 'names', isText, 'texts'),
    mappings,
    ignored: ignoredOf(map, sources.length),
    scopes: typeof map['scopes'] === 'string' ? map['scopes'] : undefined,
  }
}

/** @throws MapError `version`, `field`, `sections` */
export function checkCommon(map: JsonObject): void {
  if (map['version'] !== 3) throw new MapError('version', `version is ${show(map['version'])}, not 3`)
  optionalText(map, 'file')
}

/** The sections of a map; of one without them itself. @throws MapError `sections` */
export const partsOf = (map: JsonObject): readonly Section[] =>
  'sections' in map ? sectionsOf(map) : [{ line: 0, column: 0, map }]

function sectionsOf(map: JsonObject): Section[] {
  const { sections } = map
  if (!Array.isArray(sections)) throw new MapError('sections', 'sections is no list')
  if ('mappings' in map) throw new MapError('sections', 'a map has either mappings or sections')
  let before = { line: -1, column: 0 }
  const read = sections.map((section: unknown, at): Section => {
    if (!isObject(section)) throw new MapError('sections', `section ${at} is no object`)
    const { offset, map: own, url } = section
    if (url !== undefined)
      throw new MapError('sections', `section ${at} lies at another address, which is not fetched`)
    if (!isObject(own)) throw new MapError('sections', `section ${at} has no map`)
    if ('sections' in own) throw new MapError('sections', `section ${at} has sections of its own`)
    if (!isObject(offset) || !isPosition(offset['line']) || !isPosition(offset['column']))
      throw new MapError('sections', `section ${at} has no offset of line and column`)
    const { line, column } = offset as { line: number; column: number }
    if (line < before.line || (line === before.line && column <= before.column))
      throw new MapError('sections', `section ${at} begins before the end of the one before`)
    before = { line, column }
    return { line, column, map: own }
  })
  return read.map((section, at) => ({ ...section, end: read[at + 1] }))
}

/** `ignoreList`, or as it was called before it was a standard. Sources that are not the application's. */
function ignoredOf(map: JsonObject, sources: number): Set<number> {
  const name = map['ignoreList'] === undefined ? 'x_google_ignoreList' : 'ignoreList'
  if (map[name] === undefined) return new Set()
  return new Set(
    listOf(map, name, (at): at is number => isPosition(at) && at < sources, 'numbers of sources'),
  )
}

function listOf<Item>(
  map: JsonObject,
  name: string,
  is: (item: unknown) => item is Item,
  what: string,
): readonly Item[] {
  const list = map[name]
  if (!Array.isArray(list)) throw new MapError('field', `${name} is ${show(list)}, not a list`)
  const wrong = list.findIndex((item) => !is(item))
  if (wrong !== -1) throw new MapError('field', `${name}[${wrong}] is ${show(list[wrong])}; it takes ${what}`)
  return list as readonly Item[]
}

function optionalText(map: JsonObject, name: string): void {
  const value = map[name]
  // `null` is written by several generators for what is not known.
  if (value !== undefined && value !== null && typeof value !== 'string')
    throw new MapError('field', `${name} is ${show(value)}, not a text`)
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value)
const isPosition = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** Lists and objects by their kind only: to write one out that is deep enough would end the stack. */
function show(value: unknown): string {
  if (value === undefined) return 'missing'
  if (Array.isArray(value)) return 'a list'
  return isObject(value) ? 'an object' : JSON.stringify(isText(value) ? value.slice(0, 40) : value)
}

/** Debug ids tie generated code to its map: https://github.com/tc39/ecma426/blob/main/proposals/debug-id.md */

const ID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i
// Last wins, as with `sourceMappingURL`; only near the end, where tools write it.
const COMMENT = /^[ \t]*\/\/[#@][ \t]*debugId=([0-9a-fA-F-]+)[ \t]*$/gm
const END = 8192

/** Lower case with hyphens, however it was written; undefined: it is none. */
export function debugIdOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || !ID.test(value)) return undefined
  const hex = value.toLowerCase().replaceAll('-', '')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** From `//# debugId=…` at the end of generated code. */
export function debugIdOfCode(code: string): string | undefined {
  return debugIdOf([...code.slice(-END).matchAll(COMMENT)].at(-1)?.[1])
}
