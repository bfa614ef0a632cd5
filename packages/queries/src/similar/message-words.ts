/** A message as the set of its words, without what differs each time: numbers, ids, addresses. */

const MAX_CHARS = 1_000
// An address, a UUID, or a word that may be a number: whether it has a digit is asked afterwards, or every digit would be
// tried as the one that is needed.
const VARIABLE =
  /https?:\/\/\S+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b(?:0x)?[0-9a-f]+\b/g
const LETTERS_ALONE = /^(?:0x)?[a-f]+$/

export const messageWords = (message: string): ReadonlySet<string> =>
  new Set(
    message
      .slice(0, MAX_CHARS)
      .toLowerCase()
      .replace(VARIABLE, (found) => (LETTERS_ALONE.test(found) ? found : ' '))
      .match(/[\p{L}\p{N}_$]+/gu),
  )

/** Jaccard: what both have of what either has, 0 to 1; undefined when neither has anything. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number | undefined {
  const all = a.union(b).size
  return all === 0 ? undefined : a.intersection(b).size / all
}
