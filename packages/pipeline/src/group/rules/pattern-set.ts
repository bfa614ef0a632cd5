/**
 * Which of many patterns match a text, without trying each: one look-up for patterns that are plain text, one pass over
 * the text for those that need certain signs in a row. What was found for a text is remembered, because a program says
 * the same things again with each of its events.
 */
import { comparable, type GlobOptions, type RuleGlob } from '@sonde/protocol/grouping-rules'

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
      const before = remembered.get(text)
      if (before) return before
      index ??= indexOf(globs)
      const found = matchingOf(globs, index, comparable(text, options))
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
  /** By some signs that stand in every text that matches. */
  readonly byGram: ReadonlyMap<number, readonly number[]>
  /** Patterns that say too little to be found. */
  readonly others: readonly number[]
}

function indexOf(globs: readonly RuleGlob[]): Index {
  const byText = new Map<string, number[]>()
  const byGram = new Map<number, number[]>()
  const others: number[] = []
  // The rarest signs of a pattern: thousands may begin alike.
  const counts = new Map<number, number>()
  for (const glob of globs)
    for (const gram of gramsOf(glob.needs)) counts.set(gram, (counts.get(gram) ?? 0) + 1)
  for (const [number, glob] of globs.entries()) {
    if (glob.literal !== undefined) {
      addTo(byText, glob.literal, number)
      continue
    }
    const grams = [...gramsOf(glob.needs)]
    const first = grams[0]
    if (first === undefined) others.push(number)
    else {
      const rarest = grams.reduce((a, b) => ((counts.get(b) ?? 0) < (counts.get(a) ?? 0) ? b : a), first)
      addTo(byGram, rarest, number)
    }
  }
  return { byText, byGram, others }
}

function matchingOf(globs: readonly RuleGlob[], index: Index, text: string): ReadonlySet<number> {
  const found = new Set<number>(index.byText.get(text))
  const tried = new Set<number>()
  const attempt = (number: number): void => {
    if (tried.has(number)) return
    tried.add(number)
    if (globs[number]?.matches(text)) found.add(number)
  }
  for (const number of index.others) attempt(number)
  if (index.byGram.size > 0)
    for (const gram of gramsOf(text)) for (const number of index.byGram.get(gram) ?? []) attempt(number)
  return found.size === 0 ? NONE : found
}

/** Each run of `GRAM` signs as a number; signs whose lower eight bits are the same look alike, which costs a try. */
function* gramsOf(text: string): Generator<number> {
  let gram = 0
  for (let at = 0; at < text.length; at++) {
    gram = ((gram << 8) | (text.charCodeAt(at) & 0xff)) >>> 0
    if (at >= GRAM - 1) yield gram
  }
}

function addTo<Key>(map: Map<Key, number[]>, key: Key, number: number): void {
  const list = map.get(key)
  if (list) list.push(number)
  else map.set(key, [number])
}
