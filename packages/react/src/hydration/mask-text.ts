/**
 * Texts of a page as their shape: enough to see that a time became another time, or a price lost its currency, and nothing
 * of what a person wrote or is called. docs/decisions/0073-hydration-texts-are-shapes.md
 */

/** Runs of the same kind are told up to this length; longer ones end with `+`. */
const MAX_RUN = 4
const MAX_CHARS = 80
// Kept as they are: they separate, and are the same for everybody.
const PLAIN = /[\s.,:;!?%/\\()[\]{}<>+*=~^|_&@#'"`$€£¥-]/

/** `Guest 12:04` → `Xxxx+ 99:99` */
export function maskText(text: string): string {
  const kinds = Array.from(text.replace(/\s+/g, ' '), kindOf)
  let masked = ''
  for (let at = 0; at < kinds.length && masked.length < MAX_CHARS;) {
    const kind = kinds[at]!
    let end = at + 1
    // A run of one kind; what separates stands by itself.
    const isWord = /[Xx9]/.test(kind)
    if (isWord) while (kinds[end] === kind) end++
    const length = end - at
    masked += isWord ? kind.repeat(Math.min(length, MAX_RUN)) + (length > MAX_RUN ? '+' : '') : kind
    at = end
  }
  return masked.slice(0, MAX_CHARS)
}

function kindOf(char: string): string {
  if (/\p{Nd}/u.test(char)) return '9'
  if (/\p{Lu}/u.test(char)) return 'X'
  if (/[\p{L}\p{M}]/u.test(char)) return 'x'
  return PLAIN.test(char) ? char : '·'
}

/** Of two texts what is around the first difference, as shapes. */
export function maskDifference(before: string, after: string): readonly [before: string, after: string] {
  let at = 0
  while (at < before.length && at < after.length && before[at] === after[at]) at++
  // Not in the middle of a word, whose shape would be another one.
  const from = Math.max(0, before.lastIndexOf(' ', at - 1) + 1, at - MAX_CHARS)
  return [maskText(before.slice(from, from + MAX_CHARS)), maskText(after.slice(from, from + MAX_CHARS))]
}
