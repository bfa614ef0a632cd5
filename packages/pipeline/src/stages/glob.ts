/** Patterns of people: `*` is any text, also none, `?` one character; the whole text has to match, whatever its case. */
export type Glob = (text: string) => boolean

// A message may have megabytes; what decides stands at its beginning.
const MAX_TEXT = 2_000

/**
 * Goes back to the last `*` only (https://research.swtch.com/glob), so at most text × pattern steps: as a regular
 * expression, `*a*a*a*a*b` would take longer than anybody waits.
 */
export function createGlob(pattern: string): Glob {
  const wanted = pattern.toLowerCase()
  return (given) => {
    const text = given.slice(0, MAX_TEXT).toLowerCase()
    let at = 0
    let want = 0
    let star = -1
    let starAt = 0
    while (at < text.length) {
      const sign = wanted[want]
      if (sign === '*') {
        star = want++
        starAt = at
      } else if (sign !== undefined && (sign === '?' || sign === text[at])) {
        want++
        at++
      } else if (star >= 0) {
        // The last star takes one character more.
        want = star + 1
        at = ++starAt
      } else return false
    }
    while (wanted[want] === '*') want++
    return want === wanted.length
  }
}
