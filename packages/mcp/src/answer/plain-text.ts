/**
 * Text that applications and their users wrote, made fit to be read by a language model: what people would not see is taken
 * out, because instructions hide in it. Linear in the length.
 */

/** Where data begins and ends in an answer. No text within has these two signs. */
export const OPEN = '⟦'
export const CLOSE = '⟧'

/**
 * Everything without a shape: controls but line ends and tabs, directions, joiners, tags, variation selectors, fillers, private
 * and unassigned characters, halves of pairs. https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point
 */
const UNSEEN = /[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu

/** Several lines. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\u2028\u2029\u0085\v\f]/g, '\n')
    .replaceAll(UNSEEN, '')
    .replaceAll(/[\u2800\u3164]/g, ' ')
    .replaceAll(OPEN, '[')
    .replaceAll(CLOSE, ']')

/** One line of at most so many characters, and says how many were left out. */
export function plainLine(text: string, maxChars: number): string {
  // What is far longer is not worth being cleaned.
  const seen = plainText(text.slice(0, maxChars * 4))
    .replaceAll(/\s+/g, ' ')
    .trim()
  if (seen.length <= maxChars && text.length <= maxChars * 4) return seen
  const kept = seen
    .slice(0, maxChars)
    .toWellFormed()
    .replace(/\ufffd$/, '')
  return `${kept}… (${text.length - kept.length} characters more)`
}
