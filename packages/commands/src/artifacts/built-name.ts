/**
 * Under which name a site serves an uploaded file. Plugins that upload by debug id give files names of their own
 * (`0f3c…-7.js`); the map then says which file it belongs to, and a script where its map lies.
 */

/** As the bundler plugins name copies: debug id, number. */
const COPY = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d+\.[cm]?js$/i
/** A longer one is no name of a file; both engines take an index of this. */
const MAX_CHARS = 200

/** The last part alone: what lies before it depends on where the files are served. Empty: not known. `other`: what a map says it is of, what a script says its map is. */
export function builtName(url: string, other: string): string {
  const name = lastPart(url)
  const built = COPY.test(name) ? lastPart(other.startsWith('data:') ? '' : other) : name
  return built.length > MAX_CHARS || COPY.test(built) ? '' : built
}

function lastPart(url: string): string {
  const end = url.search(/[?#]/)
  const path = end < 0 ? url : url.slice(0, end)
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.map$/, '')
}
