/**
 * Which of many patterns match a text, without trying each: one look-up for patterns that are plain text, one pass over
 * the text for those that need certain signs in a row. What was found for a text is remembered, because a program says
 * the same things again with each of its events.
 */
import { comparable, type GlobOptions, MAX_GLOB_TEXT, type RuleGlob } from '@sonde/protocol/grouping-rules'

export type PatternSet = {
  /** Adds a pattern, or finds it: its number. */
  add(pattern: string, glob: RuleGlob): number
  /** Numbers of those that match, in no order. */
  matching(text: string): ReadonlySet<number>
}

// As many as a program has messages, types and places; emptied as a whole when full.
const MAX_TEXTS = 2_000
// Longer texts are rarely the same twice, and what is remembered stays within a megabyte.
const MAX_KEPT_CHARS = 300
/** So many signs in a row tell patterns apart, and fit into a number. */
const GRAM = 4
/** Signs in steps of four are all read once. */
const MAX_STRIDE = 4
const NONE: ReadonlySet<number> = new Set()

export function createPatternSet(options: GlobOptions): PatternSet {
  const numbers = new Map<string, number>()
  const globs: RuleGlob[] = []
  const remembered = new Map<string, ReadonlySet<number>>()
  let index: Index | undefined
  return {
    add(pattern, glob) {
      const known = numbers.get(pattern)
      if (known !== undefined) return known
      index = undefined
      numbers.set(pattern, globs.length)
      return globs.push(glob) - 1
    },
    matching(text) {
      if (globs.length === 0) return NONE
      index ??= indexOf(globs, options)
      // To look further costs more than to search, but for patterns that are all tried.
      if (index.others.length === 0) return matchingOf(globs, index, text, options)
      const before = remembered.get(text)
      if (before) return before
      const found = matchingOf(globs, index, text, options)
      if (text.length > MAX_KEPT_CHARS) return found
      if (remembered.size >= MAX_TEXTS) remembered.clear()
      remembered.set(text, found)
      return found
    },
  }
}

type Index = {
  /** Of patterns that match one text. */
  readonly byText: ReadonlyMap<string, readonly number[]>
  /** Whether a text with this length and these ends is in `byText`. */
  readonly mayBe: Int32Array
  /** By some signs that stand in every text that matches. */
  readonly byGram: ReadonlyMap<number, readonly number[]>
  /** Every so many places of a text are looked at: a pattern has this many grams in a row in `byGram`. */
  readonly stride: number
  /** Whether a gram with these lower bits is in `byGram`: nearly all that texts have are not. */
  readonly mayHave: Int32Array
  /** Patterns that say too little to be found. */
  readonly others: readonly number[]
}

function indexOf(globs: readonly RuleGlob[], options: GlobOptions): Index {
  const byText = new Map<string, number[]>()
  const byGram = new Map<number, number[]>()
  const others: number[] = []
  // The rarest signs of a pattern: thousands may begin alike.
  const counts = new Map<number, number>()
  const searched: (readonly [number: number, grams: readonly number[]])[] = []
  for (const [number, glob] of globs.entries()) {
    const grams = gramsOf(glob.needs, options)
    for (const gram of grams) counts.set(gram, (counts.get(gram) ?? 0) + 1)
    if (glob.literal !== undefined) addTo(byText, glob.literal, number)
    else if (grams.length === 0) others.push(number)
    else searched.push([number, grams])
  }
  const stride = searched.reduce((least, [, grams]) => Math.min(least, grams.length), MAX_STRIDE)
  for (const [number, grams] of searched)
    for (const gram of rarestOf(grams, counts, stride)) addTo(byGram, gram, number)
  const mayHave = new Int32Array(WORDS)
  for (const gram of byGram.keys()) set(mayHave, slotOf(gram))
  const mayBe = new Int32Array(WORDS)
  for (const text of byText.keys()) set(mayBe, shapeOf(text))
  return { byText, mayBe, byGram, stride, mayHave, others }
}

/** `stride` in a row: wherever in a text they stand, one of them begins at a place that is looked at. */
function rarestOf(
  grams: readonly number[],
  counts: ReadonlyMap<number, number>,
  stride: number,
): readonly number[] {
  const commonOf = (at: number): number =>
    grams.slice(at, at + stride).reduce((sum, gram) => sum + (counts.get(gram) ?? 0), 0)
  let best = 0
  for (let at = 1; at + stride <= grams.length; at++) if (commonOf(at) < commonOf(best)) best = at
  return grams.slice(best, best + stride)
}

function matchingOf(
  globs: readonly RuleGlob[],
  index: Index,
  given: string,
  options: GlobOptions,
): ReadonlySet<number> {
  const { byText, mayBe, byGram, others } = index
  const hits = byGram.size === 0 ? NO_HITS : hitsIn(given, index, options)
  if (hits === NO_HITS && others.length === 0) {
    if (byText.size === 0) return NONE
    // Letters beyond ASCII may have another length in lower case; where grams were looked for there are none.
    const isOtherLength = options.ignoresCase && BEYOND_ASCII.test(given)
    if (!isOtherLength && !has(mayBe, shapeOf(given))) return NONE
  }
  const text = comparable(given, options)
  const found = new Set<number>(byText.get(text))
  const candidates = new Set(others)
  for (const gram of hits === 'all' ? gramsOf(text, options) : hits)
    for (const number of byGram.get(gram) ?? []) candidates.add(number)
  const searched = options.isPath ? `/${text}` : text
  for (const number of candidates) {
    const glob = globs[number]
    // Far quicker than to run the pattern, and nearly always no.
    if (glob && searched.includes(glob.needs) && glob.matches(text)) found.add(number)
  }
  return found.size === 0 ? NONE : found
}

const BEYOND_ASCII = /\P{ASCII}/u
const NO_HITS: readonly number[] = []

/** Grams of a text that patterns have. `all`: letters beyond ASCII may become others in lower case. */
function hitsIn(
  given: string,
  { byGram, stride, mayHave }: Index,
  { ignoresCase, isPath }: GlobOptions,
): readonly number[] | 'all' {
  let hits = NO_HITS as number[]
  const text = isPath && given.includes('\\') ? given.replaceAll('\\', '/') : given
  const end = Math.min(text.length, MAX_GLOB_TEXT)
  const fold = foldOf(ignoresCase)
  let at = 0
  if (isPath) {
    // A relative path is compared as one below `/` too: its first place is the one before its first sign.
    const first = packed(SLASH, text.charCodeAt(0), text.charCodeAt(1), text.charCodeAt(2)) | fold
    if (end >= GRAM - 1 && has(mayHave, slotOf(first)) && byGram.has(first)) hits = [first]
    at = stride - 1
  }
  for (; at + GRAM <= end; at += stride) {
    const a = text.charCodeAt(at)
    const b = text.charCodeAt(at + 1)
    const c = text.charCodeAt(at + 2)
    const d = text.charCodeAt(at + 3)
    if (ignoresCase && (a | b | c | d) > 127) return 'all'
    const gram = packed(a, b, c, d) | fold
    // Of a text of forty signs every other one has such a slot by chance: all that follows would be for nothing.
    if (has(mayHave, slotOf(gram)) && byGram.has(gram)) {
      if (hits === NO_HITS) hits = []
      hits.push(gram)
    }
  }
  if (ignoresCase) for (; at < end; at++) if (text.charCodeAt(at) > 127) return 'all'
  return hits
}

const SLASH = 47

/** The same for letters of either case. */
const shapeOf = (text: string): number =>
  ((text.length << 8) ^
    ((text.charCodeAt(0) & 0xdf) << 4) ^
    (text.charCodeAt(text.length - 1) & 0xdf) ^
    ((text.charCodeAt(text.length >> 1) & 0xdf) << 6)) &
  (SLOTS - 1)

// A set of bits that stays in the processor's nearest cache: a kilobyte.
const SLOT_BITS = 13
const SLOTS = 1 << SLOT_BITS
const WORDS = SLOTS >> 5
const slotOf = (gram: number): number => Math.imul(gram, 0x9e_37_79_b1) >>> (32 - SLOT_BITS)
const has = (bits: Int32Array, slot: number): boolean => (((bits[slot >> 5] ?? 0) >>> (slot & 31)) & 1) === 1
function set(bits: Int32Array, slot: number): void {
  bits[slot >> 5] = (bits[slot >> 5] ?? 0) | (1 << (slot & 31))
}

/** `GRAM` signs as a number; signs whose lower eight bits are the same look alike, which costs a look at the pattern. */
const packed = (a: number, b: number, c: number, d: number): number =>
  (a << 24) | ((b & 0xff) << 16) | ((c & 0xff) << 8) | (d & 0xff)

/** The bit by which letters of either case differ, set in each sign. */
const foldOf = (ignoresCase: boolean): number => (ignoresCase ? 0x20_20_20_20 : 0)

/** Each run of `GRAM` signs. */
function gramsOf(text: string, { ignoresCase }: GlobOptions): number[] {
  const grams: number[] = []
  for (let at = 0; at + GRAM <= text.length; at++)
    grams.push(
      packed(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2), text.charCodeAt(at + 3)) |
        foldOf(ignoresCase),
    )
  return grams
}

function addTo<Key>(map: Map<Key, number[]>, key: Key, number: number): void {
  const list = map.get(key)
  if (list) list.push(number)
  else map.set(key, [number])
}
