/** Names that differ only in their values have one shape: `GET /cart/17` and `GET /cart/18` are `GET /cart/…`. Pure. */

/** Ids, hashes, numbers, and texts in quotes, which a cut may have left open; a number inside a word (`utf8`, `$1`) is part of it. */
const VALUES =
  /'(?:[^'\\]|\\[^]?|'')*(?:'|$)|"(?:[^"\\]|\\[^]?)*(?:"|$)|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b|\b(?=[0-9a-f]*\d)[0-9a-f]{16,}\b|(?<![\w$:@.])\d+(?:\.\d+)?(?![\w.])/gi
/** `IN (…, …, …)`: how many there are is a value too. */
const LISTS = /(?:…|\?|\$\d+)(?:\s*,\s*(?:…|\?|\$\d+))+/g

export const shapeOfName = (name: string): string => name.replaceAll(VALUES, '…').replaceAll(LISTS, '…')
