/** What a script says of itself: its debug id, and where its map is. */
import { debugIdOf, debugIdOfCode } from '@sonde/sourcemaps'

// What the snippet of Sentry's tools leaves in the code; the file that is deployed often has it without the
// comment, which is added to the copy that is uploaded.
const SNIPPET_ID = /sentry-dbid-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/gi
const MAP_COMMENT = /^[ \t]*\/\/[#@][ \t]*sourceMappingURL=([^\s'"]+)[ \t]*$/gm
const MARK = 'sourceMappingURL='

export type CodeFacts = {
  /** Lower case with hyphens. */
  readonly debugId: string | undefined
  /** As it stands there: a path, an address, `data:…`. */
  readonly mapRef: string | undefined
}

export function codeFacts(code: string): CodeFacts {
  return {
    debugId: debugIdOfCode(code) ?? debugIdOf([...code.matchAll(SNIPPET_ID)].at(-1)?.[1]),
    mapRef: mapRefOf(code),
  }
}

/** The last one counts (ECMA-426); an inline map is as long as the map, so the search begins where the mark stands. */
function mapRefOf(code: string): string | undefined {
  for (let at = code.lastIndexOf(MARK); at !== -1; at = at === 0 ? -1 : code.lastIndexOf(MARK, at - 1)) {
    const lineStart = code.lastIndexOf('\n', at) + 1
    const lineEnd = code.indexOf('\n', at)
    const line = code.slice(lineStart, lineEnd === -1 ? code.length : lineEnd).replace(/\r$/, '')
    const found = [...line.matchAll(MAP_COMMENT)].at(-1)?.[1]
    if (found !== undefined) return found
  }
  return undefined
}

const DATA = /^data:application\/json(?:;charset=[^;,]+)?(;base64)?,/i

/** The bytes of an inline map; undefined: it is no inline map. */
export function inlineMap(ref: string): Uint8Array | undefined {
  const head = DATA.exec(ref)
  if (!head) return undefined
  const body = ref.slice(head[0].length)
  return head[1] === undefined
    ? new TextEncoder().encode(decodeURIComponent(body))
    : Buffer.from(body, 'base64')
}
