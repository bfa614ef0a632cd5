/** RFC 4180, for spreadsheets. */

/**
 * Spreadsheets run texts that begin like a formula, and these texts come from strangers; an apostrophe before it is how
 * they are told that it is a text.
 */
export const csvText = (text: string): string => csvField(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** As it is: for numbers, and what is known to be no formula. */
export const csvField = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text

/** `cells` are made by the functions above. */
export const csvLine = (cells: readonly string[]): string => `${cells.join(',')}\r\n`
