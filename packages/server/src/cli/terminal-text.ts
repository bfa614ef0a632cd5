/**
 * Text of strangers on a terminal. SDKs, visitors and members choose item types, names and addresses; written as they
 * are, their control characters recolour, rewrite or hyperlink what the operator reads, and marks of direction reorder it.
 */

/** C0 but tab and line end, DEL, C1; every other invisible mark but the two joiners, which scripts and emoji need. */
// oxlint-disable-next-line no-control-regex
const ACTS = /(?![\t\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
const BREAKS_LINE = /[\t\n]/g

/** What a terminal would act on is shown as `\u001b`: JSON stays the same JSON, and people see what was there. */
export const terminalText = (text: string): string => text.replaceAll(ACTS, escaped)

/** Also without line ends, by which a text would pass for lines of ours. */
export const terminalLine = (text: string): string => terminalText(text).replaceAll(BREAKS_LINE, escaped)

function escaped(char: string): string {
  return Array.from(
    { length: char.length },
    (_, unit) => String.raw`\u${char.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('')
}
