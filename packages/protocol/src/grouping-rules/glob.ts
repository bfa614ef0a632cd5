/**
 * Patterns of fingerprint and stack-trace rules: `*` any text, `?` one character, `[a-z]`, `[!a-z]`, `{one,two}`, and `\`
 * before a sign that stands for itself. In a pattern of a path `*` stops at a `/`, and `**` does not.
 * https://docs.sentry.io/concepts/data-management/event-grouping/fingerprint-rules/#matchers
 */

type Step =
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'any' }
  | {
      readonly kind: 'class'
      readonly isNot: boolean
      readonly ranges: readonly (readonly [string, string])[]
    }
  | { readonly kind: 'star'; readonly crossesSlash: boolean }

export type GlobOptions = {
  readonly ignoresCase: boolean
  /** `*` stops at `/`; `\` in the text is read as `/`; a relative path matches a pattern of `**` + `/` + more too. */
  readonly isPath: boolean
}

export type RuleGlob = {
  /** Time: length of the pattern × length of the text at most. */
  matches(text: string): boolean
  /** The one text that matches, in the case that is compared; undefined: there are more. */
  readonly literal: string | undefined
  /** The longest text that stands in everything that matches; empty: none. In the case that is compared. */
  readonly needs: string
}

export type GlobProblem = { readonly at: number; readonly message: string }

/** What decides stands at the beginning: a longer text is compared up to here. */
export const MAX_GLOB_TEXT = 2_000
/** `{a,b}{c,d}` is four patterns. */
const MAX_ALTERNATIVES = 32

/** Compiled, or where in the pattern something is wrong. */
export function compileGlob(pattern: string, options: GlobOptions): RuleGlob | GlobProblem {
  const wanted = options.ignoresCase ? pattern.toLowerCase() : pattern
  const all = expand(wanted)
  if (!Array.isArray(all)) return all
  const alternatives: (readonly Step[])[] = []
  for (const each of all) {
    const steps = readSteps(each, options.isPath)
    if (!isSteps(steps)) return steps
    alternatives.push(steps)
  }
  const literals = alternatives.map(literalOf)
  const needs = alternatives
    .map(longestText)
    .reduce((least, each) => (each.length < least.length ? each : least))
  return {
    literal: alternatives.length === 1 && !options.isPath ? literals[0] : undefined,
    // What stands in one alternative need not stand in another.
    needs: alternatives.length === 1 ? needs : '',
    matches(given) {
      const text = comparable(given, options)
      return alternatives.some((steps) => runs(steps, text, options.isPath))
    },
  }
}

/** The text as patterns see it. */
export function comparable(given: string, { ignoresCase, isPath }: GlobOptions): string {
  const cut = given.length > MAX_GLOB_TEXT ? given.slice(0, MAX_GLOB_TEXT) : given
  const text = ignoresCase ? cut.toLowerCase() : cut
  return isPath && text.includes('\\') ? text.replaceAll('\\', '/') : text
}

function runs(steps: readonly Step[], text: string, isPath: boolean): boolean {
  if (matchesSteps(steps, text)) return true
  // `**/vendor/**` is meant for `vendor/a.js` too.
  return isPath && !text.startsWith('/') && matchesSteps(steps, `/${text}`)
}

/** All places of the pattern that the text so far may have led to, kept at once: nothing is ever gone back to. */
function matchesSteps(steps: readonly Step[], text: string): boolean {
  // In which turn a place was noted last, so that it is noted once.
  const noted = new Uint32Array(steps.length + 1)
  let turn = 1
  let now: number[] = []
  let next: number[] = []
  const note = (places: number[], from: number): void => {
    for (let at = from; noted[at] !== turn; at++) {
      noted[at] = turn
      places.push(at)
      // A star may also take nothing.
      if (steps[at]?.kind !== 'star') return
    }
  }
  note(now, 0)
  for (const char of text) {
    turn++
    for (const at of now) {
      const step = steps[at]
      if (step === undefined) continue
      if (step.kind === 'star') {
        if (step.crossesSlash || char !== '/') note(next, at)
      } else if (takes(step, char)) note(next, at + 1)
    }
    if (next.length === 0) return false
    ;[now, next] = [next, now]
    next.length = 0
  }
  return now.includes(steps.length)
}

function takes(step: Exclude<Step, { kind: 'star' }>, char: string): boolean {
  if (step.kind === 'char') return step.char === char
  if (step.kind === 'any') return true
  return step.ranges.some(([from, to]) => char >= from && char <= to) !== step.isNot
}

function literalOf(steps: readonly Step[]): string | undefined {
  let text = ''
  for (const step of steps) {
    if (step.kind !== 'char') return undefined
    text += step.char
  }
  return text
}

function longestText(steps: readonly Step[]): string {
  let longest = ''
  let run = ''
  for (const step of steps) {
    run = step.kind === 'char' ? run + step.char : ''
    if (run.length > longest.length) longest = run
  }
  return longest
}

const isSteps = (read: readonly Step[] | GlobProblem): read is readonly Step[] => Array.isArray(read)

function readSteps(pattern: string, isPath: boolean): readonly Step[] | GlobProblem {
  const steps: Step[] = []
  const chars = Array.from(pattern)
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] ?? ''
    if (char === '\\') {
      steps.push({ kind: 'char', char: chars[++at] ?? '\\' })
    } else if (char === '*') {
      let stars = 1
      while (chars[at + 1] === '*') {
        stars++
        at++
      }
      steps.push({ kind: 'star', crossesSlash: !isPath || stars > 1 })
    } else if (char === '?') steps.push({ kind: 'any' })
    else if (char === '[') {
      const read = readClass(chars, at)
      if ('message' in read) return read
      steps.push(read.step)
      at = read.end
    } else steps.push({ kind: 'char', char })
  }
  return steps
}

function readClass(
  chars: readonly string[],
  start: number,
): { readonly step: Step; readonly end: number } | GlobProblem {
  let at = start + 1
  const isNot = chars[at] === '!' || chars[at] === '^'
  if (isNot) at++
  const ranges: (readonly [string, string])[] = []
  for (let isFirst = true; chars[at] !== ']' || isFirst; isFirst = false) {
    if (chars[at] === '\\') at++
    const from = chars[at]
    if (from === undefined) return { at: start, message: 'this [ has no ]; write \\[ for the sign itself' }
    const to = chars[at + 1] === '-' && chars[at + 2] !== ']' ? chars[at + 2] : undefined
    if (to !== undefined && to < from) return { at, message: `the range ${from}-${to} is empty` }
    ranges.push([from, to ?? from])
    at += to === undefined ? 1 : 3
  }
  return { step: { kind: 'class', isNot, ranges }, end: at }
}

/** `{a,b}c` → `ac`, `bc`. Braces do not stand in braces. */
function expand(pattern: string): string[] | GlobProblem {
  let done = ['']
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? ''
    if (char === '\\') {
      const pair = pattern.slice(at, at + 2)
      at++
      done = done.map((each) => each + pair)
    } else if (char !== '{') done = done.map((each) => each + char)
    else {
      const choice = readChoice(pattern, at)
      if ('message' in choice) return choice
      done = done.flatMap((each) => choice.choices.map((text) => each + text))
      if (done.length > MAX_ALTERNATIVES)
        return { at, message: `stands for more than ${MAX_ALTERNATIVES} patterns; write several rules` }
      at = choice.end
    }
  }
  return done
}

function readChoice(
  pattern: string,
  start: number,
): { readonly choices: readonly string[]; readonly end: number } | GlobProblem {
  const choices = ['']
  for (let at = start + 1; at < pattern.length; at++) {
    const char = pattern[at] ?? ''
    if (char === '}') return { choices, end: at }
    if (char === '{') return { at, message: 'a { cannot stand within { }; write \\{ for the sign itself' }
    if (char === ',') choices.push('')
    else {
      const text = char === '\\' ? pattern.slice(at, at + 2) : char
      if (char === '\\') at++
      choices[choices.length - 1] += text
    }
  }
  return { at: start, message: 'this { has no }; write \\{ for the sign itself' }
}
