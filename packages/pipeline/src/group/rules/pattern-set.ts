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
      index ??= indexOf(globs)
      // To look further costs more than to search, but for long places that come again, and patterns that are all tried.
      if (!options.isPath && index.others.length === 0) return matchingOf(globs, index, text, options)
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
  /** Whether a gram with these lower bits is in `byGram`: nearly all that texts have are not. */
  readonly mayHave: Int32Array
  /** Patterns that say too little to be found. */
  readonly others: readonly number[]
}

function indexOf(globs: readonly RuleGlob[]): Index {
  const byText = new Map<string, number[]>()
  const byGram = new Map<number, number[]>()
  const others: number[] = []
  // The rarest signs of a pattern: thousands may begin alike.
  const counts = new Map<number, number>()
  for (const { needs } of globs)
    for (const gram of gramsOf(needs)) counts.set(gram, (counts.get(gram) ?? 0) + 1)
  for (const [number, glob] of globs.entries()) {
    if (glob.literal !== undefined) {
      addTo(byText, glob.literal, number)
      continue
    }
    const grams = gramsOf(glob.needs)
    const first = grams[0]
    if (first === undefined) others.push(number)
    else {
      const rarest = grams.reduce((a, b) => ((counts.get(b) ?? 0) < (counts.get(a) ?? 0) ? b : a), first)
      addTo(byGram, rarest, number)
    }
  }
  const mayHave = new Int32Array(WORDS)
  for (const gram of byGram.keys()) set(mayHave, slotOf(gram))
  const mayBe = new Int32Array(WORDS)
  for (const text of byText.keys()) set(mayBe, shapeOf(text))
  return { byText, mayBe, byGram, mayHave, others }
}

function matchingOf(
  globs: readonly RuleGlob[],
  { byText, mayBe, byGram, mayHave, others }: Index,
  given: string,
  options: GlobOptions,
): ReadonlySet<number> {
  const hits = byGram.size === 0 ? NO_HITS : hitsIn(given, mayHave, options)
  if (hits === NO_HITS && others.length === 0) {
    if (byText.size === 0) return NONE
    // Letters beyond ASCII may have another length in lower case.
    if (!has(mayBe, shapeOf(given)) && !(options.ignoresCase && BEYOND_ASCII.test(given))) return NONE
  }
  const text = comparable(given, options)
  const found = new Set<number>(byText.get(text))
  const candidates = new Set(others)
  for (const gram of hits === 'all' ? gramsOf(text) : hits)
    for (const number of byGram.get(gram) ?? []) candidates.add(number)
  for (const number of candidates) if (globs[number]?.matches(text)) found.add(number)
  return found.size === 0 ? NONE : found
}

const BEYOND_ASCII = /\P{ASCII}/u
const NO_HITS: readonly number[] = []

/** Grams of a text that patterns may have. `all`: letters beyond ASCII may become others in lower case. */
function hitsIn(
  text: string,
  mayHave: Int32Array,
  { ignoresCase, isPath }: GlobOptions,
): readonly number[] | 'all' {
  let hits = NO_HITS as number[]
  let gram = 0
  const end = Math.min(text.length, MAX_GLOB_TEXT)
  for (let at = 0; at < end; at++) {
    let code = text.charCodeAt(at)
    if (ignoresCase) {
      if (code > 127) return 'all'
      if (code >= 65 && code <= 90) code |= 32
    }
    if (isPath && code === BACKSLASH) code = SLASH
    gram = withNext(gram, code)
    if (at >= GRAM - 1 && has(mayHave, slotOf(gram))) {
      if (hits === NO_HITS) hits = []
      hits.push(gram)
    }
  }
  return hits
}

const [SLASH, BACKSLASH] = [47, 92]

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

/** `GRAM` signs as a number; signs whose lower eight bits are the same look alike, which costs a try. */
const withNext = (gram: number, code: number): number => ((gram << 8) | (code & 0xff)) >>> 0

/** Each run of `GRAM` signs. */
function gramsOf(text: string): number[] {
  const grams: number[] = []
  let gram = 0
  for (let at = 0; at < text.length; at++) {
    gram = withNext(gram, text.charCodeAt(at))
    if (at >= GRAM - 1) grams.push(gram)
  }
  return grams
}

function addTo<Key>(map: Map<Key, number[]>, key: Key, number: number): void {
  const list = map.get(key)
  if (list) list.push(number)
  else map.set(key, [number])
}
