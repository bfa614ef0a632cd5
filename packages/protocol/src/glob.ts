/**
 * Patterns of people, held against texts of strangers: in one pass over the text, whatever the pattern. The pattern is an
 * automaton whose states are bits, so a character costs `pattern / 32` steps and nothing is ever tried twice
 * (docs/decisions/0022-regular-expressions.md says why that matters).
 */

export type GlobRules = {
  /** Letters of either case are the same. */
  readonly ignoreCase?: boolean
  /** `[abc]`, `[a-z]`, `[!a-z]`; otherwise `[` is a character like others. One that is not closed is one in any case. */
  readonly sets?: boolean
  /**
   * `*`, `?` and sets stop at `/`; `**` does not, and a `**` before a `/` also stands for no folder at all, as in
   * `.gitignore`. Otherwise `*` is any text.
   */
  readonly folders?: boolean
}

/** The whole text has to match; of a long one its first 2,000 characters are the whole. Never throws. */
export type Glob = (text: string) => boolean

/** A message may have megabytes; what decides is at its beginning. */
const MAX_TEXT = 2_000

/** `*` is any text, also none, `?` one UTF-16 code unit. Make one per pattern and keep it: characters it met are remembered. */
export function createGlob(pattern: string, rules: GlobRules = {}): Glob {
  const wanted = rules.ignoreCase ? pattern.toLowerCase() : pattern
  const steps = stepsOf(wanted, rules)
  const { start, end } = fixedEnds(steps)
  const isFixed = steps.every(
    ({ loop, accepts, text }) => loop === 'none' && (text !== undefined || !accepts),
  )
  // Of thousands of patterns most never meet a text that comes so far.
  let run: Glob | undefined
  return (given) => {
    const cut = given.length > MAX_TEXT ? given.slice(0, MAX_TEXT) : given
    const text = rules.ignoreCase ? cut.toLowerCase() : cut
    // Most patterns and texts part here.
    if (!text.startsWith(start) || !text.endsWith(end)) return false
    if (isFixed) return text === start
    run ??= automaton(steps)
    return run(text)
  }
}

/** What may stand again and again before the character of a step. */
type Loop = 'none' | 'in_folder' | 'any'
type Step = {
  readonly loop: Loop
  /** The loop and the character may both be left out. */
  readonly isOptional?: boolean
  /** Undefined for the end of the pattern: a loop alone. */
  readonly accepts: ((char: string) => boolean) | undefined
  /** Of a step that takes this character alone. */
  readonly text?: string
  readonly isSet?: boolean
}

function stepsOf(pattern: string, { sets = false, folders = false }: GlobRules): readonly Step[] {
  const steps: Step[] = []
  const single = (char: string): boolean => !folders || char !== '/'
  let loop: Loop = 'none'
  let at = 0
  const push = (step: Pick<Step, 'accepts' | 'text' | 'isSet'>): void => {
    steps.push({ loop, ...step })
    loop = 'none'
  }
  while (at < pattern.length) {
    const char = pattern[at++] ?? ''
    if (char === '*') {
      const from = at - 1
      while (pattern[at] === '*') at++
      const isWide = !folders || at - from > 1
      const isFolder = from === 0 || pattern[from - 1] === '/'
      if (folders && isWide && isFolder && pattern[at] === '/') {
        steps.push({ loop: 'any', isOptional: true, accepts: (given) => given === '/', text: '/' })
        at++
      } else loop = isWide ? 'any' : 'in_folder'
    } else if (char === '?') push({ accepts: single })
    else {
      const set = char === '[' && sets ? setAt(pattern, at) : undefined
      if (set) {
        push({ accepts: (given) => single(given) && set.accepts(given), isSet: true })
        at = set.end
      } else push({ accepts: (given) => given === char, text: char })
    }
  }
  push({ accepts: undefined })
  return steps
}

/** `at`: after the bracket. As in shells: a `]` that comes first is one of the set. */
function setAt(pattern: string, at: number): { accepts(char: string): boolean; end: number } | undefined {
  const isNegated = pattern[at] === '!' || pattern[at] === '^'
  const from = isNegated ? at + 1 : at
  const end = pattern.indexOf(']', from + 1)
  if (end < 0) return undefined
  const ranges: (readonly [string, string])[] = []
  for (let here = from; here < end; here++) {
    const first = pattern[here] ?? ''
    const last = pattern[here + 2] ?? ''
    if (pattern[here + 1] === '-' && here + 2 < end) {
      ranges.push([first, last])
      here += 2
    } else ranges.push([first, first])
  }
  const has = (char: string): boolean => ranges.some(([first, last]) => char >= first && char <= last)
  return { accepts: (char) => has(char) !== isNegated, end: end + 1 }
}

const isPlainText = (step: Step | undefined): boolean => step?.text !== undefined && !step.isOptional

/** What each matching text begins and ends with. */
function fixedEnds(steps: readonly Step[]): { readonly start: string; readonly end: string } {
  const plain = steps.slice(0, -1)
  const first = plain.findIndex(({ loop, text }) => loop !== 'none' || text === undefined)
  const start = plain.slice(0, first < 0 ? plain.length : first)
  const tail = steps.at(-1)?.loop === 'none' ? plain.length : undefined
  let from = tail ?? 0
  if (tail !== undefined) while (isPlainText(plain[from - 1]) && steps[from]?.loop === 'none') from--
  const end = tail === undefined ? [] : plain.slice(from)
  const textOf = (part: readonly Step[]): string => part.map(({ text = '' }) => text).join('')
  return { start: textOf(start), end: textOf(end) }
}

/** Bit `n` of a word is set while the first `n` steps have matched. */
function automaton(steps: readonly Step[]): Glob {
  const words = Math.ceil(steps.length / 32)
  const bits = (isSet: (step: Step) => boolean): Uint32Array => {
    const set = new Uint32Array(words)
    for (const [n, step] of steps.entries())
      if (isSet(step)) set[n >>> 5] = at(set, n >>> 5) | (1 << (n & 31))
    return set
  }
  const anywhere = bits(({ loop }) => loop === 'any')
  const inFolder = bits(({ loop }) => loop !== 'none')
  const optional = bits(({ isOptional = false }) => isOptional)
  const hasOptional = steps.some(({ isOptional = false }) => isOptional)
  const acceptedOf = (char: string): Uint32Array => bits(({ accepts }) => accepts?.(char) ?? false)
  const literals = new Set(['/', ...steps.flatMap(({ text = [] }) => text)])
  const known = new Map([...literals].map((char) => [char, acceptedOf(char)] as const))
  // A character that the pattern does not name is like all others, but for sets.
  const other = bits(
    ({ accepts, text, isSet = false }) =>
      accepts !== undefined && text === undefined && !isSet && accepts(''),
  )
  const sets = [...steps.entries()].filter(([, { isSet = false }]) => isSet)
  let remembered = 0
  const accepting = (char: string): Uint32Array => {
    const found = known.get(char)
    if (found) return found
    if (sets.length === 0) return other
    const made = other.slice()
    for (const [n, { accepts }] of sets)
      if (accepts?.(char)) made[n >>> 5] = at(made, n >>> 5) | (1 << (n & 31))
    // Texts of strangers have any character: what is remembered must end.
    if (remembered++ < MAX_REMEMBERED) known.set(char, made)
    return made
  }
  /** An optional step that was entered is also over. */
  const skip = (entered: Uint32Array): void => {
    for (let word = 0, carry = 0; word < words; word++) {
      let now = (at(entered, word) | carry) >>> 0
      let moved = now & at(optional, word)
      carry = 0
      while (moved !== 0) {
        carry |= moved >>> 31
        const next = (moved << 1) & ~now
        now = (now | next) >>> 0
        moved = next & at(optional, word)
      }
      entered[word] = now
    }
  }
  const last = steps.length - 1
  return (text) => {
    let states = new Uint32Array(words)
    let next = new Uint32Array(words)
    states[0] = 1
    if (hasOptional) skip(states)
    for (let index = 0; index < text.length; index++) {
      const char = text[index] ?? ''
      const accepted = accepting(char)
      const loops = char === '/' ? anywhere : inFolder
      let carry = 0
      let some = 0
      for (let word = 0; word < words; word++) {
        const moved = at(states, word) & at(accepted, word)
        next[word] = (moved << 1) | carry
        carry = moved >>> 31
      }
      if (hasOptional) skip(next)
      for (let word = 0; word < words; word++) {
        next[word] = at(next, word) | (at(states, word) & at(loops, word))
        some |= at(next, word)
      }
      if (some === 0) return false
      const before = states
      states = next
      next = before
    }
    return ((at(states, last >>> 5) >>> (last & 31)) & 1) === 1
  }
}

const MAX_REMEMBERED = 256

const at = (words: Uint32Array, index: number): number => words[index] ?? 0
